import { fields, type FieldName } from "@metrum/vocabulary";
import { decimalOf, microOf, microScale, numberOf, unitsAt } from "#core";
import { growth, higherOf, type CounterRange, type Point } from "../growth/index.ts";
import { worstStatus } from "../rows/index.ts";

/** A term of a virtual field: a field of another device times a coefficient of at most three decimals. */
export interface Term {
  readonly deviceId: number;
  readonly field: FieldName;
  readonly coefficient: number;
}

export type VirtualFields = ReadonlyMap<FieldName, readonly Term[]>;

/** A row of a source: its trusted values, with their status. */
export interface SourceRow {
  readonly deviceId: number;
  readonly msgType: number;
  readonly ts: number;
  readonly values: ReadonlyMap<FieldName, { readonly value: number; readonly status: number }>;
}

export interface VirtualRow {
  readonly msgType: number;
  readonly ts: number;
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
  readonly status: number;
}

/** A stored value of a virtual counter from which the computation goes on. */
export interface Resumed {
  readonly ts: number;
  readonly msgType: number;
  readonly value: number;
}

/** Exact sums: readings have six decimals, coefficients three. */
const coefficientScale = 3;
const sumScale = 1_000n;

const milli = (value: number): bigint => unitsAt(decimalOf(value), coefficientScale);
const valueOf = (sum: bigint): number =>
  numberOf(unitsAt({ units: sum, scale: microScale + coefficientScale }, microScale));

const keyOf = (deviceId: number, field: FieldName): string => `${String(deviceId)} ${field}`;

type RangeOf = (deviceId: number, field: FieldName) => CounterRange;

/** The last trusted reading of a counter, and the value from which its growth is counted: noise does not lower it. */
interface Last extends Point {
  readonly read: number;
}

/** What the sums of a virtual device know at an instant. */
export interface VirtualState {
  readonly of: VirtualFields;
  readonly resumed: ReadonlyMap<FieldName, Resumed>;
  readonly last: Map<string, Last>;
  /** What a virtual counter has more than the sum of the present readings, exactly. */
  readonly surplus: Map<FieldName, bigint>;
  /** Virtual fields that a counter is in. */
  readonly usedBy: ReadonlyMap<string, readonly FieldName[]>;
}

/** Before the first instant. */
export function virtualStart(of: VirtualFields, resumed: VirtualState["resumed"]): VirtualState {
  const usedBy = new Map<string, FieldName[]>();
  for (const [name, terms] of of)
    for (const { deviceId, field } of terms) {
      const key = keyOf(deviceId, field);
      usedBy.set(key, [...(usedBy.get(key) ?? []), name]);
    }
  return { of, resumed, last: new Map(), surplus: new Map(), usedBy };
}

/**
 * Computes the rows of a virtual device, instant by instant in order, and the state after them. A counter is the sum of
 * the growths of its sources, so that a rollover of one is consumption and no fall. It begins with the sum of their
 * readings; a reset of a source, after which the consumption is unknown, begins it anew at zero, so that whoever
 * subtracts its readings sees a reset too. Message types share one timeline.
 */
export function virtualRows(
  before: VirtualState,
  rangeOf: RangeOf,
  instants: readonly (readonly SourceRow[])[],
): { readonly rows: VirtualRow[]; readonly state: VirtualState } {
  const state = { ...before, last: new Map(before.last), surplus: new Map(before.surplus) };
  const rows = instants.flatMap((instant) => {
    follow(state, rangeOf, instant);
    const types = [...new Set(instant.map(({ msgType }) => msgType))];
    return types.flatMap(
      (type) =>
        rowOf(
          state,
          type,
          instant.filter(({ msgType }) => msgType === type),
        ) ?? [],
    );
  });
  return { rows, state };
}

/** Takes the new readings of counters: rollovers raise the surplus, resets begin anew. */
function follow(state: VirtualState, rangeOf: RangeOf, rows: readonly SourceRow[]): void {
  const { last, usedBy, surplus } = state;
  const seen = new Set<string>();
  const reset = new Set<FieldName>();
  for (const { deviceId, ts, values } of rows.toSorted((a, b) => a.msgType - b.msgType))
    for (const [field, { value, status }] of values) {
      const key = keyOf(deviceId, field);
      const users = usedBy.get(key);
      if (!users || seen.has(key) || fields[field].kind !== "counter") continue;
      seen.add(key);
      const [before, now] = [last.get(key), { ts, value, status, read: value }];
      last.set(key, higherOf(before, now));
      if (before === undefined) continue;
      const by = growth(before, now, rangeOf(deviceId, field));
      if (by === null) for (const name of users) reset.add(name);
      else raise(state, key, microOf(by) - microOf(value) + microOf(before.read));
    }
  for (const name of reset) if (surplus.has(name)) surplus.set(name, -sumOfLast(state, name));
}

function raise({ of, surplus, usedBy }: VirtualState, key: string, rolled: bigint): void {
  if (rolled === 0n) return;
  for (const name of usedBy.get(key) ?? [])
    for (const { deviceId, field, coefficient } of of.get(name) ?? []) {
      const known = surplus.get(name);
      if (known === undefined || keyOf(deviceId, field) !== key) continue;
      surplus.set(name, known + rolled * milli(coefficient));
    }
}

function sumOfLast({ of, last }: VirtualState, name: FieldName): bigint {
  let sum = 0n;
  for (const { deviceId, field, coefficient } of of.get(name) ?? [])
    sum += microOf(last.get(keyOf(deviceId, field))?.read ?? 0) * milli(coefficient);
  return sum;
}

/** A field has a value where all its sources have a trusted one; a row without fields is none. */
function rowOf(state: VirtualState, msgType: number, rows: readonly SourceRow[]): VirtualRow | undefined {
  const ts = rows[0]?.ts ?? 0;
  const values: Partial<Record<FieldName, number>> = {};
  const inputs: number[] = [];
  for (const [name, terms] of state.of) {
    const taken = terms.flatMap((term) => {
      const input = rows.find(({ deviceId }) => deviceId === term.deviceId)?.values.get(term.field);
      return input ? [{ ...input, coefficient: term.coefficient }] : [];
    });
    if (taken.length < terms.length) continue;
    const sum = taken.reduce((all, { value, coefficient }) => all + microOf(value) * milli(coefficient), 0n);
    const isCounter = fields[name].kind === "counter";
    values[name] = valueOf(isCounter ? sum + surplusAt(state, name, { ts, msgType, sum }) : sum);
    inputs.push(...taken.map(({ status }) => status));
  }
  const status = worstStatus(inputs);
  return status === undefined ? undefined : { msgType, ts, values, status };
}

/** Begins with the sum of the readings, or goes on from what is stored. */
function surplusAt(
  { surplus, resumed }: VirtualState,
  name: FieldName,
  { ts, msgType, sum }: { readonly ts: number; readonly msgType: number; readonly sum: bigint },
): bigint {
  const known = surplus.get(name);
  if (known !== undefined) return known;
  const stored = resumed.get(name);
  const isThere = stored?.ts === ts && stored.msgType === msgType;
  if (stored && ts <= stored.ts && !isThere) return 0n;
  const begun = stored && isThere ? microOf(stored.value) * sumScale - sum : 0n;
  surplus.set(name, begun);
  return begun;
}
