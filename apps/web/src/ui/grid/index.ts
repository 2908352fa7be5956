export { BulkButton } from "./BulkButton.tsx";
export { ColumnChooser } from "./ColumnChooser.tsx";
export { Grid, type GridProps } from "./Grid.tsx";
export type { GridBulk, GridPaging, GridWhole } from "./GridFooter.tsx";
export { useListProps, useListState, useQueryProps, type ListState } from "./list.ts";
export { memoryOf, useGridMemory } from "./memory.ts";
export { compareValues, sortRows, type SortValue } from "./sort.ts";
export {
  isFiltered,
  nextSort,
  pageSizes,
  readGridState,
  shownColumns,
  sortText,
  writeGridState,
  type GridDefaults,
  type GridMemory,
  type GridSort,
  type GridState,
} from "./state.ts";
export type { GridColumn, GridStatus } from "./types.ts";
export { useDrawnRows } from "./drawnRows.ts";
export { useIsPhone } from "./useIsPhone.ts";
