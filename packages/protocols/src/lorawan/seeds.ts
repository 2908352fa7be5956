import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { parseJson } from "../core/json.ts";
import { readActility } from "../actility/reports.ts";
import { actilityTokenText } from "../actility/token.ts";
import { buildActilityUp } from "../actility/build.ts";
import { buildChirpStackDown, buildChirpStackEvent, parseChirpStackDown } from "../chirpstack/build.ts";
import { parseChirpStackEvent } from "../chirpstack/events.ts";
import { loraOfChirpStack } from "../chirpstack/lora.ts";
import { chirpStackEvents } from "../chirpstack/topic.ts";
import { readPush } from "../push/readings.ts";
import { readSenml } from "../senml/senml.ts";
import { buildThings, buildThingsDown, parseThingsDown } from "../thethings/build.ts";
import { readThings } from "../thethings/events.ts";
import type { LoraUp } from "./event.ts";

const up: LoraUp = {
  event: "up",
  devEui: "0102030405060708",
  at: 1_795_250_000,
  deduplicationId: "0102030405060708:up:AXBS:71:2026-11-21T04:33:20.000Z",
  application: "app1",
  devAddr: "00bcb929",
  fCnt: 71,
  fPort: 2,
  dataRate: "SF7BW125",
  confirmed: false,
  payload: Uint8Array.of(1, 0x62, 6),
  receptions: [{ gatewayId: "a", rssi: -70, snr: 9 }],
};
const down = { fPort: 4, payload: Uint8Array.of(255), confirmed: true, reference: "r-1" };
const downlink = { ...up, event: "downlink", fCntDown: 4, reference: "r-1", deviceId: "d1" } as const;
const chirpStack = { ...up, deviceName: "Meter 7", applicationId: "app-1" };

const target = (
  name: string,
  seeds: readonly string[],
  read: (text: string, first: number) => unknown,
): FuzzTarget => ({
  name,
  seeds: seeds.map((seed) => new TextEncoder().encode(seed)),
  decode: (bytes) => read(new TextDecoder().decode(bytes), bytes[bytes.length >> 1] ?? 0),
});

/**
 * Fuzz targets for network servers and pushes; the messages come from the same builders as the simulator's.
 */
export const networkServerFuzz: readonly FuzzTarget[] = [
  target(
    "chirpstack",
    [
      buildChirpStackEvent({ ...chirpStack, event: "up", dr: 3 }),
      buildChirpStackEvent({
        ...chirpStack,
        event: "status",
        margin: 7,
        externalPowerSource: false,
        batteryLevel: 80,
      }),
      buildChirpStackEvent({
        ...chirpStack,
        event: "ack",
        queueItemId: "q",
        acknowledged: true,
        fCntDown: 4,
      }),
    ],
    (text, first) => {
      for (const event of [chirpStackEvents[first % chirpStackEvents.length] ?? "up", "up"] as const)
        loraOfChirpStack(parseChirpStackEvent(event, text));
    },
  ),
  target("chirpstack-down", [buildChirpStackDown({ ...down, devEui: up.devEui })], parseChirpStackDown),
  target(
    "thethings",
    [
      buildThings({ ...up, deviceId: "d1" }),
      buildThings({ ...up, event: "join", deviceId: "d1" }),
      buildThings({ ...downlink, outcome: "acknowledged", reason: "" }),
      buildThings({ ...downlink, outcome: "failed", reason: "no session" }),
    ],
    (text) => readThings(parseJson(text)),
  ),
  target("thethings-down", [buildThingsDown(down)], parseThingsDown),
  target(
    "actility",
    [
      buildActilityUp(up),
      `{"DevEUI_downlink_Sent":{"DevEUI":"0102030405060708","FCntDn":"1","DeliveryStatus":"0","DeliveryFailedCause1":"D0"}}`,
      `{"DevEUI_notification":{"DevEUI":"0102030405060708","DevAddr":"0405F519","Type":"join"}}`,
    ],
    (text) => {
      const body = parseJson(text);
      actilityTokenText(body, { AS_ID: "as", Time: "t" }, "key");
      return readActility(body);
    },
  ),
  target(
    "senml",
    [
      `[{"bn":"urn:dev:mac:0102030405060708:","bt":1795250000,"bu":"V"},{"n":"voltage1","v":229.5},{"n":"in1","u":"l","v":5,"t":-60}]`,
    ],
    (text) => readSenml(parseJson(text), 1_795_250_000),
  ),
  target(
    "push",
    [
      `{"readings":[{"deviceID":"12345678","time":1795250000,"values":{"in1":5.5,"battery":null}},{"device_id":7,"payload":"0162","fPort":2}]}`,
    ],
    (text) => readPush(parseJson(text)),
  ),
];
