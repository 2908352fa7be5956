import { companies } from "@metrum/contract/access";
import { accountingPoints, periods, pointDevices, pointHistory } from "@metrum/contract/accounting";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decimal, plus, textOf, zero } from "#core";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { at, aReading } from "#testing/readings";
import { computeTotals } from "../totals/totalsJob.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const model = meterModels.find(
  ({ counterCapacity, fields }) =>
    counterCapacity === 1_000_000 && fields.includes("tariff0") && fields.includes("tariff1"),
);
const [hour, day] = [3600, 86_400];
const system = () => tree.api.services.database.system;

async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system());
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
}

/** A point measured by a device since a while, and readings of its registers by time. */
async function aPoint(readings: readonly (readonly [number, object, object?])[], more: object = {}) {
  const title = "Input";
  const made = await tree.ask(accountingPoints.create, {
    ...{ title, resource_type_id: 3, timezone: "Etc/UTC", ...more },
  });
  const point = made.data.accounting_point.id;
  const device = (await tree.aDevice()) as DeviceId;
  await sql`update device set model_id = ${model?.id ?? 0} where id = ${device}`.execute(system());
  const from = (readings[0]?.[0] ?? 0) - 40 * day;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from });
  await ingest(
    tree.api.services,
    readings.map(([ts, values, given = {}]) =>
      aReading({ deviceId: device, ts, receivedAt: ts + 5, values, ...given }),
    ),
  );
  await computed();
  devices.set(point, device);
  return point;
}
const devices = new Map<number, DeviceId>();
const hours = (from: string, count: number, step: number) =>
  Array.from({ length: count }, (_, n): readonly [number, { tariff0: number }] => [
    at(from) + n * step * hour,
    { tariff0: 1000 + n * step },
  ]);

/** The explanation of a month, whose parts add up to it and to its row, exactly. */
async function why(point: number, month: string, field?: string) {
  const named = { accounting_point_id: point, ...(field === undefined ? {} : { field }) };
  const { data } = await tree.ask(pointHistory.why, { ...named, month });
  const { data: table } = await tree.ask(pointHistory.months, { ...named, months: 60 });
  const row = table.months.find((each) => each.month === month);
  const counted = data.parts.filter(({ kind }) => kind !== "uncounted");
  const sum = counted.map(({ amount_exact }) => decimal(amount_exact)).reduce(plus, zero);
  expect([data.total_exact ?? "0", data.total, data.is_behind]).toEqual([
    textOf(sum),
    row?.consumption ?? null,
    false,
  ]);
  expect(data.total === null).toBe(counted.length === 0);
  return data;
}
const shape = ({ parts }: Awaited<ReturnType<typeof why>>) =>
  parts.map(({ kind, reason, amount, start, end }) => [kind, reason, amount, start?.kind, end?.kind]);

it("TRUST-026 a gap over the edge of a month is a part of its own that counts nothing in either of them", async () => {
  const readings = hours("2026-03-01T00:00:00Z", 90, 24).filter((_, n) => n < 29 || n > 33);
  const point = await aPoint(readings);

  const [march, april] = [await why(point, "2026-03"), await why(point, "2026-04")];

  expect([march.total, april.total]).toEqual([28 * 24, 27 * 24]);
  expect(shape(march)).toEqual([
    ["device", null, 672, "reading", "reading"],
    ["uncounted", "edge", 0, "reading", "reading"],
  ]);
  expect(march.parts[1]).toMatchObject({ register_growth: 144, from: at("2026-03-29T00:00:00Z") });
  expect(shape(april)[0]).toEqual(["uncounted", "edge", 0, "reading", "reading"]);
});

