import { statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestStore, type TestStore } from "#testing/readings";
import { withLoad } from "#testing/load";
import { withoutRollover, type CounterRange } from "../growth/counter.ts";
import { ingest } from "../ingest/ingest.ts";
import { parseValues } from "../rows/values.ts";
import { computeVirtualDevices } from "./virtualJob.ts";
import { virtualRows, virtualStart, type SourceRow, type VirtualFields } from "./virtual.ts";

const hour = 3600;
const start = Date.UTC(2026, 9, 1) / 1000;
const capacity = 1000;
const range = () => withLoad({ capacity, start: 0 }, 100);
const measured = statuses.measured.id;

const row = (
  deviceId: number,
  ts: number,
  value: number,
  more: Partial<SourceRow> & { status?: number; field?: FieldName } = {},
): SourceRow => ({
  deviceId,
  msgType: more.msgType ?? 1,
  ts,
  values: new Map([[more.field ?? "tariff0", { value, status: more.status ?? measured }]]),
});
const ofTwo: VirtualFields = new Map([
  [
    "tariff0",
    [
      { deviceId: 1, field: "tariff0", coefficient: 2 },
      { deviceId: 2, field: "tariff0", coefficient: 0.125 },
    ],
  ],
]);
const run = (of: VirtualFields, all: readonly SourceRow[][], rangeOf: () => CounterRange = range) =>
  virtualRows(virtualStart(of, new Map()), rangeOf, all).rows;
const valuesOf = (rows: ReturnType<typeof run>) => rows.map(({ values }) => values.tariff0);

it("DEV-060 a value needs a trusted value of every source at that time and of that message type: missing is no row", () => {
  const rows = run(ofTwo, [
    [row(1, start, 10), row(2, start, 80)],
    [row(1, start + hour, 11)],
    [row(1, start + 2 * hour, 12), row(2, start + 2 * hour, 96, { msgType: 100 })],
    [row(1, start + 3 * hour, 13), row(2, start + 3 * hour, 104)],
  ]);

  expect(rows.map(({ ts, values }) => [(ts - start) / hour, values.tariff0])).toEqual([
    [0, 30],
    [3, 39],
  ]);
});

it("DEV-060 the status is the worst of the inputs", () => {
  const [first] = run(ofTwo, [
    [row(1, start, 10, { status: statuses.estimated.id }), row(2, start, 80, { status: statuses.manual.id })],
  ]);

  expect(first?.status).toBe(statuses.estimated.id);
});

it("DEV-060 powers are summed as they are, with the sign of the coefficient", () => {
  const of: VirtualFields = new Map([
    [
      "power_a_plus",
      [
        { deviceId: 1, field: "power_a_plus", coefficient: 1 },
        { deviceId: 2, field: "power_a_plus", coefficient: -1 },
      ],
    ],
  ]);

  const [first] = run(of, [
    [row(1, start, 0.3, { field: "power_a_plus" }), row(2, start, 0.1, { field: "power_a_plus" })],
  ]);

  expect(first?.values).toEqual({ power_a_plus: 0.2 });
});

it("DEV-060 a reset of a source begins the counter anew, so that its consumption stays unknown", () => {
  const rows = run(ofTwo, [
    [row(1, start, 500), row(2, start, 80)],
    [row(1, start + hour, 501), row(2, start + hour, 96)],
    [row(1, start + 2 * hour, 3), row(2, start + 2 * hour, 104)],
    [row(1, start + 3 * hour, 4), row(2, start + 3 * hour, 112)],
  ]);

  expect(valuesOf(rows)).toEqual([1010, 1014, 0, 3]);
});

it("DEV-060 growth is exactly that of the sources, through rollovers, holes and readings of other times", () => {
  const step = fc.record({
    a: fc.option(fc.integer({ min: 0, max: 90_000 }), { freq: 5 }),
    b: fc.option(fc.integer({ min: 0, max: 90_000 }), { freq: 5 }),
    isLate: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 60 }), (steps) => {
      // True consumption in thousandths; null: the meter was not read.
      const truth = { a: 990_000n, b: 985_000n };
      const expected: { ts: number; sum: bigint }[] = [];
      const rows = steps.map(({ a, b, isLate }, n) => {
        truth.a += BigInt(a ?? 0);
        truth.b += BigInt(b ?? 0);
        const shown = (value: bigint): number => Number(value % 1_000_000n) / 1000;
        const ts = start + n * hour;
        const both = a !== null && b !== null;
        if (both && !isLate) expected.push({ ts, sum: truth.a * 16n + truth.b });
        return [
          ...(a === null ? [] : [row(1, ts, shown(truth.a))]),
          ...(b === null ? [] : [row(2, isLate ? ts + 60 : ts, shown(truth.b))]),
        ];
      });
      const found = run(
        ofTwo,
        rows.flatMap((each) => each.map((one) => [one])).length === 0 ? [] : instantsOf(rows.flat()),
      );

      expect(found.map(({ ts }) => ts)).toEqual(expected.map(({ ts }) => ts));
      // In thousandths of an eighth: exact.
      const grown = found.map(({ values }) =>
        Math.round(((values.tariff0 ?? 0) - (found[0]?.values.tariff0 ?? 0)) * 8000),
      );
      expect(grown).toEqual(expected.map(({ sum }) => Number(sum - (expected[0]?.sum ?? 0n))));
    }),
  );
});

function instantsOf(rows: readonly SourceRow[]): SourceRow[][] {
  const times = [...new Set(rows.map(({ ts }) => ts))].sort((a, b) => a - b);
  return times.map((ts) => rows.filter((each) => each.ts === ts));
}

