import { control, type DeviceCommand } from "@metrum/contract/headend";
import { demoPlan, startPark, type Faults, type Park, type Plan } from "@metrum/simulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Stop } from "#core";
import type { Dialogue } from "#headend/dialogue";
import type { TestApi } from "#testing/api";
import { putDeviceSecret } from "#metering/devices";
import { openTestDialogue } from "#testing/dialogue";
import { placeConverters, placeKeys, registerPark } from "#testing/park";
import { until } from "#testing/until";
import { startCommands } from "./execution/rounds.ts";

/** Meters with a relay, on lines of the demonstration; the DLMS meter is changed only by a client with keys. */
const dlmsModel = 702;
const switched = [120, 122, dlmsModel];
/** A heat meter by M-Bus, whose clock has no seconds. */
const mbusModel = 201;
const wanted = [...switched, mbusModel];
const demo = demoPlan(5);
const devices = wanted.map((modelId) => {
  const found = demo.devices.find((each) => each.modelId === modelId);
  if (!found) throw new Error(`no ${String(modelId)}`);
  return found;
});
const plan: Plan = {
  baseStations: [],
  devices,
  gateways: demo.gateways
    .filter(({ key }) => devices.some(({ gateway }) => gateway === key))
    .map((gateway) => (gateway.port === undefined ? gateway : { ...gateway, port: 0 })),
};

const faults: Partial<Faults> = { delayMs: [1, 5] };
let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let ids: number[];
let token: string;
let stopCommands: Stop;

