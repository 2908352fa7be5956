import { describe, expect, it } from "vitest";
import {
  buildChirpStackDown,
  loraOfChirpStack,
  parseChirpStackEvent,
  parseChirpStackTopic,
} from "@metrum/protocols/chirpstack";
import { parseJson } from "@metrum/protocols/core";
import { buildThingsDown, parseThingsTopic, readThings } from "@metrum/protocols/thethings";
import { networkDownlinks, networkServers, type RadioEvent } from "./networkServers.ts";

const head = {
  devEui: "0102030405060708",
  name: "Meter 7",
  at: 1_795_250_000,
  session: 2,
  devAddr: "05060708",
};
const up: RadioEvent = {
  ...head,
  event: "up",
  fCnt: 7,
  fPort: 2,
  payload: Uint8Array.of(1, 2),
  receptions: [{ gatewayId: "a", rssi: -70, snr: 7 }],
};
const join: RadioEvent = { ...head, event: "join" };

describe("a network server of the simulator", () => {
  it("simulates ChirpStack: uplinks and joins below the prefix of the company", () => {
    for (const event of [up, join]) {
      const { topic, body } = networkServers.chirpstack(event, "c12");

      expect(parseChirpStackTopic(topic)).toMatchObject({
        prefix: "c12",
        devEui: head.devEui,
        event: event.event,
      });
      expect(loraOfChirpStack(parseChirpStackEvent(event.event, body))).toMatchObject({
        event: event.event,
        devAddr: head.devAddr,
        at: head.at,
      });
    }
  });

  it("simulates The Things Stack, each session under its own name", () => {
    for (const event of [up, join]) {
      const { topic, body } = networkServers.things(event, "c12");

      expect(parseThingsTopic(topic)).toMatchObject({ prefix: "c12", event: event.event });
      expect(readThings(parseJson(body))).toMatchObject({
        event: event.event,
        devAddr: head.devAddr,
        at: head.at,
      });
    }
    const named = (session: number) =>
      readThings(parseJson(networkServers.things({ ...up, session }, "").body));
    expect(named(1)?.deduplicationId).not.toBe(named(2)?.deduplicationId);
  });

  it("is given downlinks below the prefix of the company, as these servers are", () => {
    const down = { fPort: 3, payload: Uint8Array.of(1), confirmed: false };
    const [chirpstack, things] = [networkDownlinks.chirpstack, networkDownlinks.things];

    expect(chirpstack.filter("c12")).toBe("c12/application/metrum-simulator/device/+/command/down");
    expect(chirpstack.read("", buildChirpStackDown({ ...down, devEui: head.devEui }))).toEqual([
      { devEui: head.devEui, fport: 3, payload: down.payload },
    ]);
    expect(things.filter("c12")).toBe("c12/v3/metrum-simulator@metrum/devices/+/down/push");
    expect(
      things.read(`c12/v3/a@metrum/devices/eui-${head.devEui}/down/push`, buildThingsDown(down)),
    ).toEqual([{ devEui: head.devEui, fport: 3, payload: down.payload }]);
  });
});
