import { defineModel } from "../../model.ts";

/** Modem with RS-485 in transparent client mode: dials in and sends its IMEI. */
export const wrx708 = defineModel({
  kind: "gateway",
  id: 602,
  brand: "TELEOFIS",
  title: "WRX708-R4",
  interfaces: ["GSM_GPRS", "RS_485"],
  connection: "dial_in",
});
