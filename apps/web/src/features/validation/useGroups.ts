import type { ValidationException, ValidationKind } from "@metrum/contract";
import { useRef, useState } from "react";
import { useIsPhone } from "#ui/grid";

interface Props {
  /** Rules that have exceptions, in the order of the screen. */
  readonly kinds: readonly ValidationKind[];
  readonly current: number | undefined;
  /** `isFirst`: opened by the screen itself, as it was entered. */
  readonly onOpen: (id: number, isFirst: boolean) => void;
}

type Step = 1 | -1;

/** Rules that are unfolded until a person folds them. */
const unfoldedAtFirst = 2;

/**
 * What is unfolded, and the rows in the order of the screen for the keys J and K, which go into folded rules too. The
 * first exception is opened from the start, except on a phone, where the list has a screen of its own.
 */
export function useGroups({ kinds, current, onOpen }: Props) {
  const isPhone = useIsPhone();
  const rows = useRef(new Map<ValidationKind, readonly number[]>());
  const [folds, setFolds] = useState<ReadonlyMap<ValidationKind, boolean>>(new Map());
  /** A rule that was unfolded by a key: opened at this end when its rows arrive. */
  const awaited = useRef<{ readonly kind: ValidationKind; readonly by: Step } | null>(null);
  const hasBegun = useRef(current !== undefined);
  const isUnfolded = (kind: ValidationKind) => folds.get(kind) ?? kinds.indexOf(kind) < unfoldedAtFirst;
  const fold = (kind: ValidationKind, isOpen: boolean) =>
    setFolds((was) => new Map([...was, [kind, isOpen]] as const));

  function note(kind: ValidationKind, shown: readonly ValidationException[]) {
    const ids = shown.map(({ id }) => id);
    rows.current.set(kind, ids);
    const by = awaited.current?.kind === kind ? awaited.current.by : undefined;
    const isFirst = !hasBegun.current && !isPhone && current === undefined && kind === kinds[0];
    const next = by === undefined && !isFirst ? undefined : ids.at(by === -1 ? -1 : 0);
    if (next === undefined) return;
    awaited.current = null;
    hasBegun.current = true;
    onOpen(next, isFirst);
  }

  /** Opens the row beside the current one; false: there is none. */
  function step(by: Step): boolean {
    const of = (kind: ValidationKind) => (isUnfolded(kind) ? (rows.current.get(kind) ?? []) : []);
    const at = kinds.findIndex((kind) => current !== undefined && of(kind).includes(current));
    const own = kinds[at];
    const beside = own === undefined ? undefined : of(own)[of(own).indexOf(current ?? 0) + by];
    const others = at < 0 ? kinds : by > 0 ? kinds.slice(at + 1) : kinds.slice(0, at).toReversed();
    const other = others.find((kind) => !isUnfolded(kind) || of(kind).length > 0);
    const next = beside ?? (other === undefined ? undefined : of(other).at(by > 0 || at < 0 ? 0 : -1));
    if (next !== undefined) onOpen(next, false);
    else if (other !== undefined) {
      awaited.current = { kind: other, by: at < 0 ? 1 : by };
      fold(other, true);
    }
    return next !== undefined || other !== undefined;
  }

  return { isUnfolded, fold, note, step };
}
