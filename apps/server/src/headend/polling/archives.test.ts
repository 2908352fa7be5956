import { ProtocolError, type Reading } from "@metrum/protocols/core";
import { startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LineLost, type Lines } from "#headend/channels";
import { askedDevice, lineModel, unpackSteps } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { registerPark } from "#testing/park";
import { prepareJobs } from "#headend/dialogue";
import { readArchives } from "./archives.ts";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { pollDevice } from "./poll.ts";

const halfHour = 1800;
const day = 86_400;
const offsetSec = 8 * 3600;
const mercury = 120;
const noGroup = { selected: {}, autoloadSec: undefined };

/** A meter with a power profile behind a modem, in Ulaanbaatar. */
const plan: Plan = {
  baseStations: [],
  gateways: [{ key: "g", modelId: 601, name: "GW-1", place: "", deviceID: "350000000000017" }],
  devices: [
    {
      modelId: mercury,
      gateway: "g",
      insideAddr: "23",
      deviceID: "40000023",
      name: "School 4",
      place: "",
      intervalSec: 3600,
      seed: 7,
      load: "school",
      // On a winter morning several times as much; a record of the profile holds 65.534 kW at most.
      meanPerHour: 4,
      start: 5000,
      impulseWeight: 1,
      startingValue: 0,
      hasLeaks: false,
      clockDriftPerDay: 0,
    },
  ],
};

// A step of the clock does not end the call of the modem.
const clock = Object.assign(movableClock(), { monotonicMs: () => performance.now() });
let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let id = 0;

