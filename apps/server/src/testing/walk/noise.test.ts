import { companies } from "@metrum/contract/access";
import {
  accountingPoints,
  balances,
  objectConsumption,
  periods,
  pointData,
  pointDevices,
  pointHistory,
} from "@metrum/contract/accounting";
import { pathOf, type Call } from "@metrum/contract/core";
import { readings } from "@metrum/contract/metering";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decimal, fixedText, isEqual, plus, zero } from "#core";
import { computeTotals } from "#accounting/accounting-points";
import { ingest } from "#metering/messages";
import { unevenColumns } from "./columns.ts";
import { openTree, type TreeApi } from "../objectTree.ts";
import { aReading, at } from "../readings.ts";

const [hour, day] = [3600, 86_400];
const start = at("2026-09-15T00:00:00Z");
const now = at("2026-11-03T00:00:00Z");
const span = { startDate: start, stopDate: now };

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now } });
});
afterAll(() => tree.api.close());

/** Shares of time: their digits are those of a division, and nothing is billed by them. */
const shares: ReadonlySet<string> = new Set(["share", "shares"]);
/** Digits that a double holds for certain. */
const mostDigits = 15;

/** Paths of numbers with more digits than a double holds for certain. */
function noiseIn(value: unknown, path: string): string[] {
  if (typeof value === "number") {
    const digits = String(value).replace(/e.*$/, "").replaceAll(/[-.]/g, "").replace(/^0+/, "");
    return digits.length > mostDigits ? [`${path} ${String(value)}`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    shares.has(key) ? [] : noiseIn(each, `${path}.${Array.isArray(value) ? "" : key}`),
  );
}

/** A point with a ratio, losses and a meter whose tenths no double holds: counters, half-hours and tensions. */
async function aPoint(
  object_id: string,
  { ratio = 0.333333, late = 0 } = {},
): Promise<{ readonly point: number; readonly device: DeviceId }> {
  const made = await tree.ask(accountingPoints.create, {
    ...{ title: "Input", resource_type_id: 3, timezone: "Etc/UTC", valid_from: start - day },
    ...{ transformation_ratio: ratio, loss_factor: 0.015, parent_id: object_id },
  });
  const point = made.data.accounting_point.id;
  const device = (await tree.aDevice()) as DeviceId;
  const model = meterModels.find(({ fields }) => fields.includes("tariff0") && fields.includes("tariff1"));
  const { system } = tree.api.services.database;
  await sql`update device set model_id = ${model?.id ?? 0}, transformation_ratio = 1.1 where id = ${device}`.execute(
    system,
  );
  await tree.ask(pointDevices.tieDevice, {
    accounting_point_id: point,
    device_id: device,
    from: start - day,
  });
  const hours = Array.from({ length: (now - start) / hour }, (_, n) => start + n * hour + late);
  await ingest(
    tree.api.services,
    hours.flatMap((ts, n) => {
      const tariff0 = 1_000.1 + n * 0.1;
      const common = { deviceId: device, receivedAt: ts + 5 };
      const energy = {
        tariff0,
        tariff1: tariff0 * 0.7,
        voltage1: 230.1,
        current1: 0.1 * (n % 7),
        power_active: 0.1,
      };
      const half = (later: number) => ({
        ...{ ...common, ts: ts + later, msgType: 5 },
        values: { power_a_plus: 0.1 * (n % 3), power_r_plus: 0.2 },
      });
      return [aReading({ ...common, ts, values: energy }), aReading(half(0)), aReading(half(1800))];
    }),
  );
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system);
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system);
    runs = await computeTotals(tree.api.services);
  }
  return { point, device };
}

/** A list as a file of these fields. */
async function fileOf(
  call: Call,
  input: { readonly params?: object; readonly body: object },
  fields: readonly string[],
) {
  const { body } = await tree.api.fastify.inject({
    method: call.method,
    url: `/api/${pathOf(call, { ...input.params })}`,
    headers: {
      ...{ authorization: `Bearer ${tree.token}`, "accept-language": "en", "accept-encoding": "identity" },
    },
    payload: {
      ...input.body,
      file: {
        format: "csv",
        title: "Table",
        zone: "Etc/UTC",
        columns: fields.map((of) => ({ title: of, of: [of] })),
      },
    },
  });
  return body;
}

