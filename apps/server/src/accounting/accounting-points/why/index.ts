export { closedBills, type ClosedBill, type ClosedBills } from "./closedBills.ts";
export { historyOf } from "./history.ts";
export { monthsTable } from "./months.ts";
export { whyTotal } from "./why.ts";
