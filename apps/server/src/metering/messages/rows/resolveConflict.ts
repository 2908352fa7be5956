import { sources, statuses } from "@metrum/vocabulary";
import { isTrusted, worstStatus, worthOf, type ByField, type ValueOrigin } from "./trust.ts";
import type { FieldSet, Row } from "./types.ts";

/** A row as stored, or as an earlier reading of the same batch has left it. */
export interface Standing {
  readonly meterAt: number | null;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly set: FieldSet;
  readonly v: readonly (number | null)[];
  readonly by_field: ByField | null;
  readonly extra: string | null;
}

/**
 * Effect of a second reading of the same device, type and time on the first; both are in the order of one
 * set.
 */
export interface Verdict {
  /**
   * repeated: nothing new. completed: fields were added. replaced: values or their origin. refused: nothing
   * was accepted.
   */
  readonly kind: "repeated" | "completed" | "replaced" | "refused";
  /** The resulting row. */
  readonly row: Standing;
  /**
   * Values of the newcomer of lower rank than the stored ones, null elsewhere; undefined when there are none
   * to keep.
   */
  readonly refused: readonly (number | null)[] | undefined;
}

type Fate = "kept" | "added" | "replaced" | "lifted" | "refused";

/**
 * Value by value: an equal one is absorbed, unless a user has set a better status; of two different ones that
 * of higher or equal rank wins; a field that the newcomer lacks, or that its meter did not keep, stays as it
 * is. Each value keeps its own status, source and receipt.
 */
export function resolveConflict(standing: Standing, next: Row): Verdict {
  if (replacesAll(standing, next))
    return { kind: "replaced", row: wholeOf(standing, next), refused: undefined };
  if (refusesAll(standing, next))
    return {
      kind: "refused",
      row: standing,
      refused: next.source === sources.calculated ? undefined : next.v,
    };
  // Calculated values never enter a measured row, not even as additional fields, but for those of entered ones.
  const isOutranked = next.source === sources.calculated && isBelow(standing, next);
  const fates = next.set.fields.map((_, at) => fateOf({ standing, next, at, isOutranked }));
  const has = (...wanted: Fate[]): boolean => fates.some((fate) => wanted.includes(fate));
  const refused =
    has("refused") && next.source !== sources.calculated
      ? next.v.map((value, at) => (fates[at] === "refused" ? value : null))
      : undefined;
  if (!has("added", "replaced", "lifted"))
    return { kind: has("refused") ? "refused" : "repeated", row: standing, refused };
  const isReplaced = has("replaced", "lifted");
  return { kind: isReplaced ? "replaced" : "completed", row: united(standing, next, fates), refused };
}

/**
 * Every value is different and may replace the stored one: true of nearly all replaced rows, and quick to
 * check.
 */
function replacesAll(standing: Standing, next: Row): boolean {
  if (standing.by_field !== null || next.by_field !== null || next.isDecodedAgain) return false;
  if (worthOf(next) < worthOf(standing) || isSecond(standing, next)) return false;
  let isOverwritten = false;
  for (let at = 0; at < next.v.length; at++) {
    const [before, value] = [standing.v[at] ?? null, next.v[at] ?? null];
    if (value === null || value === before) return false;
    if (before !== null) isOverwritten = true;
  }
  return isOverwritten;
}

/** Every value is different and of lower rank than the stored one. */
function refusesAll(standing: Standing, next: Row): boolean {
  if (standing.by_field !== null || next.by_field !== null) return false;
  if (worthOf(next) >= worthOf(standing)) return false;
  for (let at = 0; at < next.v.length; at++) {
    const [before, value] = [standing.v[at] ?? null, next.v[at] ?? null];
    if (value === null || before === null || value === before) return false;
  }
  return next.v.length > 0;
}

function wholeOf({ extra }: Standing, next: Row): Standing {
  if (next.extra !== null || extra === null) return next;
  const { meterAt, receivedAt, status, source, set, v } = next;
  return { meterAt, receivedAt, status, source, set, v, by_field: null, extra };
}

interface Pair {
  readonly standing: Standing;
  readonly next: Row;
  readonly at: number;
  readonly isOutranked: boolean;
}

function fateOf({ standing, next, at, isOutranked }: Pair): Fate {
  const [before, value] = [standing.v[at] ?? null, next.v[at] ?? null];
  if (value === null) return "kept";
  if (before === null) return isOutranked ? "refused" : "added";
  const [own, other] = [originAt(standing, at), originAt(next, at)];
  const isHeld = next.isDecodedAgain && isOfAPerson(own, standing);
  if (value !== before) return isHeld || counts(own, other) ? "refused" : "replaced";
  if (next.isVerdict) return statusFate(own, other);
  // An equal value of higher rank counts as measured from now on; but a mere retry clears neither suspicion
  // nor rejection.
  const isBetter = !isHeld && worthOf(other) > worthOf(own);
  return isBetter && (next.isDecided || isTrusted(own.status)) ? "lifted" : "kept";
}

