import type { LoraDownlink, LoraEvent } from "../lorawan/event.ts";
import type { ChirpStackEvent } from "./events.ts";

/**
 * Converts an event of ChirpStack to the common form of all network servers; undefined for events without
 * device data (locations, other integrations, log entries that concern no downlink).
 * Source: ChirpStack v4 documentation, Event types; LogCode of api/proto/integration/integration.proto.
 */
export function loraOfChirpStack(event: ChirpStackEvent): LoraEvent | undefined {
  const { devEui, at, deduplicationId, applicationId: application } = event;
  const common = { devEui, at, deduplicationId, application };
  switch (event.event) {
    case "up": {
      const { devAddr, fCnt, fPort, confirmed, payload, receptions, dr, dataRate = `DR${dr}` } = event;
      return {
        devEui,
        at,
        deduplicationId,
        application,
        event: "up",
        devAddr,
        fCnt,
        fPort,
        dataRate,
        confirmed,
        payload,
        receptions,
      };
    }
    case "join":
      return { ...common, event: "join", devAddr: event.devAddr };
    case "status": {
      const { margin, batteryLevel, externalPowerSource: externalPower } = event;
      return {
        ...common,
        event: "status",
        margin,
        battery: externalPower ? null : batteryLevel,
        externalPower,
      };
    }
    case "txack":
    case "ack":
    case "log":
      return downlinkOf(event, common);
    case "location":
    case "integration":
      return undefined;
  }
}

type Common = Pick<LoraEvent, "devEui" | "at" | "deduplicationId" | "application">;

/** Outcome of a downlink; undefined for log entries that concern none. */
function downlinkOf(
  event: Extract<ChirpStackEvent, { event: "txack" | "ack" | "log" }>,
  common: Common,
): LoraDownlink | undefined {
  if (event.event === "log") {
    if (event.code !== "EXPIRED" && (event.level !== "ERROR" || !event.code.startsWith("DOWNLINK_")))
      return undefined;
    const { description: reason } = event;
    return { ...common, event: "downlink", outcome: "failed", reference: "", fCntDown: null, reason };
  }
  const { queueItemId: reference, fCntDown } = event;
  const answered = event.event === "ack" && event.acknowledged ? "acknowledged" : "not_acknowledged";
  const outcome = event.event === "txack" ? "sent" : answered;
  return { ...common, event: "downlink", outcome, reference, fCntDown, reason: "" };
}
