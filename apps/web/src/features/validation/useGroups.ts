import type { ValidationException, ValidationKind } from "@metrum/contract/accounting";
import { useEffect, useRef, useState } from "react";
import { useIsPhone } from "#ui/grid";
import { goOn, seek, step, type Awaited, type Place, type Step, type Walk } from "./walk.ts";

interface Props {
  /** Rules that have exceptions, in the order of the screen. */
  readonly kinds: readonly ValidationKind[];
  readonly current: number | undefined;
  /** The rule of the current exception, once it is known. */
  readonly home: ValidationKind | undefined;
  /** `isFirst`: opened by the screen itself, as it was entered. */
  readonly onOpen: (id: number, isFirst: boolean) => void;
}

/** Rules that are unfolded until a person folds them. */
const unfoldedAtFirst = 2;
/** Rows of a rule: the first ones, and more on request. */
const sizes = [5, 25, 100, 1000] as const;
const [fewest, most] = [sizes[0], 1000];

/** The shown rows of a rule. */
export interface ShownRows {
  /** There are no others. */
  readonly isWhole: boolean;
  /** As asked for: not those of the answer before. */
  readonly isSettled: boolean;
}

/** Which rules are unfolded, and how many of their rows are shown. */
function useFolds(kinds: readonly ValidationKind[]) {
  const [folds, setFolds] = useState<ReadonlyMap<ValidationKind, boolean>>(new Map());
  const [shown, setShown] = useState<ReadonlyMap<ValidationKind, number>>(new Map());
  const sizeOf = (kind: ValidationKind) => shown.get(kind) ?? fewest;
  return {
    isUnfolded: (kind: ValidationKind) => folds.get(kind) ?? kinds.indexOf(kind) < unfoldedAtFirst,
    fold: (kind: ValidationKind, isOpen: boolean) =>
      setFolds((was) => new Map([...was, [kind, isOpen]] as const)),
    sizeOf,
    isLargest: (kind: ValidationKind) => sizeOf(kind) >= most,
    grow: (kind: ValidationKind) =>
      setShown(
        (was) => new Map([...was, [kind, sizes.find((each) => each > sizeOf(kind)) ?? most]] as const),
      ),
  };
}

/**
 * What is unfolded, and the rows in the order of the screen for the keys J and K, which go into folded rules and beyond
 * the shown rows too. The first exception is opened from the start, except on a phone, where the list has a screen of
 * its own; one that the address names is looked for in its rule.
 */
export function useGroups({ kinds, current, home, onOpen }: Props) {
  const isPhone = useIsPhone();
  const folds = useFolds(kinds);
  const { isUnfolded } = folds;
  const rows = useRef(new Map<ValidationKind, ShownRows & { readonly ids: readonly number[] }>());
  const awaited = useRef<Awaited | null>(null);
  const hasBegun = useRef(current !== undefined);
  const place = useRef<(Place & { readonly id: number }) | null>(null);
  const walk: Walk = {
    kinds,
    isUnfolded,
    idsOf: (kind) => (isUnfolded(kind) ? (rows.current.get(kind)?.ids ?? []) : []),
    isWhole: (kind) =>
      isUnfolded(kind) && (rows.current.get(kind)?.isWhole === true || folds.isLargest(kind)),
    open(id) {
      awaited.current = null;
      hasBegun.current = true;
      onOpen(id, false);
    },
    wait(next) {
      awaited.current = next;
      if (next === null) return;
      if (!isUnfolded(next.kind)) folds.fold(next.kind, true);
      else if (rows.current.get(next.kind)?.isSettled) folds.grow(next.kind);
    },
  };
  function remember() {
    if (current === undefined) return;
    for (const kind of kinds) {
      const at = walk.idsOf(kind).indexOf(current);
      if (at >= 0) place.current = { id: current, kind, at };
    }
  }
  useEffect(remember, [current]);

  /** The rows of a rule have arrived. */
  function note(kind: ValidationKind, list: readonly ValidationException[], state: ShownRows) {
    const ids = list.map(({ id }) => id);
    rows.current.set(kind, { ids, ...state });
    remember();
    const next = awaited.current;
    if (next?.kind === kind && state.isSettled) {
      goOn(walk, next);
      return;
    }
    const [first] = ids;
    if (hasBegun.current || isPhone || current !== undefined || kind !== kinds[0] || first === undefined)
      return;
    hasBegun.current = true;
    onOpen(first, true);
  }

  // The address has named an exception: its row is shown.
  const isNamed = useRef(current !== undefined);
  useEffect(() => {
    if (!isNamed.current || home === undefined || !kinds.includes(home)) return;
    isNamed.current = false;
    if (current !== undefined && place.current?.id !== current) seek(walk, home, current, 0);
  }, [home, kinds.join()]);

  return {
    ...folds,
    note,
    /** Opens the row beside the current one; false: there is none. */
    step(by: Step): boolean {
      const stood = place.current?.id === current ? place.current : null;
      return step(walk, { id: current, stood: stood ?? undefined, home }, by);
    },
  };
}
