import { defineModel } from "../../model.ts";

const converter = {
  kind: "gateway",
  brand: "Relay",
  interfaces: ["Ethernet", "M_BUS", "RS_232"],
  connection: "tcp_client",
} as const;

/**
 * Level converters for 20 and 250 M-Bus meters, connected to a serial server, to which the platform opens the
 * connection.
 */
export const pw20 = defineModel({ ...converter, id: 616, title: "PW20 (M-Bus)" });
export const pw250 = defineModel({ ...converter, id: 617, title: "PW250 (M-Bus)" });
