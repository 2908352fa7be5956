import type { ListViewRow } from "@metrum/contract/core";
import type { GridState } from "#ui/grid";

export type ViewState = ListViewRow["state"];

/** What a view keeps of the state of a list: all but the page and its size. */
export function viewOf({ q, sort, filters }: GridState, cols: readonly string[] | null): ViewState {
  return {
    q,
    sort: sort && { field: sort.field, desc: sort.desc },
    filters: Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, [...values]])),
    cols: cols && [...cols],
  };
}

/** Whether a list shows a view. The order of the values of a filter does not matter; a view without columns has any. */
export function isSameView(shown: ViewState, view: ViewState): boolean {
  return (
    shown.q === view.q &&
    JSON.stringify(shown.sort) === JSON.stringify(view.sort) &&
    filterText(shown) === filterText(view) &&
    (view.cols === null || shown.cols === null || shown.cols.join() === view.cols.join())
  );
}

const filterText = ({ filters }: ViewState): string =>
  Object.entries(filters)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}=${[...values].sort().join()}`)
    .sort()
    .join("&");
