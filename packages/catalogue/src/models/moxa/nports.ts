import { defineModel } from "../../model.ts";

/** Serial server with RS-422 and RS-485 in TCP server mode: the platform opens the connection. */
export const nport5130 = defineModel({
  kind: "gateway",
  id: 614,
  brand: "Moxa",
  title: "NPort 5130",
  interfaces: ["Ethernet", "RS_485", "RS_422"],
  connection: "tcp_client",
});

/** Serial server whose port is RS-232, RS-422 or RS-485, in TCP server mode. */
export const nport5150 = defineModel({
  kind: "gateway",
  id: 615,
  brand: "Moxa",
  title: "NPort 5150",
  interfaces: ["Ethernet", "RS_485", "RS_422", "RS_232"],
  connection: "tcp_client",
});