it("TRUST-026 a ratio that changes between daily readings counts nothing of that day, in parts and row", async () => {
  const readings = hours("2026-01-01T00:00:00Z", 32, 24);
  const point = await aPoint(readings, { transformation_ratio: 20, valid_from: at("2025-12-01T00:00:00Z") });
  await tree.ask(pointDevices.setTerm, {
    ...{ accounting_point_id: point, kind: "ratio", number: 40, from: at("2026-01-10T13:00:00Z") },
  });
  await computed();

  const january = await why(point, "2026-01");

  expect(january.total).toBe(9 * 24 * 20 + 21 * 24 * 40);
  expect(shape(january)).toEqual([
    ["device", null, 4320, "reading", "reading"],
    ["uncounted", "ratio", 0, "reading", "reading"],
    ["device", null, 20_160, "reading", "reading"],
  ]);
  expect(january.parts[1]).toMatchObject({ register_growth: 24, ratio: null });
});

it("TRUST-026 a ratio that changes in a gap counts nothing of it, and a fall nothing of its time", async () => {
  const start = at("2026-02-01T00:00:00Z");
  const point = await aPoint([
    [start, { tariff0: 10 }],
    [start + 10 * day, { tariff0: 110 }],
    [start + 20 * day, { tariff0: 150 }],
    [start + 21 * day, { tariff0: 3 }, { status: "corrected", userId: tree.fixture.ours.user }],
    [start + 27 * day, { tariff0: 4 }],
  ]);
  await tree.ask(pointDevices.setTerm, {
    ...{ accounting_point_id: point, kind: "ratio", number: 40, from: start + 5 * day },
  });
  await computed();

  const february = await why(point, "2026-02");

  expect(february.total).toBe((40 + 1) * 40);
  expect(
    february.parts.map(({ reason, register_growth, amount }) => [reason, register_growth, amount]),
  ).toEqual([
    ["ratio", 100, 0],
    [null, 40, 1600],
    ["reset", null, 0],
    [null, 1, 40],
  ]);
});

it("TRUST-025 TRUST-026 a growth that nobody can have used counts nothing, and the part names it", async () => {
  const start = at("2026-02-01T00:00:00Z");
  const point = await aPoint([
    [start, { tariff0: 10 }],
    [start + 10 * day, { tariff0: 250 }],
    [start + 11 * day, { tariff0: 60_000 }, { status: "measured" }],
    [start + 20 * day, { tariff0: 60_216 }],
  ]);
  const shown = async () => {
    const { total, parts } = await why(point, "2026-02");
    return [total, parts.map(({ reason, register_growth, amount }) => [reason, register_growth, amount])];
  };

  const doubted = await shown();
  await ingest(tree.api.services, [
    aReading({
      ...{
        deviceId: devices.get(point) ?? (0 as DeviceId),
        ts: start + 11 * day,
        values: { tariff0: 60_000 },
      },
      ...{ status: "corrected", userId: tree.fixture.ours.user },
    }),
  ]);
  await computed();

  expect(doubted).toEqual([
    240 + 216,
    [
      [null, 240, 240],
      ["leap", 59_750, 0],
      [null, 216, 216],
    ],
  ]);
  expect(await shown()).toEqual([60_206, [[null, 60_206, 60_206]]]);
});

it("TRUST-025 what comes late decides whether a growth fits the usual load, weeks before it", async () => {
  const start = at("2026-02-20T00:00:00Z");
  const point = await aPoint([
    [start, { tariff0: 1_000 }],
    [start + day, { tariff0: 6_000 }],
    [start + 2 * day, { tariff0: 6_024 }],
  ]);
  const unknown = await why(point, "2026-02");

  const late = Array.from({ length: 5 }, (_, n) =>
    aReading({
      ...{ deviceId: devices.get(point) ?? (0 as DeviceId), ts: start - (20 - n) * day },
      values: { tariff0: 500 + 24 * n },
    }),
  );
  await ingest(tree.api.services, late);
  await computed();
  const known = await why(point, "2026-02");

  // 5,000 in a day is possible of a meter of a million, but not where it has counted 24.
  expect(unknown.total).toBe(5_024);
  expect(known.parts.map(({ reason, register_growth }) => [reason, register_growth])).toContainEqual([
    "leap",
    5_000,
  ]);
});

