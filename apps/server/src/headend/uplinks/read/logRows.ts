import { toHex } from "@metrum/protocols";
import type { AskedDevice, ExchangeRow, LoggedStep } from "#headend/exchanges";
import type { CounterNote } from "./counters.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Content, Uplink, Radio } from "../uplink.ts";

interface Moment {
  readonly receivedAt: number;
  readonly startedMs: number;
}

/** Exchange log row of an uplink; the web app recognises its labels by their format. */
export function rowOf(
  uplink: Uplink,
  device: AskedDevice,
  decoded: Interpretation,
  moment: Moment,
): ExchangeRow {
  const { content } = uplink;
  const [first, ...rest] = labelsOf(uplink);
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
        label: first ?? "",
        try: 1,
        tries: 1,
        at: 0,
        answered: 0,
        ended: 0,
        sent: "",
        received: toHex(content.kind === "payload" ? content.bytes : uplink.raw),
        fport: content.kind === "payload" ? content.fPort : undefined,
        heardAt: uplink.at ?? undefined,
        codec: decoded.codec,
        error: decoded.error,
      },
      ...rest.map(stepOf),
    ],
  };
}

/** A step with a note and no bytes. */
export function stepOf(label: string): LoggedStep {
  return { label, try: 1, tries: 1, at: 0, answered: 0, ended: 0, sent: "", received: "" };
}

function kindOf(content: Content): ExchangeRow["kind"] {
  return content.kind === "event" ? content.event.event : "uplink";
}

/** Only LoRaWAN networks have frame counters and ports; other senders send telegrams. */
const heardWays: readonly string[] = ["p1", "wmbus"];

function labelsOf({ content, way }: Uplink): string[] {
  switch (content.kind) {
    case "payload": {
      const { fCnt, fPort, radio } = content;
      const what = heardWays.includes(way) ? "Telegram" : `Uplink ${fCnt}, port ${fPort}`;
      return [what, ...(radio ? [radioLabel(radio)] : [])];
    }
    case "readings":
      return ["Push"];
    case "event":
      return [eventLabel(content.event)];
  }
}

function radioLabel({ best, gateways, dataRate, confirmed }: Radio): string {
  return [
    "Radio",
    ...(best ? [`${best.rssi} dBm`] : []),
    ...(best?.snr === undefined ? [] : [`${best.snr} dB`]),
    ...(dataRate === "" ? [] : [dataRate]),
    `${gateways} gw`,
    ...(confirmed ? ["confirmed"] : []),
  ].join(" | ");
}

function eventLabel(event: Extract<Content, { kind: "event" }>["event"]): string {
  switch (event.event) {
    case "join":
      return `Join ${event.devAddr}`.trim();
    case "status":
      return [
        "Status",
        `margin ${event.margin} dB`,
        ...(event.battery === null ? [] : [`${event.battery} %`]),
      ].join(" | ");
    case "downlink":
      return [`Downlink ${event.outcome}`, event.fCntDown === null ? "" : String(event.fCntDown)]
        .filter((part) => part !== "")
        .join(" ");
  }
}

/** The same row with the counter check of the frame. */
export function withNote(row: ExchangeRow, { missing, isRestart, isLate }: CounterNote): ExchangeRow {
  const labels = [
    ...(isRestart ? ["Counter restarted"] : []),
    ...(missing > 0 ? [`Missing ${missing}`] : []),
    ...(isLate ? ["Late"] : []),
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
