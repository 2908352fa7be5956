import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askedDevice, secretsOf } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { setDevice } from "./device.ts";
import { UsageError } from "./usage.ts";

const key = "000102030405060708090a0b0c0d0e0f";
/** A pulse counter, a radio meter and a Mercury meter of the catalogue. */
const models = { pulses: 301, radio: 311, mercury: 120 };

let api: TestApi;
let folder: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  api = await openTestApi();
  folder = await mkdtemp(join(tmpdir(), "metrum-device-"));
  for (const [deviceID, modelId] of Object.entries(models)) ids[deviceID] = await aDevice(deviceID, modelId);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

async function aDevice(deviceID: string, modelId: number, companyId: number = api.companies.first) {
  const [some] = demoPlan(1).devices;
  if (!some) throw new Error("an empty plan");
  const [id = 0] = await registerPark(api.services.database, companyId, {
    gateways: [],
    baseStations: [],
    devices: [{ ...some, deviceID, modelId, impulseWeight: 1, startingValue: 0 }],
  });
  return id;
}

const set = (...args: string[]) => setDevice(api.services, args);

async function fileOf(secret: string): Promise<string> {
  const file = join(folder, "secret");
  await writeFile(file, secret);
  return file;
}

async function secrets(id = 0) {
  const device = await askedDevice(api.services.database.system, id);
  return device && secretsOf(api.services.secretBox, device);
}

async function logOf(id = 0) {
  const { rows } = await sql<{ before: unknown; after: unknown; user_id: number | null }>`
    select before, after, user_id from audit where action = 'device.settings' and subject = ${`device ${String(id)}`}
      and company_id = ${api.companies.first} order by id`.execute(api.services.database.system);
  return rows;
}

test("weight, starting value and period of a pulse counter are set, with a note that stored readings are kept", async () => {
  const { device, note } = await set("PULSES", "--weight", "0.001", "--start", "12.5", "--period", "3600");
  const shown = await set("pulses");

  expect(device).toMatchObject({
    id: ids["pulses"],
    impulse_weight: 0.001,
    starting_value: 12.5,
    secrets: [],
  });
  expect(note).toContain("readings that are stored stay as they are");
  expect(shown).toEqual({ device, note: "" });
  const [row, ...more] = await logOf(ids["pulses"]);
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    before: { impulse_weight: 1, starting_value: 0 },
    after: { impulse_weight: 0.001, starting_value: 12.5, report_period_update: 3600 },
    user_id: null,
  });
});

test("a key is read from a file, never printed or logged, and removed", async () => {
  const { device } = await set("radio", "--encryption", await fileOf(`${key}\n`));
  const kept = await secrets(ids["radio"]);
  const { device: without } = await set("radio", "--forget", "encryption");

  expect(device.secrets).toEqual(["encryption"]);
  expect(kept).toEqual({ keys: { encryption: key } });
  expect(without.secrets).toEqual([]);
  expect(await secrets(ids["radio"])).toEqual({});
  const log = await logOf(ids["radio"]);
  expect(log.map(({ after }) => after)).toEqual([
    { keys: { encryption: "set" } },
    { keys: { encryption: "removed" } },
  ]);
  expect(JSON.stringify([device, log])).not.toContain(key);
});

test("a password is read from standard input, and a transformer ratio is set for an electricity meter", async () => {
  const { device, note } = await setDevice(
    api.services,
    ["mercury", "--password", "-", "--ratio", "40"],
    (source) => Promise.resolve(source === "-" ? "222222\n" : ""),
  );

  expect(device).toMatchObject({ transformation_ratio: 40, secrets: ["password"] });
  expect(note).toBe("");
  expect(await secrets(ids["mercury"])).toEqual({ password: "222222" });
});

test.each<[string, string[], string?]>([
  ["--weight", ["radio", "--weight", "0.001"]],
  ["--weight", ["pulses", "--weight", "0"]],
  ["--weight", ["pulses", "--weight", "much"]],
  ["--start", ["mercury", "--start", "1"]],
  ["--ratio", ["pulses", "--ratio", "40"]],
  ["--period", ["pulses", "--period", "1"]],
  ["--encryption", ["radio", "--encryption", "FILE"], key.slice(2)],
  ["--authentication", ["radio", "--authentication", "FILE"], key],
  ["--password", ["mercury", "--password", "FILE"], "12345"],
  ["--password", ["mercury", "--password", "FILE"], "\n"],
  ["--password", ["mercury", "--password", "/nowhere/at/all"]],
  ["standard input", ["mercury", "--password", "-", "--encryption", "-"]],
  ["--forget", ["mercury", "--forget", "key"]],
  ["--speed", ["mercury", "--speed", "1"]],
  ["NUMBER", ["nobody"]],
])(
  "what cannot be used is refused by its name (%s) and changes nothing: %j",
  async (named, args, secret = "") => {
    const file = await fileOf(secret);
    const [number = ""] = args;
    const state = async () => [await secrets(ids[number]), (await logOf(ids[number])).length];
    const before = await state();

    const refused = set(...args.map((each) => (each === "FILE" ? file : each)));

    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(named);
    expect(await state()).toEqual(before);
  },
);

test("a device number that two companies have is set for the named company", async () => {
  await aDevice("pulses", models.pulses, api.companies.second);

  await expect(set("pulses", "--weight", "0.01")).rejects.toThrow("--company");
  const { device } = await set("pulses", "--company", String(api.companies.second), "--weight", "0.01");

  expect(device).toMatchObject({ company_id: api.companies.second, impulse_weight: 0.01 });
});