it("TRUST-026 where nothing is counted the total is null, and the part says why", async () => {
  const point = await aPoint([
    [at("2025-11-10T00:00:00Z"), { tariff0: 10 }],
    [at("2026-02-20T00:00:00Z"), { tariff0: 900 }],
  ]);

  const month = await why(point, "2026-01");

  expect([month.total, month.formula, shape(month)]).toEqual([
    null,
    "none",
    [["uncounted", "edge", 0, "reading", "reading"]],
  ]);
});

it.each([
  ["after its hourly archives, below them", 5.5, 500, [5, 0]],
  ["before them, above them", 0.5, 1500, [500, 0, 4]],
  ["among them", 2.5, 1002.6, [5]],
])(
  "TRUST-026 TRUST-028 an entered reading %s leaves a day its total of what the archives know",
  async (_, hours, value, amounts) => {
    const start = at("2026-06-10T00:00:00Z");
    const archive = [0, 1, 2, 3, 4, 5].map((n): readonly [number, object, object] => [
      start + n * hour,
      { tariff0: 1000 + n },
      { msgType: n === 0 ? 103 : 100 },
    ]);
    const user = { status: "corrected", userId: tree.fixture.ours.user };
    const point = await aPoint([...archive, [start + hours * hour, { tariff0: value }, user]]);

    const june = await why(point, "2026-06");

    expect(june.parts.map(({ amount }) => amount)).toEqual(amounts);
    const { data } = await tree.ask(pointHistory.why, { accounting_point_id: point, day: "2026-06-10" });
    expect([data.total_exact, data.is_behind]).toEqual([june.total_exact, false]);
  },
);

it("TRUST-026 every register has its parts, also after its own rollover", async () => {
  const device = (n: number) => ({ tariff0: 5000 + n * 24, tariff1: (999_900 + n * 24) % 1_000_000 });
  const start = at("2026-06-01T00:00:00Z");
  const point = await aPoint(Array.from({ length: 31 }, (_, n) => [start + n * day, device(n)] as const));

  const june = await why(point, "2026-06", "tariff1");

  expect(june.total).toBe(30 * 24);
  expect(june.parts).toMatchObject([{ register_growth: 720, is_difference: false, flags: ["rollover"] }]);
});

it("TRUST-026 TRUST-030 no binary noise: parts, total and estimate are exact decimals", async () => {
  const start = at("2026-07-01T00:00:00Z");
  const point = await aPoint([
    [start, { tariff0: 0.1 }],
    [start + hour, { tariff0: 0.4 }],
    [start + 2 * hour, { tariff0: 9.16 }],
  ]);
  await sql`insert into point_amount (point_id, company_id, field, from_ts, to_ts, amount, method, note)
    values (${point}, ${tree.api.companies.first}, 'main', ${start - day}, ${start + day}, 0.3, 'by hand', 'act 5')`.execute(
    system(),
  );
  await computed();

  const july = await why(point, "2026-07");

  expect(july.total).toBe(9.21);
  // Half of the amount lies in June.
  expect(july.parts).toMatchObject([{ amount: 9.06 }, { kind: "amount", amount: 0.15, note: "act 5" }]);
});

const months = ["2025-09", "2025-10", "2025-11"] as const;

it.each([
  ["readings shortly after each first midnight", 300, {}],
  ["readings shortly before it", -600, {}],
  ["readings by hand in the morning of the first", 9 * hour, { status: "manual", source: "manual" }],
  ["its monthly archive", 0, { msgType: 103 }],
])(
  "TRUST-027 a meter that is known once a month, by %s, has consumption for every month",
  async (_, off, given) => {
    const edges = ["2025-09", "2025-10", "2025-11", "2025-12"].map((month) => at(`${month}-01T00:00:00Z`));
    const point = await aPoint(
      edges.map((edge) => [
        edge + off,
        { tariff0: 1000 + (edge + off - at("2025-09-01T00:00:00Z")) / day },
        given,
      ]),
    );
    const { data } = await tree.ask(pointHistory.months, { accounting_point_id: point, months: 60 });
    const rows = months.map((month) => data.months.find((each) => each.month === month));

    // Before the first reading nothing is known, nor after the last one.
    const first = Math.max(0, off);
    expect(rows.map((row) => [row?.consumption, row?.known_sec === row?.length_sec])).toEqual([
      [expect.closeTo(30 - first / day, 5), first === 0],
      [expect.closeTo(31, 5), true],
      [expect.closeTo(30 + Math.min(0, off) / day, 5), off >= 0],
    ]);
    expect(rows[1]?.is_interpolated).toBe(off !== 0);
    expect(rows[1]?.end_value).toBeCloseTo(rows[2]?.start_value ?? 0, 5);
    for (const month of months) await why(point, month);
  },
);

