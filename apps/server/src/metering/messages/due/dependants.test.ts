import { afterAll, beforeAll, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import type { Services } from "#core";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "../ingest/ingest.ts";
import { runDependants, type ChangedSpan, type Dependants } from "./dependants.ts";
import { dependOn, leases, markDependants, stopDepending } from "./dueStore.ts";
import { dueKinds, forever } from "./kinds.ts";

let store: TestStore;
const noon = at("2026-05-10T12:00:00Z");
const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");
const kind = dueKinds.virtualDevices;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const aMeter = () => store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
const read = (deviceId: DeviceId, minute: number, tariff0 = minute) =>
  aReading({
    deviceId,
    ts: noon + minute * 60,
    receivedAt: noon + 86_400,
    source: "imported",
    values: { tariff0 },
  });
const db = () => store.services.database.system;
const marks = (deviceId: DeviceId) =>
  store.query<{ kind: number; from: number; to: number; wait: number }>(
    `select kind, (from_ts - $2)::int / 60 as from, (to_ts - $2)::int / 60 as to,
        greatest(0, due_at - extract(epoch from clock_timestamp())::int8)::int as wait
      from reading_due where device_id = $1 and kind <> 0 order by kind`,
    [deviceId, noon],
  );

/** Runs the work of one kind and returns the spans that were computed. */
async function run(
  compute: (span: ChangedSpan) => Promise<number | undefined> = () => Promise.resolve(undefined),
  services: Services = store.services,
): Promise<ChangedSpan[]> {
  const spans: ChangedSpan[] = [];
  const work: Dependants = {
    kind,
    what: "test",
    compute: (_, span) => {
      spans.push(span);
      return compute(span);
    },
  };
  await runDependants(services, work);
  return spans;
}
const later = (sec: number): Services => ({
  ...store.services,
  clock: { ...store.services.clock, now: () => store.services.clock.now() + sec },
});

test("TRUST-011 a device on which nothing depends leaves no mark", async () => {
  const device = await aMeter();

  await ingest(store.services, [read(device, 0), read(device, 1)]);

  expect(await marks(device)).toEqual([]);
});

test("TRUST-011 new readings wait for more of them; late ones and corrections are due at once", async () => {
  const device = await aMeter();
  await dependOn(db(), kind, [{ deviceId: device, from: noon }]);
  await store.query("delete from reading_due");
  const fresh = store.peer();

  await ingest(fresh, [read(device, 10)]);
  const [waiting] = await marks(device);
  expect(waiting).toMatchObject({ kind, from: 10, to: 10 });
  expect(waiting?.wait).toBeGreaterThan(30);

  await ingest(fresh, [read(device, 5)]);
  expect(await marks(device)).toEqual([{ kind, from: 5, to: 10, wait: 0 }]);
  expect(await run()).toMatchObject([{ from: noon + 300, to: noon + 600 }]);
  expect(await marks(device)).toEqual([]);

  await ingest(fresh, [{ ...read(device, 10, 7), status: "corrected" }]);
  expect(await marks(device)).toEqual([{ kind, from: 10, to: 10, wait: 0 }]);
  await stopDepending(db(), kind, [device]);
});

test("TRUST-011 a reading that was stored before is no change of the past, beside new ones", async () => {
  const device = await aMeter();
  await dependOn(db(), kind, [{ deviceId: device, from: noon }]);
  const fresh = store.peer();
  await ingest(fresh, [read(device, 0), read(device, 10)]);
  await store.query("delete from reading_due");

  await ingest(fresh, [read(device, 0), read(device, 10), read(device, 20)]);

  const [waiting, ...others] = await marks(device);
  expect(waiting).toMatchObject({ kind, from: 20, to: 20 });
  expect(waiting?.wait).toBeGreaterThan(30);
  expect(others).toEqual([]);
  await ingest(fresh, [read(device, 0), read(device, 5)]);
  expect(await marks(device)).toEqual([{ kind, from: 5, to: 20, wait: 0 }]);
  await stopDepending(db(), kind, [device]);
});

test("TRUST-011 validation waits long for more of the present, but not for the readings of a month that has ended", async () => {
  const device = await aMeter();
  const validated = dueKinds.validation;
  await dependOn(db(), validated, [{ deviceId: device, from: noon, to: noon }]);
  await store.query("delete from reading_due");
  const fresh = store.peer();
  const waits = async (ts: number) => {
    await store.query("delete from reading_due");
    await ingest(fresh, [
      aReading({
        deviceId: device,
        ts,
        receivedAt: store.services.clock.now(),
        source: "imported",
        values: { tariff0: 1 },
      }),
    ]);
    return (await marks(device)).map(({ wait }) => wait > 60);
  };

  expect(await waits(noon + 60)).toEqual([false]);
  expect(await waits(store.services.clock.now() - 60)).toEqual([true]);
  await stopDepending(db(), validated, [device]);
});

test("TRUST-011 journals mark nothing, and points only readings with counters", async () => {
  const device = await aMeter();
  await dependOn(db(), dueKinds.points, [{ deviceId: device, from: noon, to: noon }]);
  await store.query("delete from reading_due");
  const fresh = store.peer();

  await ingest(fresh, [
    aReading({ deviceId: device, msgType: 5, ts: noon, receivedAt: noon + 1, values: { power_a_plus: 1 } }),
    aReading({ deviceId: device, msgType: 7, ts: noon, receivedAt: noon + 1, values: {} }),
  ]);
  expect(await marks(device)).toEqual([]);

  await ingest(fresh, [
    aReading({ deviceId: device, msgType: 101, ts: noon - 43_200, values: { tariff0: 1 } }),
  ]);
  expect(await marks(device)).toMatchObject([{ kind: dueKinds.points, from: -720, to: -720 }]);
});

test("TRUST-011 a process that does not know yet of a dependence loses nothing: the range is computed again", async () => {
  const device = await aMeter();
  const peer = store.peer();
  await ingest(peer, [read(device, 0)]);

  await dependOn(db(), kind, [{ deviceId: device, from: noon - 60 }]);
  expect(await run()).toMatchObject([{ from: noon - 60, to: forever }]);
  // Stored without a mark, after the range was computed.
  await ingest(peer, [read(device, 30)]);
  expect(await run()).toEqual([]);

  // A minute later no process has the old list cached: metadata is at most half a minute old.
  expect(await run(undefined, later(61))).toMatchObject([{ from: noon - 60, to: forever }]);
  expect(await marks(device)).toEqual([]);
});

test("TRUST-011 the rest of a range follows in the next turn, and the second computation has all of it", async () => {
  const device = await aMeter();
  await dependOn(db(), kind, [{ deviceId: device, from: noon, to: noon + 600 }]);

  expect(await run(({ from }) => Promise.resolve(from === noon ? noon + 300 : undefined))).toHaveLength(1);
  expect(await run()).toMatchObject([{ from: noon + 300, to: noon + 600 }]);

  expect(await run(undefined, later(61))).toMatchObject([{ from: noon, to: noon + 600 }]);
});

test("TRUST-011 corrections come before what has waited, however long, and leave it a share of each turn", async () => {
  const devices: DeviceId[] = [];
  for (let n = 0; n < 40; n++) devices.push(await aMeter());
  const mark = (some: readonly DeviceId[], minute: number) => {
    const at = noon + minute * 60;
    return markDependants(
      db(),
      kind,
      some.map((deviceId) => ({ deviceId, from: at, to: at })),
    );
  };
  const minutes = (spans: readonly ChangedSpan[]) => spans.map(({ from }) => (from - noon) / 60);
  const waited = devices.slice(0, 30);
  await mark(waited, 1);
  await store.query("update reading_due set due_at = 1");
  const [corrected, ...others] = devices.slice(30);
  if (corrected === undefined) throw new Error("no device");

  await mark([corrected], 2);
  expect(minutes(await run())).toContain(2);
  await mark(devices, 1);
  await store.query("update reading_due set due_at = 1 where device_id = $1", [corrected]);
  await mark([...others, ...waited], 3);

  expect(minutes(await run())).toHaveLength(25);
  expect(await marks(corrected)).toEqual([]);
  await store.query("delete from reading_due");
});

test("TRUST-011 a correction comes before the past of many devices that arrives late", async () => {
  const devices: DeviceId[] = [];
  for (let n = 0; n < 30; n++) devices.push(await aMeter());
  const corrected = await aMeter();
  await dependOn(
    db(),
    kind,
    [...devices, corrected].map((deviceId) => ({ deviceId, from: noon })),
  );
  const fresh = store.peer();
  await ingest(
    fresh,
    [...devices, corrected].map((device) => read(device, 10)),
  );
  await store.query("delete from reading_due");

  await ingest(
    fresh,
    devices.map((device) => read(device, 5)),
  );
  await ingest(fresh, [{ ...read(corrected, 10, 7), status: "corrected" }]);
  const spans = await run();

  // Of 31 marks a turn takes 24, some side by side.
  expect(spans).toHaveLength(24);
  expect(spans.map(({ from }) => (from - noon) / 60)).toContain(10);
  await store.query("delete from reading_due");
});

interface Node {
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

test("TRUST-011 a turn reads the marks that are due, however many devices wait for more readings", async () => {
  await store.query(
    `insert into reading_due (kind, device_id, from_ts, to_ts, due_at)
      select $1, 1000000 + n, 0, 0, 2000000000 from generate_series(1, 5000) n`,
    [kind],
  );
  await store.query("analyze reading_due");
  const rowsRead = (node: Node): number => {
    const own = node["Relation Name"] === "reading_due" ? (node["Actual Rows"] ?? 0) : 0;
    const left = node["Rows Removed by Filter"] ?? 0;
    return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own + left);
  };

  const read: number[] = [];
  for (const { text } of leases) {
    const [found] = await store.query<{ "QUERY PLAN": readonly { readonly Plan: Node }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [kind, 1_800_000_000, 0, 60, 3, 24],
    );
    const plan = found?.["QUERY PLAN"][0]?.Plan;
    read.push(plan ? rowsRead(plan) : Number.NaN);
  }

  expect(read).toEqual([0, 0]);
  await store.query("delete from reading_due");
});

test("TRUST-011 a range that is marked during its computation is computed again", async () => {
  const device = await aMeter();
  await markDependants(db(), kind, [{ deviceId: device, from: noon, to: noon }]);

  await run(async () => {
    await markDependants(db(), kind, [{ deviceId: device, from: noon - 60, to: noon - 60 }]);
    return undefined;
  });

  expect(await run()).toMatchObject([{ from: noon - 60, to: noon }]);
  expect(await run()).toEqual([]);
});

test("TRUST-011 a range that fails three times is parked until its next mark, others continue", async () => {
  const [bad, good] = [await aMeter(), await aMeter()];
  const span = { from: noon, to: noon };
  await markDependants(db(), kind, [
    { deviceId: bad, ...span },
    { deviceId: good, from: noon + 1, to: noon + 1 },
  ]);
  const fail = ({ from }: ChangedSpan) =>
    from === noon ? Promise.reject(new Error("no")) : Promise.resolve(undefined);

  const taken = [
    await run(fail),
    await run(fail, later(61)),
    await run(fail, later(122)),
    await run(fail, later(183)),
  ];

  expect(taken.map((spans) => spans.length)).toEqual([2, 1, 1, 0]);
  expect(await store.query("select attempts, error from reading_due where device_id = $1", [bad])).toEqual([
    { attempts: 3, error: "no" },
  ]);
  await markDependants(db(), kind, [{ deviceId: bad, ...span }]);
  expect(await run()).toMatchObject([span]);
});
