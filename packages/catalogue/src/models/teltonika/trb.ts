import { defineModel } from "../../model.ts";

/** LTE gateway with one RS-485, "Over IP" in client mode: dials in. */
export const trb145 = defineModel({
  kind: "gateway",
  id: 611,
  brand: "Teltonika",
  title: "TRB145",
  interfaces: ["GSM_GPRS", "RS_485"],
  connection: "dial_in",
});

/** LTE gateway with one RS-232, "Over IP" in client mode: dials in. */
export const trb142 = defineModel({
  kind: "gateway",
  id: 612,
  brand: "Teltonika",
  title: "TRB142",
  interfaces: ["GSM_GPRS", "RS_232"],
  connection: "dial_in",
});
