import { rawLine } from "@metrum/protocols/core";
import { defineModel } from "../../model.ts";

/**
 * Serial server with one RS-485 in TCP server mode: the platform opens the connection. Bytes pass unchanged,
 * so an operator may send raw bytes.
 */
export const usrTcp232 = defineModel({
  kind: "gateway",
  id: 2,
  brand: "USR IOT",
  title: "USR-TCP232-410S",
  interfaces: ["Ethernet", "RS_485", "RS_232"],
  connection: "tcp_client",
  hasRawPayload: true,
  control: {
    driver: rawLine,
    controls: { bytes: {} },
    source: "USR-TCP232-410S User Manual V1.0: in TCP server mode bytes pass unchanged",
  },
});

/** Wireless serial server in TCP server mode. */
export const usrW610 = defineModel({
  kind: "gateway",
  id: 613,
  brand: "USR IOT",
  title: "USR-W610",
  interfaces: ["Wi_Fi", "RS_485", "RS_232"],
  connection: "tcp_client",
});
