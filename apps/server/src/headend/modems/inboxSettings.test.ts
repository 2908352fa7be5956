import { inbox, type InboxCreate } from "@metrum/contract/headend";
import { decodeAgain, push } from "@metrum/contract/metering";
import { fromHex, toHex } from "@metrum/protocols/core";
import { buildTelegram, type TelegramPlan } from "@metrum/protocols/wmbus";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setDevice } from "../../cli/device.ts";
import { openTestApi, type TestApi } from "#testing/api";

/** A radio water meter, a pulse counter of LoRaWAN, a Modbus meter and a Mercury meter of the catalogue. */
const models = { radio: 311, pulses: 301, modbus: 101, mercury: 120 };
const key = "000102030405060708090a0b0c0d0e0f";
/** On the first input; one on the second. */
const tenThousandPulses = `0162060040016a151027000001000000${"00".repeat(8)}`;
const records = fromHex("0c13 80672900 0b3b 841200 025a 7200");
const water: TelegramPlan = {
  manufacturer: "DME",
  id: "55667788",
  version: 0x70,
  medium: 7,
  accessNumber: 1,
  key: fromHex(key),
  security: "mode5",
};

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const create = (body: InboxCreate) => api.ask(inbox.create, { token, language: "en", input: { body } });
const pushed = async (deviceID: string, payload: string, fPort?: number) =>
  (
    await api.ask(push.readings, {
      token,
      input: { body: { readings: [{ deviceID, payload, ...(fPort === undefined ? {} : { fPort }) }] } },
    })
  ).data.results[0]?.result;
const listed = async (identity: string) =>
  (await api.ask(inbox.list, { token })).data.inbox.some((entry) => entry.identity === identity);

async function valuesOf(id: number | null): Promise<Record<string, number | null>> {
  const { rows } = await sql<{ fields: string[]; v: (number | null)[] }>`
    select fields, v from message join field_set on id = field_set_id where device_id = ${id}`.execute(
    api.services.database.system,
  );
  return Object.fromEntries(
    rows.flatMap(({ fields, v }) => fields.map((name, at): [string, number | null] => [name, v[at] ?? null])),
  );
}

async function logged(subject: string): Promise<string> {
  const { rows } = await sql<{ after: unknown }>`
    select after from audit where subject = ${subject}`.execute(api.services.database.system);
  return JSON.stringify(rows);
}

