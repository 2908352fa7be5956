import type { LoraEvent, LoraUp } from "@metrum/protocols/lorawan";
import type { NetworkPath, NetworkUplink, Radio } from "../../uplink.ts";

/** Content of an event of a network server. `path`: how it was received. */
export function uplinkOf(event: LoraEvent, path: Omit<NetworkPath, "devAddr">): NetworkUplink {
  const { devEui: networkId, at, deduplicationId } = event;
  const base = {
    networkId,
    at,
    deduplicationId: deduplicationId === "" ? undefined : `${event.event}:${deduplicationId}`,
  };
  switch (event.event) {
    case "up": {
      const { payload: bytes, fPort, fCnt, devAddr } = event;
      return {
        networkId,
        at,
        deduplicationId: base.deduplicationId,
        network: { ...path, devAddr },
        content: { kind: "payload", bytes, fPort, fCnt, radio: radioOf(event) },
      };
    }
    case "join":
      return {
        ...base,
        network: { ...path, devAddr: event.devAddr },
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
    best: best && { rssi: best.rssi, snr: best.snr },
    gateways: receptions.length,
    dataRate,
    confirmed,
    battery,
  };
}
