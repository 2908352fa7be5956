import { toHex } from "@metrum/protocols/core";
import type { StepName } from "@metrum/vocabulary";
import type { AskedDevice, ExchangeRow, LoggedStep } from "#headend/exchanges";
import type { CounterNote } from "./counters.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Content, Uplink, Radio } from "../uplink.ts";

interface Moment {
  readonly receivedAt: number;
  readonly startedMs: number;
}

/** Exchange log row of an uplink. */
export function rowOf(
  uplink: Uplink,
  device: AskedDevice,
  decoded: Interpretation,
  moment: Moment,
): ExchangeRow {
  const { content } = uplink;
  return {
    deviceId: device.id,
    ...moment,
    kind: kindOf(content),
    result: decoded.result,
    tries: 1,
    durationMs: 0,
    line: uplink.way,
    readings: decoded.readings.length,
    message: decoded.message,
    taskId: null,
    steps: [
      {
        ...stepOf(labelOf(uplink)),
        received: toHex(content.kind === "payload" ? content.bytes : uplink.raw),
        fport: content.kind === "payload" ? content.fPort : undefined,
        heardAt: uplink.at ?? undefined,
        codec: decoded.codec,
        error: decoded.error,
      },
      ...(content.kind === "payload" && content.radio ? [stepOf(radioLabel(content.radio))] : []),
    ],
  };
}

/** A step with a note and no bytes. */
export function stepOf(label: StepName): LoggedStep {
  return { label, try: 1, tries: 1, at: 0, answered: 0, ended: 0, sent: "", received: "" };
}

function kindOf(content: Content): ExchangeRow["kind"] {
  return content.kind === "event" ? content.event.event : "uplink";
}

/** Only LoRaWAN networks have frame counters and ports; other senders send telegrams. */
const heardWays: readonly string[] = ["p1", "wmbus"];

function labelOf({ content, way }: Uplink): StepName {
  switch (content.kind) {
    case "payload": {
      const { fCnt, fPort } = content;
      return heardWays.includes(way) ? "telegram" : { code: "uplink", n: fCnt, port: fPort };
    }
    case "readings":
      return "push";
    case "event":
      return eventLabel(content.event);
  }
}

const radioLabel = ({ best, gateways, dataRate, confirmed }: Radio): StepName => ({
  code: confirmed ? "radio_confirmed" : "radio",
  ...(best ? { rssi: best.rssi } : {}),
  ...(best?.snr === undefined ? {} : { snr: best.snr }),
  ...(dataRate === "" ? {} : { rate: dataRate }),
  gateways,
});

function eventLabel(event: Extract<Content, { kind: "event" }>["event"]): StepName {
  switch (event.event) {
    case "join":
      return event.devAddr === "" ? "join" : { code: "join_address", address: event.devAddr };
    case "status": {
      const { margin, battery } = event;
      return { code: "status", margin, ...(battery === null ? {} : { battery }) };
    }
    case "downlink":
      return `downlink_${event.outcome}`;
  }
}

/** The same row with the counter check of the frame. */
export function withNote(row: ExchangeRow, { missing, isRestart, isLate }: CounterNote): ExchangeRow {
  const labels: StepName[] = [
    ...(isRestart ? ["counter_restarted" as const] : []),
    ...(missing > 0 ? [{ code: "missing", n: missing } as const] : []),
    ...(isLate ? ["late" as const] : []),
  ];
  if (labels.length === 0) return row;
  const words = [
    ...(isRestart ? ["the counter of the device began anew"] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? "uplink" : "uplinks"} missing before this one`] : []),
    ...(isLate ? ["came after a later one"] : []),
  ];
  return {
    ...row,
    message: [row.message, ...words].filter((part) => part !== "").join("; "),
    steps: [...row.steps, ...labels.map(stepOf)],
  };
}
