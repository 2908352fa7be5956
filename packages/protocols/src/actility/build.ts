import { toHex } from "../core/bytes.ts";
import type { LoraUp } from "../lorawan/event.ts";

/**
 * The report as ThingPark would post it, for the simulator; what `readActility` reads back. Source and
 * layout: there.
 */
export function buildActilityUp(up: LoraUp, customerId = "100000000"): string {
  const [best] = up.receptions;
  return JSON.stringify({
    DevEUI_uplink: {
      ...(up.at === null ? {} : { Time: new Date(up.at * 1000).toISOString() }),
      DevEUI: up.devEui.toUpperCase(),
      FPort: String(up.fPort),
      FCntUp: String(up.fCnt),
      MType: up.confirmed ? "4" : "2",
      payload_hex: toHex(up.payload),
      ...(best ? { LrrRSSI: best.rssi.toFixed(6), LrrSNR: best.snr.toFixed(6), Lrrid: best.gatewayId } : {}),
      SpFact: /^SF(\d+)/.exec(up.dataRate)?.[1] ?? "12",
      Lrrs: {
        Lrr: up.receptions.map(({ gatewayId, rssi, snr }) => ({
          Lrrid: gatewayId,
          LrrRSSI: rssi.toFixed(6),
          LrrSNR: snr.toFixed(6),
        })),
      },
      CustomerID: customerId,
      DevAddr: up.devAddr.toUpperCase(),
    },
  });
}
