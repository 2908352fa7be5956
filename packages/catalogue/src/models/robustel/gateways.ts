import { defineModel } from "../../model.ts";

const robustel = {
  kind: "gateway",
  brand: "Robustel",
  interfaces: ["GSM_GPRS", "RS_485", "RS_232"],
  connection: "dial_in",
} as const;

/**
 * Modem and router with serial ports in TCP client mode: dials in and identifies itself by its configured
 * heartbeat.
 */
export const m1000 = defineModel({ ...robustel, id: 609, title: "M1000 Xp" });
export const r1520 = defineModel({ ...robustel, id: 610, title: "R1520" });
