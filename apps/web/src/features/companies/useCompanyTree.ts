import { useQueries } from "@tanstack/react-query";
import { companies, type CompanyInTree } from "@metrum/contract/access";
import { useCallback, useMemo, useState } from "react";
import { callOptions, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import type { GridState } from "#ui/grid";
import { isTree, listBody, treeRows, type Opened, type TreeRow } from "./companies.ts";

/** Companies directly below one that are requested at once; the grid renders those in sight. */
const mostBelow = 10_000;

/**
 * The page of companies that the address requests: a tree whose branches are loaded when they are expanded,
 * or a flat list while a filter is set. Counts come from the server; nothing is added up here.
 */
export function useCompanyTree(state: GridState) {
  const { company: own } = useSession();
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(() => new Map());
  const hasTree = isTree(state);
  const input = useMemo(
    () => ({ body: listBody(state, hasTree ? own.id : undefined) }),
    [state, hasTree, own.id],
  );
  const query = useCall(companies.list, input, { keepsPrevious: true, isQuiet: true });
  const open = useMemo(
    () => new Set([own.id, ...changed.keys()].filter((id) => changed.get(id) ?? id === own.id)),
    [changed, own.id],
  );
  const expanded = useMemo(() => [...open].filter((id) => id !== own.id), [open, own.id]);
  const opened = useQueries({
    queries: expanded.map((id) =>
      callOptions(
        companies.list,
        { body: { ...listBody({ ...state, page: 1, size: mostBelow }, id) } },
        { isEnabled: hasTree },
      ),
    ),
    combine: useCallback(
      (
        answers: readonly {
          readonly data?: { readonly companies: { readonly data: CompanyInTree[] } } | undefined;
        }[],
      ) => answers.map(({ data }) => data?.companies.data),
      [],
    ),
  });
  const rows = useMemo((): readonly TreeRow[] => {
    const found = query.data?.companies.data ?? [];
    const parent = query.data?.parent ?? null;
    if (!hasTree || parent === null)
      return found.map((company) => ({ company, level: 0, isOwn: company.id === own.id, isOpen: null }));
    const below: Opened = Object.fromEntries([
      [own.id, found],
      ...expanded.map((id, at) => [id, opened[at]] as const),
    ]);
    return treeRows([parent], { open, below, ownId: own.id });
  }, [query.data, hasTree, own.id, expanded, opened, open]);
  const toggle = useCallback(({ company, isOpen }: TreeRow) => {
    if (isOpen !== null) setChanged((old) => new Map([...old, [company.id, !isOpen]]));
  }, []);
  return {
    query,
    rows,
    toggle,
    total: query.data?.companies.total ?? 0,
    /** The own company is the root of every page of the tree. */
    rowsAbove: hasTree && rows[0]?.isOwn === true ? 1 : 0,
    states: query.data?.states,
  };
}
