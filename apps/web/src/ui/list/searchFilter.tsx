import { useCallback } from "react";
import { SearchBox } from "#ui/search";
import type { FilterProps, ListFilter } from "./types.ts";

/** A search text; sent from a minimum length on. */
export function search<Context>(label: string, from = 0): ListFilter<Context> {
  function Search({ state, change, context }: FilterProps<Context>) {
    const onSearch = useCallback((q: string) => change({ q }), [change]);
    return <SearchBox label={context.t(label)} value={state.q} onSearch={onSearch} from={from} />;
  }
  return { ids: [], Draw: Search };
}
