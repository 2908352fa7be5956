import type { ValidationKind } from "@metrum/contract/accounting";

export type Step = 1 | -1;

/** What is done when the rows of a rule arrive. */
export type Awaited = { readonly kind: ValidationKind } & (
  | { readonly does: "enter"; readonly by: Step }
  | { readonly does: "openAt"; readonly at: number; readonly by: Step }
  /** An exception is looked for; with a step of 0 it is only shown. */
  | { readonly does: "seek"; readonly id: number; readonly by: Step | 0 }
);

/** The list through which the keys walk. */
export interface Walk {
  /** Rules in the order of the screen. */
  readonly kinds: readonly ValidationKind[];
  readonly isUnfolded: (kind: ValidationKind) => boolean;
  /** Exceptions of the shown rows. */
  readonly idsOf: (kind: ValidationKind) => readonly number[];
  /** All rows of a rule are shown. */
  readonly isWhole: (kind: ValidationKind) => boolean;
  readonly open: (id: number) => void;
  /** Unfolds a rule or shows more of its rows, and goes on when they arrive; null: there is nothing to wait for. */
  readonly wait: (next: Awaited | null) => void;
}

/** Opens a row of a rule, or goes on into the next rule. False: there is none. */
function openAt(walk: Walk, kind: ValidationKind, at: number, by: Step): boolean {
  const { kinds, idsOf, isWhole, open, wait } = walk;
  const next = at < 0 ? undefined : idsOf(kind)[at];
  const own = kinds.indexOf(kind);
  if (next !== undefined) open(next);
  else if (by > 0 && !isWhole(kind)) wait({ kind, does: "openAt", at, by });
  else return enter(walk, by > 0 ? kinds.slice(own + 1) : kinds.slice(0, own).toReversed(), by);
  return true;
}

/** Opens the first or the last row of the next of these rules. */
function enter(walk: Walk, among: readonly ValidationKind[], by: Step): boolean {
  const kind = among.find((each) => !walk.isUnfolded(each) || walk.idsOf(each).length > 0);
  if (kind === undefined) return false;
  const next = walk.idsOf(kind).at(by > 0 ? 0 : -1);
  if (next === undefined) walk.wait({ kind, does: "enter", by });
  else walk.open(next);
  return true;
}

/** Looks for an exception in its rule, and goes on from there. One that the filter leaves out has no neighbours. */
export function seek(walk: Walk, kind: ValidationKind, id: number, by: Step | 0): boolean {
  const at = walk.idsOf(kind).indexOf(id);
  if (at < 0 && !walk.isWhole(kind)) {
    walk.wait({ kind, does: "seek", id, by });
    return true;
  }
  walk.wait(null);
  if (by === 0) return true;
  return at < 0 ? enter(walk, [kind, ...walk.kinds], 1) : openAt(walk, kind, at + by, by);
}

/** The rows that were awaited are there. */
export function goOn(walk: Walk, next: Awaited): void {
  if (next.does === "seek") seek(walk, next.kind, next.id, next.by);
  else if (next.does === "openAt") openAt(walk, next.kind, next.at, next.by);
  else if (walk.idsOf(next.kind).length > 0) enter(walk, [next.kind], next.by);
}

/** Where an exception stood in its rule: a decided one leaves the list. */
export interface Place {
  readonly kind: ValidationKind;
  readonly at: number;
}

interface From {
  readonly id: number | undefined;
  readonly stood: Place | undefined;
  /** Its rule, once it is known. */
  readonly home: ValidationKind | undefined;
}

/** Opens the row beside an exception; without one the first row. False: there is none. */
export function step(walk: Walk, { id, stood, home }: From, by: Step): boolean {
  const { kinds, idsOf } = walk;
  const own = id === undefined ? undefined : kinds.find((kind) => idsOf(kind).includes(id));
  if (id === undefined) return enter(walk, kinds, 1);
  if (own !== undefined) return openAt(walk, own, idsOf(own).indexOf(id) + by, by);
  if (stood && kinds.includes(stood.kind))
    return openAt(walk, stood.kind, by > 0 ? stood.at : stood.at - 1, by);
  if (!stood && home !== undefined && kinds.includes(home)) return seek(walk, home, id, by);
  return enter(walk, kinds, 1);
}
