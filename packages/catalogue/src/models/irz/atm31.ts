import { defineModel } from "../../model.ts";

const atm = {
  kind: "gateway",
  brand: "iRZ",
  interfaces: ["GSM_GPRS", "RS_485", "RS_232"],
  connection: "dial_in",
} as const;

/**
 * 3G modems in transparent client mode; their outputs and their clock can be controlled whatever meters are
 * behind them.
 */
export const atm31a = defineModel({ ...atm, id: 223, title: "ATM31.A", isAlwaysControlled: true });
export const atm31b = defineModel({ ...atm, id: 224, title: "ATM31.B", isAlwaysControlled: true });
/** The LTE modem of the family, in transparent client mode. */
export const atm41a = defineModel({ ...atm, id: 605, title: "ATM41.A" });