beforeAll(async () => {
  // Ten minutes into a half-hour: the meter has closed the previous interval, and closes none during a test.
  clock.ahead = halfHour + 600 - (Math.floor(Date.now() / 1000) % halfHour);
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
    clock,
  });
  await prepareJobs(api.services);
  dialogue = await openDialogue(api.services);
  [id = 0] = await registerPark(api.services.database, api.companies.first, plan);
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: dialogue.ports.modemPorts[0] ?? 0 },
    faults: { delayMs: [0, 1] },
    utcOffsetSec: offsetSec,
    now: () => clock.nowMs() / 1000,
  });
  const { rows } = await sql<{
    id: number;
  }>`select id from gateway where device_id = '350000000000017'`.execute(api.services.database.system);
  const line = `modem:${String(rows[0]?.id)}`;
  for (const end = Date.now() + 60_000; Date.now() < end && !dialogue.ports.lines.held(line)?.isOpen;)
    await new Promise((resolve) => setTimeout(resolve, 50));
});
afterAll(async () => {
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const poll = (lines: Lines = dialogue.ports.lines) => pollDevice(api.services, lines, { deviceId: id });

async function rowsOf(msgType: number) {
  const { rows } = await sql<{ ts: number; source: number; v: string }>`
    select ts, source, v::text as v from message where device_id = ${id} and msg_type = ${msgType} order by ts`.execute(
    api.services.database.system,
  );
  return rows;
}

async function lastExchange() {
  const { rows } = await sql<{
    result: number;
    readings: number;
    message: string;
    steps: Buffer;
  }>`
    select result, readings, message, steps from poll_log where device_id = ${id} order by started_ms desc limit 1`.execute(
    api.services.database.system,
  );
  const [row] = rows;
  if (!row) throw new Error("nothing was logged");
  return { ...row, steps: unpackSteps(row.steps) };
}

const profileSteps = ({ steps }: Awaited<ReturnType<typeof lastExchange>>) =>
  steps.filter(({ label }) => /profile/.test(typeof label === "string" ? label : label.code)).length;

test("the first poll reads the last days of the meter's archives, in slots of its local time", async () => {
  await poll();

  const log = await lastExchange();
  expect(log).toMatchObject({ result: 0, message: "" });
  const [profile, daily, monthly] = await Promise.all([rowsOf(5), rowsOf(101), rowsOf(103)]);
  expect(profile.length).toBeGreaterThanOrEqual(95);
  expect(profile.every(({ ts, source }) => ts % halfHour === 0 && source === 1)).toBe(true);
  expect(profile.every(({ ts }, at) => at === 0 || ts === (profile[at - 1]?.ts ?? 0) + halfHour)).toBe(true);
  expect(clock.now() - (profile.at(-1)?.ts ?? 0)).toBeLessThan(2 * halfHour + 130);
  const midnights = daily.filter(({ source }) => source === 1);
  expect(midnights.map(({ ts }) => (ts + offsetSec) % day)).toEqual(midnights.map(() => 0));
  expect(midnights.length).toBeGreaterThanOrEqual(1);
  expect(monthly.length).toBeGreaterThanOrEqual(3);
  expect(log.readings).toBe(2 + profile.length + midnights.length + monthly.length);
});

test("a profile read equals the stored one of the meter", async () => {
  const [meter] = park.devices;
  const [first] = await rowsOf(5);

  const kept = meter?.stateAt(first?.ts ?? 0)("power_a_plus") ?? 0;
  const power = Number(/[\d.]+/.exec(first?.v ?? "")?.[0]);
  expect(power).toBeCloseTo(Math.round(kept * 1000) / 1000, 6);
});

test("the next poll requests no stored rows; of a new half-hour only that one", async () => {
  await poll();
  const before = await rowsOf(5);
  expect(profileSteps(await lastExchange())).toBe(0);

  clock.ahead += halfHour;
  await poll();

  const after = await rowsOf(5);
  expect(after.length).toBe(before.length + 1);
  expect(after.at(-1)?.ts).toBe((before.at(-1)?.ts ?? 0) + halfHour);
  // Position of the newest record, and some records of the ring buffer.
  expect(profileSteps(await lastExchange())).toBeLessThan(6);
});

test("after an outage of five days the slots are read in pages, each once", async () => {
  clock.ahead += 5 * day;

  await poll();
  await poll();

  const rows = await rowsOf(5);
  expect(rows.every(({ ts }, at) => at === 0 || ts === (rows[at - 1]?.ts ?? 0) + halfHour)).toBe(true);
  expect(rows.length).toBeGreaterThanOrEqual(7 * 48 - 1);
});

test("a line lost between current values and archives loses nothing", async () => {
  clock.ahead += halfHour;
  let uses = 0;
  const breaking: Lines = {
    ...dialogue.ports.lines,
    use: (target, run) => {
      uses += 1;
      if (uses > 1) return Promise.reject(new LineLost("the modem has hung up"));
      return dialogue.ports.lines.use(target, run);
    },
  };
  const before = await rowsOf(1);

  await poll(breaking);

  expect((await rowsOf(1)).length).toBe(before.length + 1);
  expect(await lastExchange()).toMatchObject({
    result: 0,
    readings: 2,
    message: "the line was lost before the archives were read",
  });
});

test("an archive that the meter refuses is postponed, and the others are read", async () => {
  clock.ahead += day;
  const device = await askedDevice(api.services.database.system, id);
  const driver = lineModel(mercury)?.driver;
  if (!device || driver?.kind !== "line") throw new Error("no such meter");
  const requested: number[] = [];
  const kept: Reading[] = [];
  const run = () =>
    readArchives(api.services, {
      device,
      driver,
      group: noGroup,
      keep: (readings) => Promise.resolve(void kept.push(...readings)),
      ask: (request) => {
        if (request.kind !== "archive") throw new Error("not requested here");
        requested.push(request.msgType);
        if (request.msgType === 5) return Promise.reject(new ProtocolError("refused", "status 2"));
        return Promise.resolve([{ msgType: 101, at: request.to - day / 2, values: { tariff0: 1 } }]);
      },
    });

  const answer = await run();
  const again = await run();

  expect(answer).toEqual({ readings: 1, message: "archive 5: status 2" });
  expect(kept).toHaveLength(1);
  expect(requested.filter((type) => type === 5)).toHaveLength(1);
  expect(again.message).toBe("");
});

test("an archive that the meter does not have is requested once a day, not with every poll", async () => {
  clock.ahead += day;
  const device = await askedDevice(api.services.database.system, id);
  const driver = lineModel(mercury)?.driver;
  if (!device || driver?.kind !== "line") throw new Error("no such meter");
  const requested: number[] = [];
  const run = () =>
    readArchives(api.services, {
      device,
      driver,
      group: noGroup,
      keep: () => Promise.resolve(),
      ask: (request) => {
        if (request.kind === "archive") requested.push(request.msgType);
        return Promise.reject(new ProtocolError("unsupported", "no such archive"));
      },
    });
  const askedAfter = async (seconds: number) => {
    clock.ahead += seconds;
    requested.length = 0;
    await run();
    return requested.includes(5);
  };

  expect(await askedAfter(0)).toBe(true);
  expect(await askedAfter(0)).toBe(false);
  expect(await askedAfter(7 * 3600)).toBe(false);
  expect(await askedAfter(day - 8 * 3600)).toBe(false);
  expect(await askedAfter(2 * 3600)).toBe(true);
});

test("POLL-013: a group fills its selected archives backwards after the new slots, down to the configured depth", async () => {
  clock.ahead += day;
  const db = api.services.database.system;
  await sql`delete from archive_state where device_id = ${id}`.execute(db);
  await sql`delete from message where device_id = ${id} and msg_type = 5`.execute(db);
  const device = await askedDevice(db, id);
  const driver = lineModel(mercury)?.driver;
  if (!device || driver?.kind !== "line") throw new Error("no such meter");
  const requested: { readonly msgType: number; readonly from: number; readonly to: number }[] = [];
  const run = async (autoloadSec: number | undefined) => {
    requested.length = 0;
    await readArchives(api.services, {
      device,
      driver,
      group: { selected: { archives: [5] }, autoloadSec },
      keep: () => Promise.resolve(),
      ask: (request) => {
        if (request.kind !== "archive") throw new Error("not requested here");
        requested.push(request);
        const slots: Reading[] = [];
        for (let at = Math.ceil(request.from / halfHour) * halfHour; at < request.to; at += halfHour)
          slots.push({ msgType: 5, at, values: {} });
        return Promise.resolve(slots);
      },
    });
    return requested.map(({ from }) => from);
  };

  const forward = await run(undefined);
  const now = clock.nowMs() / 1000;
  const earlier = await run(5 * day);
  const again = await run(5 * day);

  expect(forward).toHaveLength(1);
  expect(new Set(requested.map(({ msgType }) => msgType))).toEqual(new Set());
  expect(earlier).toEqual(earlier.toSorted((a, b) => b - a));
  expect(earlier).toHaveLength(2);
  expect(Math.abs((earlier[1] ?? 0) - (now - 5 * day))).toBeLessThan(2 * halfHour);
  expect(again).toEqual([]);
});
