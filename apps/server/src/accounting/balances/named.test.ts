import { balanceLimits, balances } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { month, openBalances, type BalanceApi } from "#testing/series/balance";
import { at } from "#testing/readings";
import { restCode } from "./shownCauses.ts";

let bench: BalanceApi;
beforeAll(async () => {
  bench = await openBalances();
});
afterAll(() => bench.api.close());
beforeEach(async () => {
  await bench.query("delete from balance_group");
});

const query: BalanceApi["query"] = (...given) => bench.query(...given);
const aPoint: BalanceApi["aPoint"] = (...given) => bench.aPoint(...given);
const aDevice: BalanceApi["aDevice"] = (...given) => bench.aDevice(...given);
const aNode: BalanceApi["aNode"] = (...given) => bench.aNode(...given);
const days: BalanceApi["days"] = (...given) => bench.days(...given);
const aGroup: BalanceApi["aGroup"] = (...given) => bench.aGroup(...given);
const computed: BalanceApi["computed"] = (...given) => bench.computed(...given);

/** A week with a weekend, and a little weather of its own. */
const load = (size: number, own: number) => (day: number) =>
  Math.round(size * (day % 7 > 4 ? 0.6 + own / 20 : 1) * (1 + Math.sin(day * (1.3 + own)) / 9) * 1000) / 1000;
const wholeLoad = (day: number, sizes: readonly number[]) =>
  sizes.reduce((sum, size, own) => sum + load(size, own)(day), 0);

it("TRUST-020 a wrong ratio is named with what the card says and what closes it; causes and rest are the imbalance", async () => {
  const device = await aDevice();
  const input = await aPoint("Input");
  const outs = [await aPoint("Feeder 3"), await aPoint("Feeder 7", { device }), await aPoint("Feeder 9")];
  const [transformer] = await query(
    `insert into transformer (company_id, title, kind, primary_value, secondary_value) values ($1, 'T', 'current', 100, 5) returning id`,
    [bench.company],
  );
  await query(
    `insert into point_term (point_id, company_id, kind, from_ts, transformer_id) values ($1, $2, 'current_transformer', 0, $3)`,
    [outs[1], bench.company, transformer?.id],
  );
  const sizes = [130, 90, 60];
  await days(
    input,
    month((day) => wholeLoad(day, sizes) * 1.001),
  );
  await days(outs[0] ?? 0, month(load(130, 0)));
  await days(
    outs[1] ?? 0,
    month((day) => load(90, 1)(day) / 1.5),
  );
  await days(outs[2] ?? 0, month(load(60, 2)));
  const id = await aGroup({ name: "TP-22", input_point_ids: [input], output_point_ids: outs });

  const { causes, rest, total, points } = await computed(id);

  expect(causes[0]).toMatchObject({ kind: "ratio", name: "Feeder 7", action: "point", device_id: device });
  expect(causes[0]?.text).toContain("The card says 100/5, 150/5 closes it");
  const sum = causes.reduce((all, { amount }) => all + amount, 0) + (rest?.amount ?? 0);
  expect(sum).toBeCloseTo(total.imbalance ?? 0, 5);
  expect(rest).toMatchObject({ is_within: true, accuracy_class: 1 });
  expect(points.find(({ name }) => name === "Feeder 7")).toMatchObject({
    state: "cause",
    state_text: "Ratio?",
  });
});

it("TRUST-020 a lost phase that the device shows is named by its letter", async () => {
  const device = await aDevice();
  const input = await aPoint("Input");
  const outs = [await aPoint("Feeder 3"), await aPoint("Feeder 9", { device })];
  await days(
    input,
    month((day) => wholeLoad(day, [130, 90])),
  );
  await days(outs[0] ?? 0, month(load(130, 0)));
  await days(
    outs[1] ?? 0,
    month((day) => load(90, 1)(day) * (day < 12 ? 1 : 0.71)),
  );
  await query(
    `with s as (insert into field_set (fields) values (array['current1', 'current2', 'current3']) returning id)
      insert into device_latest (device_id, msg_type, ts, received_at, status, source, field_set_id, v)
      select $1, 1, 1, 1, 0, 1, id, array[4.1, 0.01, 4.3]::float8[] from s`,
    [device],
  );
  const id = await aGroup({ name: "TP-23", input_point_ids: [input], output_point_ids: outs });

  const { causes } = await computed(id);

  expect(causes[0]).toMatchObject({ kind: "phase", name: "Feeder 9", action: "readings" });
  expect(causes[0]?.text).toMatch(
    /^Since 13\.11\.2026 the consumption is 29\.\d % too low: the current of phase B/,
  );
});

