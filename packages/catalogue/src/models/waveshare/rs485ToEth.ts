import { defineModel } from "../../model.ts";

/** Serial server for the rail in TCP server mode: we open the connection. */
export const rs485ToEth = defineModel({
  kind: "gateway",
  id: 620,
  brand: "Waveshare",
  title: "RS485 TO ETH (B)",
  interfaces: ["Ethernet", "RS_485"],
  connection: "tcp_client",
});
