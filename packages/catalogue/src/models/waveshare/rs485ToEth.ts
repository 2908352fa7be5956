import { defineModel } from "../../model.ts";

/** DIN-rail serial server in TCP server mode: the platform opens the connection. */
export const rs485ToEth = defineModel({
  kind: "gateway",
  id: 620,
  brand: "Waveshare",
  title: "RS485 TO ETH (B)",
  interfaces: ["Ethernet", "RS_485"],
  connection: "tcp_client",
});