/** Whether a value counts before a different one that comes after it. */
const counts = (own: ValueOrigin, other: ValueOrigin): boolean =>
  worthOf(other) < worthOf(own) || isSecond(own, other);

type Said = Pick<ValueOrigin, "status" | "source">;

/**
 * Whether a measured value does not take the place of a different one, in whichever order they arrive: what was polled
 * counts before what was pushed, and that before what was imported.
 */
export function isSecond(standing: Said, next: Said): boolean {
  if (!isMeasured(standing) || !isMeasured(next)) return false;
  const [own, other] = [order[standing.source], order[next.source]];
  return own !== undefined && other !== undefined && other > own;
}

const isMeasured = ({ status }: Said): boolean =>
  status === statuses.measured.id || status === statuses.late.id;

const order: Readonly<Record<number, number>> = {
  [sources.polled]: 1,
  [sources.pushed]: 2,
  [sources.imported]: 3,
};

/** A verdict on an equal value. */
const statusFate = (own: ValueOrigin, other: ValueOrigin): Fate =>
  other.status === own.status ? "kept" : "lifted";

/** Entered or corrected values, unless the correction came from re-decoding a payload. */
function isOfAPerson(value: ValueOrigin, { extra }: Standing): boolean {
  if (value.source === sources.manual || value.status === statuses.manual.id) return true;
  return (
    value.status === statuses.corrected.id && !(value.source === sources.pushed && isDecodedAgain(extra))
  );
}

/** Rows from a re-decoded payload are marked, so that a third decoding may replace the second. */
export const decodedAgain = { decoded_again: true } as const;
const isDecodedAgain = (extra: string | null): boolean => /"decoded_again": ?true/.test(extra ?? "");

/** Origin of the value at a position: its own if it differs, else that of the row. */
export function originAt(row: Omit<Standing, "meterAt" | "extra">, at: number): ValueOrigin {
  const name = row.set.fields[at];
  const own = name === undefined ? undefined : row.by_field?.[name];
  return own ?? { status: row.status, source: row.source, received_at: row.receivedAt };
}

/** Calculated of values that a person has entered with them, confirmed or not. */
const isOfEntered = ({ source, status }: Pick<Row, "source" | "status">): boolean =>
  source === sources.calculated &&
  (status === statuses.manual.id || status === statuses.suspect.id || status === statuses.corrected.id);

/** Whether calculated values may not even be added to a row. */
function isBelow(standing: Standing, next: Row): boolean {
  if (!isOfEntered(next)) return worthOf(next) < worthOf(standing);
  return standing.status === statuses.corrected.id && next.status !== statuses.corrected.id;
}

/** The row with all known values. Stamp, source and receipt are those of the overwriting row. */
function united(standing: Standing, next: Row, fates: readonly Fate[]): Standing {
  const isTaken = (at: number): boolean => fates[at] !== "kept" && fates[at] !== "refused";
  const isReplaced = fates.some((fate) => fate === "replaced" || fate === "lifted");
  const head = isReplaced && !isOfEntered(next) ? next : standing;
  const v = next.v.map((value, at) => (isTaken(at) ? value : (standing.v[at] ?? null)));
  const origins = v.map((value, at) =>
    value === null ? undefined : originAt(isTaken(at) ? next : standing, at),
  );
  return {
    meterAt: head.meterAt,
    receivedAt: head.receivedAt,
    source: head.source,
    extra: next.extra ?? standing.extra,
    set: next.set,
    v,
    ...settled(head, next.set, origins),
  };
}

/** The row gets the most severe status; values of another origin are listed. */
function settled(
  head: Pick<Standing, "status" | "source" | "receivedAt">,
  set: FieldSet,
  origins: readonly (ValueOrigin | undefined)[],
): Pick<Standing, "status" | "by_field"> {
  const status = worstStatus(origins.flatMap((origin) => origin?.status ?? [])) ?? head.status;
  const different = set.fields.flatMap((name, at) => {
    const origin = origins[at];
    if (!origin) return [];
    const isOfRow =
      origin.status === status && origin.source === head.source && origin.received_at === head.receivedAt;
    return isOfRow ? [] : [[name, origin] as const];
  });
  return { status, by_field: different.length > 0 ? Object.fromEntries(different) : null };
}