beforeAll(async () => {
  ({ api, dialogue } = await openTestDialogue());
  ids = await registerPark(api.services.database, api.companies.first, plan);
  await placeKeys(api.services, ids, plan);
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: dialogue.ports.modemPorts[0] ?? 0 },
    faults,
    // The company is in Ulaanbaatar.
    utcOffsetSec: 8 * 3600,
  });
  await placeConverters(api.services.database, plan, park);
  token = await api.token("engineer@metrum.example");
  stopCommands = startCommands(api.services);
});
beforeEach(() => {
  Object.assign(faults, { refuse: 0, lie: 0 });
});
afterAll(async () => {
  await stopCommands();
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const idOf = (modelId: number): number => ids[wanted.indexOf(modelId)] ?? 0;

async function carriedOut(id: number, management: Record<string, unknown>): Promise<DeviceCommand> {
  const { status, text } = await api.ask(control.device, { token, input: { body: { id, management } } });
  expect(status, text).toBe(200);
  return until(async () => {
    const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
    const [found] = data.commands.data;
    return found !== undefined && !["queued", "sending"].includes(found.state) && found;
  });
}

/** Orders that the simulated meter has executed. */
const executed = (modelId: number) =>
  park.devices[wanted.indexOf(modelId)]?.orders.log
    .filter(({ did }) => did === "obey")
    .map(({ order }) => order) ?? [];

test.each(switched)(
  "CTRL-024 CTRL-030 CTRL-046 CTRL-106 model %i is switched, limited and set, as its simulator has done once each",
  async (modelId) => {
    const id = idOf(modelId);

    const off = await carriedOut(id, { power: 0 });
    const state = await carriedOut(id, { relay_state: 1 });
    const limit = await carriedOut(id, { limit: 12.5 });
    const time = await carriedOut(id, { get_datetime: 1 });

    expect([off, state, limit, time].map((each) => [each.key, each.state, each.message])).toEqual([
      ["power", "done", ""],
      ["relay_state", "done", ""],
      ["limit", "done", ""],
      ["get_datetime", "done", ""],
    ]);
    expect(state.after).toMatchObject({ relay_state: 0 });
    expect(Math.abs(Number(time.after?.["device_time"]) - api.services.clock.now())).toBeLessThan(120);
    expect(executed(modelId).filter(({ kind }) => kind === "power")).toEqual([
      { kind: "power", isOn: false },
    ]);
    expect(executed(modelId).filter(({ kind }) => kind === "limit")).toHaveLength(1);
  },
);

test.each(switched)("CTRL-106 model %i that acknowledges and does nothing is never done", async (modelId) => {
  faults.lie = 1;
  const before = executed(modelId).length;

  const command = await carriedOut(idOf(modelId), { power: 1 });

  expect(["failed", "unknown"]).toContain(command.state);
  expect(executed(modelId)).toHaveLength(before);
});

test.each(switched)("CTRL-029 model %i that refuses has failed", async (modelId) => {
  faults.refuse = 1;
  const before = executed(modelId).length;

  const command = await carriedOut(idOf(modelId), { limit: 3 });

  expect(command.state).toBe("failed");
  expect(executed(modelId)).toHaveLength(before);
});

const weekday = { tariff0: ["10:00", "21:00"], tariff1: ["07:00"] };
const holiday = { tariff0: ["00:00"] };
const days = ["01-01", "05-09"];

test("TARIFF-003 SPECDAY-009 CTRL-047 CTRL-049 a DLMS meter gets its calendar, special days and time once each", async () => {
  const id = idOf(dlmsModel);
  const before = executed(dlmsModel).length;
  const utc = new Date((api.services.clock.now() + 8 * 3600) * 1000).toISOString();

  const schedule = await carriedOut(id, { set_shedule_tariff: weekday });
  const special = await carriedOut(id, { set_special_day: { shedule: holiday, day_list: days } });
  const set = await carriedOut(id, { time_set: utc.slice(0, 19).replace("T", " ") });
  const corrected = await carriedOut(id, { time_correct: 7 });
  const readSchedule = await carriedOut(id, { get_shedule_tariff: 1 });
  const readSpecial = await carriedOut(id, { get_special_day: 1 });
  const time = await carriedOut(id, { get_datetime: 1 });

  expect(
    [schedule, special, set, corrected, readSchedule, readSpecial, time].map((each) => [
      each.key,
      each.state,
      each.message,
    ]),
  ).toEqual([
    ["set_shedule_tariff", "done", ""],
    ["set_special_day", "done", ""],
    ["time_set", "done", ""],
    ["time_correct", "done", ""],
    ["get_shedule_tariff", "done", ""],
    ["get_special_day", "done", ""],
    ["get_datetime", "done", ""],
  ]);
  // The calendar of the meter holds changes of the tariff: at 10:00 there is none.
  expect(readSchedule.after).toMatchObject({
    last_shedule_tariff: { tariff0: ["21:00"], tariff1: ["07:00"] },
  });
  expect(readSpecial.after).toMatchObject({
    last_special_shedule_day: days,
    last_special_shedule_tariff: holiday,
  });
  expect(
    executed(dlmsModel)
      .slice(before)
      .map(({ kind }) => kind),
  ).toEqual(["set", "set", "set", "clock", "clock"]);
  expect(executed(dlmsModel).at(-1)).toEqual({ kind: "clock", seconds: 7 });
});

test.each([0, 29, 31, 59])(
  "CTRL-046 CTRL-106 a clock without seconds is set at second %i of a minute",
  async (second) => {
    const local = api.services.clock.now() + 8 * 3600;
    const given = new Date((local - (local % 60) + second) * 1000).toISOString();

    const set = await carriedOut(idOf(mbusModel), { time_set: given.slice(0, 19).replace("T", " ") });

    expect([set.state, set.message]).toEqual(["done", ""]);
    expect(executed(mbusModel).at(-1)?.kind).toBe("clock");
  },
);

test("CTRL-106 a DLMS meter that lies about its calendar is never done, and has the old one", async () => {
  const id = idOf(dlmsModel);
  faults.lie = 1;
  const before = executed(dlmsModel).length;

  const command = await carriedOut(id, { set_shedule_tariff: { tariff0: ["12:00"] } });

  expect(["failed", "unknown"]).toContain(command.state);
  expect(executed(dlmsModel)).toHaveLength(before);
});

test("a DLMS meter under a wrong key is asked nothing that changes it", async () => {
  const id = idOf(dlmsModel);
  const { database, secretBox } = api.services;
  const wrong = { deviceId: id, name: "encryption", text: "00".repeat(16) } as const;
  await putDeviceSecret({ db: database.system, secretBox }, wrong);
  const before = park.devices[wanted.indexOf(dlmsModel)]?.orders.log.length;

  const command = await carriedOut(id, { limit: 2.5 });

  expect(command.state).toBe("failed");
  expect(park.devices[wanted.indexOf(dlmsModel)]?.orders.log).toHaveLength(before ?? -1);
});
