import { defineModel } from "../../model.ts";

const wrx = {
  kind: "gateway",
  brand: "TELEOFIS",
  interfaces: ["GSM_GPRS", "RS_485"],
  connection: "dial_in",
} as const;

/** Modems for meters in transparent client mode: dial in and send their IMEI. */
export const wrx768 = defineModel({ ...wrx, id: 606, title: "WRX768-R4U" });
export const wrx768l = defineModel({ ...wrx, id: 607, title: "WRX768-L4U" });
export const rx608 = defineModel({ ...wrx, id: 608, title: "RX608-L4U" });