it("TRUST-020 a point, or a device without a point, that stands in the branch and not in the formula is named", async () => {
  const top = await aNode();
  const [station, street] = [await aNode(top), await aNode(top)];
  const input = await aPoint("Input", { object: station });
  const out = await aPoint("Feeder 3", { object: street });
  const forgotten = await aPoint("Kiosk", { object: street });
  const below = await aPoint("Flat", { object: await aNode(street) });
  const sizes = [130, 40];
  await days(
    input,
    month((day) => wholeLoad(day, sizes)),
  );
  await days(out, month(load(130, 0)));
  await days(forgotten, month(load(40, 1)));
  await days(below, month(load(40, 1)));
  const id = await aGroup({ name: "TP-24", input_point_ids: [input], output_point_ids: [out] });
  await query("update accounting_point set object_id = $2 where id = $1", [forgotten, top]);

  const { causes } = await computed(id);
  expect(causes[0]).toMatchObject({
    kind: "missing_point",
    point_id: forgotten,
    name: "Kiosk",
    action: "group",
  });

  await query("update accounting_point set object_id = null where id = $1", [forgotten]);
  const device = await aDevice(station);
  const [again] = (await computed(id)).causes;
  expect(again).toMatchObject({ kind: "missing_device", device_id: device, severity: "warn" });
});

it("TRUST-020 a clock that the readings of a device show to be ahead is the first cause, from the stored stamps", async () => {
  const hours = 6;
  const device = (await aDevice()) as DeviceId;
  const input = await aPoint("Input");
  const outs = [await aPoint("Feeder 3"), await aPoint("Feeder 9", { device })];
  // Four days: too few to fit a shift without knowing it.
  const truth = [200, 60, 210, 50];
  const first = "2026-11-27";
  const counted = truth.map((own, day) => own + (((truth[day - 1] ?? own) - own) * hours) / 24);
  await days(
    input,
    truth.map((each) => each + 130),
    first,
  );
  await days(outs[0] ?? 0, [130, 130, 130, 130], first);
  await days(outs[1] ?? 0, counted, first);
  const stamps = [28, 29, 30].map((day) => at(`2026-11-${String(day)}T12:00:00Z`));
  await ingest(
    bench.api.services,
    stamps.map((ts, nth) => ({
      ...{ deviceId: device, msgType: 1, ts, receivedAt: ts, meterAt: ts + hours * 3600 },
      ...{ source: "polled" as const, isReleased: true, values: { tariff0: 1000 + nth } },
    })),
  );
  const id = await aGroup({ name: "TP-25", input_point_ids: [input], output_point_ids: outs });

  const { causes, points } = await computed(id, {
    startDate: at("2026-11-26T16:00:00Z"),
    stopDate: at("2026-11-30T16:00:00Z"),
  });

  expect(causes[0]).toMatchObject({ kind: "shift", name: "Feeder 9", device_id: device, action: "device" });
  expect(causes[0]?.params).toMatchObject({ hours: "6.0", direction: "ahead" });
  expect(points.find(({ name }) => name === "Feeder 9")?.state).toBe("cause");
});

it("TRUST-020 the rest says that no cause was found only where none was", () => {
  const causes = [{ amount: 0 }, { amount: 12 }];

  expect(restCode(true, causes)).toBe("rest_within");
  expect(restCode(false, causes)).toBe("rest_unexplained");
  expect(restCode(false, [{ amount: 0 }])).toBe("rest_beyond");
});

it("BAL-005 a period that is too long is refused with the longest one", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  const id = await aGroup({ name: "TP-27", input_point_ids: [input], output_point_ids: [out] });
  const stopDate = at("2026-11-30T16:00:00Z");

  const answer = await bench.ask(balances.compute, {
    params: { id: String(id) },
    body: { startDate: stopDate - 401 * 86_400, stopDate },
  });

  expect([answer.status, answer.attributes]).toEqual([
    422,
    { stopDate: [`the period is at most ${String(balanceLimits.days)} days`] },
  ]);
});
