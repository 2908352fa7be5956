import { codecs, readings } from "@metrum/contract/metering";
import { buildChirpStackUp } from "@metrum/protocols/chirpstack";
import { fromHex } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import mqtt from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueMqttCredentials } from "#headend/channels";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const at = 1_795_250_000;
/** Litres, four bytes, and tenths of a degree, two, little-endian. */
const source = `function decodeUplink(input) {
  const view = new DataView(Uint8Array.from(input.bytes).buffer);
  return { data: { volume: { litres: view.getUint32(0, true) }, degrees: view.getInt16(4, true) / 10 } };
}`;
const field_map = {
  "volume.litres": { name: "in1", unit: "L" },
  degrees: { name: "temperature", unit: "" },
};

let api: TestApi;
let dialogue: Dialogue;
let token: string;
let id: number;
beforeAll(async () => {
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  dialogue = await openDialogue(api.services);
  token = await api.token("engineer@metrum.example");
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
});
afterAll(async () => {
  await dialogue.stop();
  await api.close();
});

test("a codec is uploaded over the API, an uplink arrives by MQTT, and the device has its values by field", async () => {
  const body = { name: "Heat", model_id: 301, source_code: source, field_map, is_active: true };
  const saved = await api.ask(codecs.save, { token, input: { body } });
  const companyId = api.companies.first;
  const credentials = await issueMqttCredentials(api.services.database, companyId);
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${String(dialogue.ports.mqttPort)}`, credentials);

  // Acknowledged after COMMIT, so the values are there at once.
  await client.publishAsync(
    `c${String(companyId)}/application/a/device/${counter.deviceID}/event/up`,
    buildChirpStackUp({
      deduplicationId: "one",
      at,
      devEui: counter.deviceID,
      deviceName: "",
      applicationId: "a",
      devAddr: "",
      fCnt: 1,
      fPort: 9,
      dr: 0,
      confirmed: false,
      payload: fromHex("40e20100d7ff"),
      receptions: [],
    }),
    { qos: 1 },
  );
  await client.endAsync();

  expect(saved.status).toBe(200);
  const query = { device_id: id, msgType: 1, startDate: at - 3600, stopDate: at + 3600 };
  const { data } = await api.ask(readings.list, { token, input: { body: query } });
  if (!("data" in data)) throw new Error("columns were requested");
  expect(data.data).toHaveLength(1);
  expect(data.data[0]).toMatchObject({ datetime: at, in1: 123.456, temperature: -4.1 });
  expect(data.fields_headers.map(({ name }) => name)).toEqual(expect.arrayContaining(["in1", "temperature"]));
});
