import { useMatch, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { reasonOf, type ApiError } from "#lib/call";
import { useGridMemory } from "./memory.ts";
import {
  isFiltered,
  nextSort,
  readGridState,
  sortText,
  writeGridState,
  type GridDefaults,
  type GridState,
} from "./state.ts";
import type { GridStatus } from "./types.ts";

type Memory = ReturnType<typeof useGridMemory>;

/** A list whose search, filters, sort, page and columns are kept in the address. */
export interface ListState extends Memory {
  readonly state: GridState;
  readonly change: (next: Partial<GridState>, replace?: boolean) => void;
  /** No search and no filter. */
  readonly reset: () => void;
  readonly sizes: readonly number[] | undefined;
}

const noMemory: Memory = { memory: {}, remember: () => undefined };

/** The user's changes are stored under the name of the table; without a name only the address has them. */
export function useListState(table: string | undefined, defaults: GridDefaults): ListState {
  const kept = useGridMemory(table ?? "");
  const { memory, remember } = table === undefined ? noMemory : kept;
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname.replace(/\/$/, "") });
  const state = useMemo(() => readGridState(search, defaults, memory), [search, defaults, memory]);
  const change = useCallback(
    (next: Partial<GridState>, replace = true) => {
      // The search is written with a delay: by then the page may be navigating away.
      if (!router.latestLocation.pathname.startsWith(own)) return;
      void navigate({ to: ".", search: writeGridState(search, next, defaults, memory), replace });
    },
    [defaults, memory, navigate, own, router, search],
  );
  const reset = useCallback(() => change({ q: "", filters: {} }), [change]);
  return { state, memory, change, remember, reset, sizes: defaults.sizes };
}

interface Query {
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
  readonly data: unknown;
  readonly error: ApiError | null;
  readonly refetch: () => Promise<unknown>;
}

/** The part of the call's state that a table shows. */
export function useQueryProps(query: Query) {
  const status: GridStatus = query.isPending ? "loading" : query.error && !query.data ? "error" : "ready";
  return {
    status,
    isRefetching: query.isPlaceholderData,
    error: reasonOf(query.error),
    onRetry: () => void query.refetch(),
  };
}

/** Properties a table needs to show one page of a list and to change pages. */
export function useListProps(list: ListState, query: Query, total = 0) {
  const { state, memory, change, remember, reset, sizes } = list;
  const { sort, page, size } = state;
  return {
    ...useQueryProps(query),
    ...(memory.widths ? { widths: memory.widths } : {}),
    onWidths: (widths: Readonly<Record<string, number>>) => remember({ widths }),
    sort,
    onSort: (field: string) => {
      const next = nextSort(sort, field);
      remember({ sort: sortText(next) });
      change({ sort: next });
    },
    onResetFilters: isFiltered(state) ? reset : undefined,
    listKey: JSON.stringify([state.q, sort, page, size, state.filters]),
    paging: {
      page,
      size,
      total,
      ...(sizes ? { sizes } : {}),
      onPage: (to: number) => change({ page: to }, false),
      onSize: (to: number) => {
        remember({ size: to });
        change({ size: to });
      },
    },
  };
}
