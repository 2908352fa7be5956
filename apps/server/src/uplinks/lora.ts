import type { LoraEvent, LoraUp } from "@metrum/protocols";
import type { Told, Radio } from "./delivery.ts";

/** What an event of a network server brings. `topic`: where orders for the device are published; empty: not over MQTT. */
export function heardOf(
  event: LoraEvent,
  { topic, application }: { topic: string; application: string },
): Told {
  const { devEui: networkId, at, deduplicationId } = event;
  const named = deduplicationId === "" ? {} : { deduplicationId: `${event.event}:${deduplicationId}` };
  const base = { networkId, at, ...named };
  switch (event.event) {
    case "up": {
      const { payload: bytes, fPort, fCnt, devAddr } = event;
      return {
        ...base,
        network: { application, topic, devAddr },
        content: { kind: "payload", bytes, fPort, fCnt, radio: radioOf(event) },
      };
    }
    case "join":
      return {
        ...base,
        network: { application, topic, devAddr: event.devAddr },
        content: { kind: "event", event },
      };
    case "status":
    case "downlink":
      return { ...base, content: { kind: "event", event } };
  }
}

function radioOf({ receptions, dataRate, confirmed, battery }: LoraUp): Radio {
  const [best] = receptions;
  return {
    ...(best ? { best: { rssi: best.rssi, snr: best.snr } } : {}),
    gateways: receptions.length,
    dataRate,
    confirmed,
    ...(battery === undefined ? {} : { battery }),
  };
}
