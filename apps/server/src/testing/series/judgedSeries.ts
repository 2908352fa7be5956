import { sources, statuses, type FieldName, type ResourceKey } from "@metrum/vocabulary";
import type { Given, Value } from "#accounting/validation";

export const aValue = {
  msgType: 100,
  status: statuses.measured.id,
  source: sources.polled,
  receivedAt: 0,
  meterAt: null,
} as const;

export const valueAt = (field: FieldName, ts: number, value: number): Value => ({
  ...aValue,
  field,
  ts,
  value,
});

/** Readings of a counter at these instants, by its consumption from each to the next. */
export function counterOf(
  times: readonly number[],
  amountOf: (from: number, to: number) => number,
  field: FieldName = "tariff0",
): Value[] {
  let level = 0;
  return times.map((ts, at) => {
    const before = times[at - 1];
    if (before !== undefined) level = Number((level + amountOf(before, ts)).toFixed(9));
    return valueAt(field, ts, level);
  });
}

/** What rules judge, with a main register and nothing else. */
export function givenOf(
  main: readonly Value[],
  more: Partial<Given> & { readonly resource?: ResourceKey } = {},
): Given {
  const [first, last] = [main[0], main.at(-1)];
  const field = first?.field ?? "tariff0";
  return {
    resource: "electricity",
    zone: "UTC",
    now: last?.ts ?? 0,
    field,
    span: { from: first?.ts ?? 0, to: last?.ts ?? 0 },
    ratio: 1,
    siblings: [],
    known: [],
    rangeOf: () => ({ capacity: undefined, start: 0 }),
    clock: [],
    ...more,
    levels: new Map([[field, main], ...(more.levels ?? [])]),
  };
}

/** The midnight that days of `dailyOf` begin at. */
export const firstMidnight = 1_790_035_200;
export const midnight = (days: number): number => firstMidnight + days * 86_400;

/** A counter read at every midnight, by its consumption of each day. */
export const dailyOf = (
  amounts: readonly number[],
  more: Partial<Given> & { readonly resource?: ResourceKey } = {},
): Given =>
  givenOf(
    counterOf(
      [0, ...amounts].map((_, at) => midnight(at)),
      (from) => amounts[(from - firstMidnight) / 86_400] ?? 0,
    ),
    more,
  );

/** The same with some of the values of a field changed. */
export const changed = (
  given: Given,
  change: (value: Value) => Partial<Value>,
  field: FieldName = given.field,
): Given => ({
  ...given,
  levels: new Map([
    ...given.levels,
    [field, (given.levels.get(field) ?? []).map((value) => ({ ...value, ...change(value) }))],
  ]),
});
