import { modbusRouter } from "@metrum/protocols/modbus";
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

const control = {
  driver: modbusRouter({
    uptime: 1,
    signal: 3,
    temperature: 5,
    outputs: { first: 201, count: 1 },
    mobileData: 204,
    restart: 206,
  }),
  controls: {
    reset: {},
    mts_activate: {},
    setout: { out: { min: 1, max: 1 }, duration: { max: 0 } },
    signal_level: {},
    uptime: {},
    board_temperature: {},
  },
  port: 502,
  source: "Teltonika Networks wiki, TRB142 Modbus and TRB145 Modbus, section Modbus TCP Server, register map",
} as const;

/** The same with "Over IP" in server mode: the platform opens the line, and controls it by Modbus TCP. */
export const trb145Server = defineModel({
  kind: "gateway",
  id: 622,
  brand: "Teltonika",
  title: "TRB145 (server)",
  interfaces: ["GSM_GPRS", "Ethernet", "RS_485"],
  connection: "tcp_client",
  control,
});

export const trb142Server = defineModel({
  kind: "gateway",
  id: 623,
  brand: "Teltonika",
  title: "TRB142 (server)",
  interfaces: ["GSM_GPRS", "Ethernet", "RS_232"],
  connection: "tcp_client",
  control,
});