describe("a meter registered with its settings", () => {
  test("a telegram in mode 5 of an unknown meter appears in the inbox; with its key the next one is read", async () => {
    const name = "dme-55667788-70-07";
    const telegram = (accessNumber: number) => toHex(buildTelegram(records, { ...water, accessNumber }));

    const before = await pushed(name, telegram(1));
    const isWaiting = await listed(name);
    const { status, data, text } = await create({
      kind: "device",
      identity: name,
      name: "Riser",
      model_id: models.radio,
      keys: { encryption: "0001 0203 0405 0607 0809 0A0B 0C0D 0E0F" },
    });
    const after = await pushed(name, telegram(2));

    expect([before, isWaiting, status, after]).toEqual(["aside", true, 200, "taken"]);
    expect(Object.values(await valuesOf(data.device_id))).toContain(296.78);
    expect(await logged(`device ${String(data.device_id)}`)).toContain('"keys":{"encryption":"set"}');
    expect(text + (await logged(`device ${String(data.device_id)}`))).not.toMatch(/0001 ?0203/);
  });

  test("a pulse counter uses the weight and starting value that it was registered with", async () => {
    const { data } = await create({
      kind: "device",
      identity: "a1b2c3d4e5f60718",
      name: "Flat 7",
      model_id: models.pulses,
      impulse_weight: 0.001,
      starting_value: 12.5,
      report_period_update: 86_400,
    });

    const taken = await pushed("a1b2c3d4e5f60718", tenThousandPulses, 2);

    expect(taken).toBe("taken");
    expect(await valuesOf(data.device_id)).toMatchObject({ in1: 22.5, in2: 0.001 });
    const { rows } = await sql`select report_period_update, warning_report_period from device
      where id = ${data.device_id}`.execute(api.services.database.system);
    expect(rows).toEqual([{ report_period_update: 86_400, warning_report_period: 3 * 86_400 }]);
  });

  test("a changed weight applies to new readings, and to stored ones when their payloads are decoded again", async () => {
    const { data } = await create({
      kind: "device",
      identity: "a1b2c3d4e5f60719",
      name: "Flat 8",
      model_id: models.pulses,
    });
    await pushed("a1b2c3d4e5f60719", tenThousandPulses, 2);

    await setDevice(api.services, ["a1b2c3d4e5f60719", "--weight", "0.001", "--start", "12.5"]);
    const before = await valuesOf(data.device_id);
    await api.ask(decodeAgain.run, {
      token,
      input: { body: { device_id: data.device_id ?? 0, start_date: 0, stop_date: 4_000_000_000 } },
    });

    expect(before).toMatchObject({ in1: 10_000 });
    expect(await valuesOf(data.device_id)).toMatchObject({ in1: 22.5 });
  });

  test("the meter behind a modem has its password and ratio; the password is sealed and never logged", async () => {
    const { data, status } = await create({
      kind: "modem",
      identity: "860000000000017",
      name: "House 17",
      model_id: 601,
      meter: {
        model_id: models.mercury,
        name: "House 17",
        deviceID: "17171717",
        password: "secret",
        transformation_ratio: 40,
      },
    });

    expect(status).toBe(200);
    const { rows } = await sql<{ transformation_ratio: number; name: string; sealed: Buffer }>`
      select transformation_ratio, s.name, sealed from device d join device_secret s on device_id = d.id
      where d.id = ${data.device_id}`.execute(api.services.database.system);
    expect(rows).toMatchObject([{ transformation_ratio: 40, name: "password" }]);
    expect(rows[0]?.sealed.includes("secret")).toBe(false);
    const log = await logged(`gateway ${String(data.gateway_id)}`);
    expect(log).toContain('"password":"set"');
    expect(log).not.toContain("secret");
  });
});

describe("an invalid setting is refused with its name, and nothing is registered", () => {
  const device = (model_id: number, settings: Partial<InboxCreate>): InboxCreate => ({
    kind: "device",
    identity: "refused-1",
    name: "Refused",
    model_id,
    ...settings,
  });
  const behindModem = (model_id: number, settings: Partial<InboxCreate>): InboxCreate => ({
    kind: "modem",
    identity: "860000000000018",
    name: "Refused",
    model_id: 601,
    meter: { model_id, name: "Refused", deviceID: "refused-2", ...settings },
  });

  test.each<[string, InboxCreate]>([
    ["keys.encryption", device(models.radio, { keys: { encryption: key.slice(2) } })],
    ["keys.encryption", device(models.radio, { keys: { encryption: key.replace("0f", "0g") } })],
    ["keys.authentication", device(models.radio, { keys: { authentication: key } })],
    ["password", device(models.radio, { password: "111111" })],
    ["impulse_weight", device(models.radio, { impulse_weight: 0.001 })],
    ["impulse_weight", device(models.pulses, { impulse_weight: 0 })],
    ["starting_value", device(models.pulses, { starting_value: -1 })],
    ["transformation_ratio", device(models.pulses, { transformation_ratio: 40 })],
    ["report_period_update", device(models.pulses, { report_period_update: 1 })],
    ["meter.password", behindModem(models.modbus, { password: "111111" })],
    ["meter.password", behindModem(models.mercury, { password: "12345" })],
    ["meter.keys.encryption", behindModem(models.mercury, { keys: { encryption: "00" } })],
    ["password", { ...behindModem(models.mercury, {}), password: "111111" }],
  ])("%s", async (field, body) => {
    const { status, code, attributes } = await create(body);

    expect([status, code, Object.keys(attributes)]).toEqual([422, "wrong_input", [field]]);
    const { rows } = await sql`select from device where name = 'Refused'`.execute(
      api.services.database.system,
    );
    expect(rows).toEqual([]);
  });
});