it("TRUST-030 a source that wobbles by the last digit of a float adds nothing, however large its coefficient", () => {
  const of: VirtualFields = new Map([["tariff0", [{ deviceId: 1, field: "tariff0", coefficient: 4_000 }]]]);

  const rows = run(
    of,
    [1, 0, 1, 0, 0, 1, 0, 2].map((n, at) => [row(1, start + at * hour, 500 + n / 1e6)]),
  );

  expect(valuesOf(rows).map((value) => Math.round(((value ?? 0) - 2e6) * 1000))).toEqual([
    4, 4, 4, 4, 4, 4, 4, 8,
  ]);
});

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** A virtual device of two meters of one company. */
async function aSum(): Promise<{ sum: DeviceId; a: DeviceId; b: DeviceId }> {
  const a = await store.addDevice({ modelId: 101 });
  const made = async (name: string) => {
    const rows = await store.query<{ id: DeviceId }>(
      `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", report_period_update)
        select company_id, 101, 'Model', 4, 3, 4, $1::text, $1::text, 3600 from device where id = $2 returning id`,
      [name, a],
    );
    return rows[0]?.id ?? a;
  };
  const [b, sum] = [await made("b"), await made("sum")];
  const terms = [
    { device_id: a, field: "tariff0", coefficient: 2 },
    { device_id: b, field: "tariff0", coefficient: 0.125 },
  ];
  await store.query("update device set properties = $2 where id = $1", [
    sum,
    JSON.stringify({ virtual_fields_map_multiple: { tariff0: terms } }),
  ]);
  await store.query(
    "insert into virtual_source (virtual_id, source_id, company_id) select $1, d.id, company_id from device d where id = any($2)",
    [sum, [a, b]],
  );
  await store.query("insert into device_dependent (device_id, kind) select unnest($1::int[]), 2", [[a, b]]);
  return { sum, a, b };
}

async function computed(sum: DeviceId): Promise<[number, number | null, number][]> {
  for (let runs = 0; runs < 20; runs++) {
    await store.query("update reading_due set due_at = 0, leased_until = 0");
    if ((await computeVirtualDevices(store.services)) === 0) break;
  }
  const rows = await store.query<{ ts: string; v: string; status: number }>(
    "select ts, v::text as v, status from message where device_id = $1 and msg_type = 1 order by ts",
    [sum],
  );
  return rows.map(({ ts, v, status }) => [(Number(ts) - start) / hour, parseValues(v)[0] ?? null, status]);
}

const reading = (deviceId: DeviceId, n: number, value: number, more: object = {}) => ({
  deviceId,
  msgType: 1,
  ts: start + n * hour,
  receivedAt: start + n * hour + 1,
  source: "polled" as const,
  values: { tariff0: value },
  ...more,
});

it("DEV-060 a virtual device follows late, corrected, suspect and removed readings of its sources", async () => {
  const { sum, a, b } = await aSum();
  const put = (...rows: ReturnType<typeof reading>[]) => ingest(store.services, rows);
  await put(
    reading(a, 0, 10),
    reading(b, 0, 80),
    reading(a, 2, 12),
    reading(b, 2, 96),
    reading(a, 4, 14),
    reading(b, 4, 112),
  );
  const first = await computed(sum);

  // Late data of both, and a corrected value.
  await put(
    reading(a, 1, 11),
    reading(b, 1, 88),
    reading(a, 2, 12.5, { source: "manual", status: "corrected" }),
  );
  const second = await computed(sum);
  // A suspect value enters nothing.
  await put(
    reading(b, 2, 97, { source: "manual", status: "corrected" }),
    reading(b, 4, 113, { status: "estimated" }),
  );
  const third = await computed(sum);

  expect(first).toEqual([
    [0, 30, measured],
    [2, 36, measured],
    [4, 42, measured],
  ]);
  expect(second.map(([n, value]) => [n, value])).toEqual([
    [0, 30],
    [1, 33],
    [2, 37],
    [4, 42],
  ]);
  expect(third.find(([n]) => n === 2)?.[1]).toBe(37.125);
  const again = await computed(sum);
  expect(again).toEqual(third);
});

it("DEV-060 after any order of readings and corrections it equals one computation of all that is trusted", async () => {
  const { sum, a, b } = await aSum();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          isA: fc.boolean(),
          n: fc.integer({ min: 0, max: 600 }),
          milli: fc.integer({ min: 0, max: 900_000 }),
          status: fc.constantFrom("corrected" as const, "rejected" as const, "suspect" as const),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      async (changes) => {
        await ingest(
          store.services,
          changes.map(({ isA, n, milli, status }) =>
            reading(isA ? a : b, n, milli / 1000, { source: "manual", status, userId: undefined }),
          ),
        );
        const found = await computed(sum);

        const rows = await store.query<{ device_id: number; ts: string; v: string; status: number }>(
          "select device_id, ts, v::text as v, status from message where device_id = any($1) and msg_type = 1 order by ts",
          [[a, b]],
        );
        const trusted = rows
          .filter(({ status }) => status !== statuses.suspect.id && status !== statuses.rejected.id)
          .map(({ device_id, ts, v, status }) =>
            row(device_id, Number(ts), parseValues(v)[0] ?? 0, { status }),
          );
        const of: VirtualFields = new Map([
          [
            "tariff0",
            [
              { deviceId: a, field: "tariff0", coefficient: 2 },
              { deviceId: b, field: "tariff0", coefficient: 0.125 },
            ],
          ],
        ]);
        const once = run(of, instantsOf(trusted), () => withoutRollover);
        expect(found.map(([n, value]) => [n, value])).toEqual(
          once.map(({ ts, values }) => [(ts - start) / hour, values.tariff0]),
        );
      },
    ),
    { numRuns: 12 },
  );
});
