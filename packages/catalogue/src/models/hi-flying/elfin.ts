import { defineModel } from "../../model.ts";

/** Wireless serial server in TCP server mode: the platform opens the connection. */
export const elfinEw11 = defineModel({
  kind: "gateway",
  id: 618,
  brand: "Hi-Flying",
  title: "Elfin-EW11",
  interfaces: ["Wi_Fi", "RS_485"],
  connection: "tcp_client",
});

/** Wired or wireless serial server, RS-232, RS-422 and RS-485, in TCP server mode. */
export const hf2211 = defineModel({
  kind: "gateway",
  id: 619,
  brand: "Hi-Flying",
  title: "HF2211",
  interfaces: ["Ethernet", "Wi_Fi", "RS_485", "RS_422", "RS_232"],
  connection: "tcp_client",
});
