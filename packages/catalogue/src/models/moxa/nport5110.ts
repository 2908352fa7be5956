import { defineModel } from "../../model.ts";

/**
 * Serial server in TCP server mode: the platform opens the connection; its RS-232 carries a meter or a
 * converter.
 */
export const nport5110 = defineModel({
  kind: "gateway",
  id: 603,
  brand: "Moxa",
  title: "NPort 5110",
  interfaces: ["Ethernet", "RS_232"],
  connection: "tcp_client",
});
