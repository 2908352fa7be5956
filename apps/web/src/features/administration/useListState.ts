import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import {
  readGridState,
  useGridMemory,
  writeGridState,
  type GridDefaults,
  type GridMemory,
  type GridState,
} from "#ui/grid";

export interface ListState {
  readonly state: GridState;
  readonly memory: GridMemory;
  readonly change: (next: Partial<GridState>, replace?: boolean) => void;
  readonly remember: ReturnType<typeof useGridMemory>["remember"];
}

/** Search, sort and page of a table of the administration: they live in the address. */
export function useListState(table: string, defaults: GridDefaults): ListState {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { memory, remember } = useGridMemory(table);
  const state = useMemo(() => readGridState(search, defaults, memory), [search, defaults, memory]);
  const change = useCallback(
    (next: Partial<GridState>, replace = true) => {
      void navigate({ to: ".", search: writeGridState(search, next, defaults, memory), replace });
    },
    [defaults, memory, navigate, search],
  );
  return { state, memory, change, remember };
}

/** The part of a list call that every list understands. */
export function pageOf({ q, page, size, sort }: GridState) {
  return {
    page,
    per_page: size,
    ...(sort ? { sort: sort.desc ? ("desc" as const) : ("asc" as const) } : {}),
    ...(q.trim() === "" ? {} : { search_string: q.trim() }),
  };
}
