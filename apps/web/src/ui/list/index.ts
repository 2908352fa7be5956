export { many, type Chip } from "./chips.tsx";
export { columnsOf } from "./columns.tsx";
export { choice, only, search, segments } from "./filters.tsx";
export { ListView } from "./ListView.tsx";
export { pageInput } from "./pageInput.ts";
export { period } from "./period.tsx";
export type { Words } from "./types.ts";
export { useChoosing } from "./useChoosing.tsx";
export { defineList, defineRows, useList, useListOf } from "./useList.ts";
