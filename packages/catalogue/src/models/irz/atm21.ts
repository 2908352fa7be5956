import { defineModel } from "../../model.ts";

/** Modem with RS-232 and RS-485 in transparent client mode: dials in and sends its IMEI. */
export const atm21 = defineModel({
  kind: "gateway",
  id: 601,
  brand: "iRZ",
  title: "ATM21",
  interfaces: ["GSM_GPRS", "RS_485", "RS_232"],
  connection: "dial_in",
});
