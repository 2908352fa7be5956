import { defineModel } from "../../model.ts";

/**
 * Level converter for up to 60 M-Bus meters, connected to a serial server, to which the platform opens the
 * connection.
 */
export const pw60 = defineModel({
  kind: "gateway",
  id: 604,
  brand: "Relay",
  title: "PW60 (M-Bus)",
  interfaces: ["Ethernet", "M_BUS", "RS_232"],
  connection: "tcp_client",
});