it("TRUST-027 a suspect reading and a half-filled row move no edge of a month", async () => {
  const [september, october] = [at("2025-09-01T00:00:00Z"), at("2025-10-01T00:00:00Z")];
  const point = await aPoint([
    [september + 300, { tariff0: 1000 }],
    [october - 300, { tariff0: 1001 }, { status: "suspect" }],
    [october - 60, { voltage1: 230 }],
    [october + 300, { tariff0: 1030 }],
    [october + 31 * day, { tariff0: 1061 }],
  ]);

  const month = await why(point, "2025-09");

  expect(month.total).toBeCloseTo(30, 1);
  expect(month.parts.at(-1)?.end?.around.map(({ value }) => value)).toEqual([1000, 1030]);
  expect(month.parts.at(-1)?.flags).toEqual(["interpolated"]);
});

it("TRUST-027 a gap over an end of a month is divided evenly where the company wants it, as a marked estimate", async () => {
  const edge = at("2025-10-01T00:00:00Z");
  const point = await aPoint([
    [edge - 20 * day, { tariff0: 1000 }],
    [edge - 10 * day, { tariff0: 1100 }],
    [edge + 30 * day, { tariff0: 1500 }],
  ]);
  const choose = async (divides_gaps_from: string | null) => {
    await tree.ask(companies.update, { options: { divides_gaps_from } });
    await computed();
    const both = [await why(point, "2025-09"), await why(point, "2025-10")];
    return both.map(({ total, estimated, known_sec }) => [total, estimated, known_sec / day]);
  };

  expect(await choose(null)).toEqual([
    [100, 0, 10],
    [null, 0, 0],
  ]);
  // A gap that begins before the day stays as it is.
  expect(await choose("2025-09-22")).toEqual([
    [100, 0, 10],
    [null, 0, 0],
  ]);
  expect(await choose("2025-09-01")).toEqual([
    [200, 100, 20],
    [300, 300, 30],
  ]);
  const september = await why(point, "2025-09");
  expect(september.parts.map(({ amount, flags }) => [amount, flags])).toEqual([
    [100, []],
    [100, ["divided"]],
  ]);
  const { data } = await tree.ask(pointHistory.months, { accounting_point_id: point, months: 60 });
  expect(data.months.find(({ month }) => month === "2025-10")?.state).toBe("partial");

  // A better reading takes its place by itself.
  await ingest(tree.api.services, [
    aReading({
      deviceId: devices.get(point) ?? (0 as DeviceId),
      ts: edge,
      receivedAt: edge,
      values: { tariff0: 1350 },
    }),
  ]);
  await computed();
  expect([(await why(point, "2025-09")).estimated, (await why(point, "2025-10")).total]).toEqual([0, 150]);
  expect((await choose(null)).map(([total]) => total)).toEqual([350, 150]);
});

it("TRUST-026 after a closed month the carried gap is one part, counted once", async () => {
  const readings = hours("2026-05-01T00:00:00Z", 62, 24).filter((_, n) => n < 29 || n > 33);
  const point = await aPoint(readings);
  const { data } = await tree.ask(periods.preview, { month: "2026-05" });
  const { digest } = data.preview;
  await tree.ask(periods.close, { month: "2026-05", digest, accepts_incomplete: true });

  const june = await why(point, "2026-06");

  expect(june.total).toBe(144 + 27 * 24);
  expect(shape(june)).toEqual([
    ["carried", null, 144, "reading", "reading"],
    ["device", null, 648, "reading", "reading"],
  ]);
});
