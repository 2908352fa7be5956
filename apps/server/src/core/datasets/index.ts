export { datasetOf, type Dataset } from "./dataset.ts";
export { isField, schemasAt, valueAt } from "./fields.ts";
export { totalsOf, totalText, type TotalLine } from "./totals.ts";
