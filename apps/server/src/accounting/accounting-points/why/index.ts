export { type ClosedBill, type ClosedBills, closedBills } from "./closedBills.ts";
export { historyOf } from "./history.ts";
export { monthsTable } from "./months.ts";
export { whyTotal } from "./why.ts";
