import { atDriver } from "@metrum/protocols/at";
import { defineModel } from "../../model.ts";

/**
 * LTE terminal with RS-232 whose serial ports are served over TCP: its line by the platform's connection, its AT
 * commands on a port of their own.
 */
export const els61t = defineModel({
  kind: "gateway",
  id: 624,
  brand: "Cinterion",
  title: "ELS61T",
  interfaces: ["GSM_GPRS", "RS_232"],
  connection: "tcp_client",
  control: {
    driver: atDriver,
    controls: { get_datetime: {}, time_set: {}, time_correct: {}, reset: {}, signal_level: {} },
    port: 1234,
    source: "3GPP TS 27.007, 8.2, 8.5 and 8.15; ELS61T: AT commands over TCP by ser2net on port 1234",
  },
});
