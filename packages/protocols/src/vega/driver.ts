import type { Span } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { si11Commands, si11Receiver } from "./orders.ts";
import { correctionFor, decodeSi11, encodeCurrent, readingsOf } from "./si11.ts";

/**
 * Driver of the Vega SI-11 pulse counter with LoRaWAN radio.
 * Source, layout and errors: `decodeSi11`. Units: m3 (or the unit of the impulse weight), °C, %.
 */
export function vegaSi11(): UplinkDriver {
  return {
    kind: "uplink",
    protocol: "vega-si11",
    commands: si11Commands,
    receive: si11Receiver,
    decode: (payload, fport, device) =>
      readingsOf(decodeSi11(payload, fport, { receivedAt: device.receivedAt }), device),
    encode: (device, state, at) => ({ fport: 2, payload: encodeCurrent(device, state, at) }),
    answer: correctionFor,
    explain: (payload, fport) => {
      const trace: Span[] = [];
      decodeSi11(payload, fport, { trace });
      return trace;
    },
  };
}