it("TRUST-028 each column of a table and its file has one number of decimals, and an explanation adds up as it is shown", async () => {
  const top = await tree.add("Block");
  // Midnights are interpolated: their readings and amounts have more decimals than a display.
  const { point } = await aPoint(top, { ratio: 40, late: 420 });
  const named = { accounting_point_id: point };
  const { point: output } = await aPoint(top);
  const group = await tree.ask(balances.create, {
    ...{ name: "Block", resource_type_id: 3, allowed_imbalance: 2.5, input_point_ids: [point] },
    output_point_ids: [output],
  });
  const { id } = group.data.balance_group;
  const month = ["start_value", "end_value", "ratio", "consumption", "estimated", "carried", "loss"];
  const sums = ["in", "out", "losses", "amount", "percent"];

  const files = [
    await fileOf(pointHistory.months, { body: { ...named, months: 60, with_loss_factor: true } }, month),
    await fileOf(accountingPoints.companyList, { body: {} }, ["last_reading.value", "transformation_ratio"]),
    await fileOf(periods.preview, { body: { month: "2026-11" } }, ["covered", "estimated"]),
    await fileOf(balances.list, { body: {} }, [
      "month.in",
      "month.imbalance",
      "month.covered_percent",
      "allowed_imbalance",
    ]),
    await fileOf(balances.report, { params: { id }, body: span }, sums),
  ];

  expect(files.flatMap(unevenColumns)).toEqual([]);
  expect(files.map((file) => /\d\.\d{6}(?!\d)/.test(file))).toEqual(files.map(() => true));
  expect(files.join("")).not.toMatch(/\d\.\d{1,5}(?!\d)|\d\.\d{7}/);
  const found: number[][] = [];
  for (const field of ["main", "tariff1"])
    for (const of of [{ month: "2026-10" }, { day: "2026-10-25" }]) {
      const { decimals, parts, total_exact } = (await tree.ask(pointHistory.why, { ...named, field, ...of }))
        .data;
      const shown = parts.map(({ amount_exact }) =>
        decimal(fixedText(decimal(amount_exact), decimals.amounts)),
      );
      found.push([decimals.values, decimals.amounts]);
      expect([decimals.values, decimals.amounts].every((each) => each >= 3 && each <= 6)).toBe(true);
      expect(isEqual(shown.reduce(plus, zero), decimal(total_exact ?? ""))).toBe(true);
    }
  expect(found).toContainEqual([6, 3]);
}, 60_000);

it("TRUST-030 no list, table, total or explanation shows a digit that is none of its numbers", async () => {
  await tree.ask(companies.update, { options: { divides_gaps_from: "2026-01-01" } });
  const top = await tree.add("House");
  const { point, device } = await aPoint(top);
  const found: string[] = [];
  let numbers = 0;
  const look = async (call: Call, body: object) => {
    const answer = await tree.ask(call, body);
    expect(answer.status, `${call.id} ${answer.text.slice(0, 300)}`).toBe(200);
    numbers += answer.text.match(/\d\.\d/g)?.length ?? 0;
    found.push(...noiseIn(answer.data, call.id));
    return answer.data as never;
  };
  const { digest } = (await tree.ask(periods.preview, { month: "2026-09" })).data.preview;
  const closed = await tree.ask(periods.close, { month: "2026-09", digest, accepts_incomplete: true });
  const named = { accounting_point_id: point };
  const all = { with_loss_factor: true, "r/a": true, extra_fields: ["start_", "end_"] };

  for (const of of [{ msgType: 1 }, { msgType: 5 }, { msgType: 5, profile_type: 60, is_energy: true }]) {
    await look(readings.list, { device_id: device, ...of, ...span, ...all });
    await look(readings.summary, { device_id: device, ...of, ...span });
    await look(pointData.messages, { ...named, ...of, ...span, ...all });
  }
  for (const field of ["main", "tariff1"]) {
    await look(pointHistory.months, { ...named, field, with_loss_factor: true });
    await look(pointHistory.why, { ...named, field, month: "2026-10" });
    await look(pointHistory.why, { ...named, field, day: "2026-10-25" });
  }
  await look(pointHistory.history, named);
  await look(periods.list, {});
  await look(periods.preview, { month: "2026-10" });
  await look(periods.get, { id: closed.data.period.id });
  await look(accountingPoints.list, {});
  for (const period of ["week", "month", "year"] as const)
    await look(objectConsumption.calculate, { object_id: top, period });

  expect(found).toEqual([]);
  expect(numbers).toBeGreaterThan(1_000);
}, 60_000);
