import { traceCodes, traceWords, type TraceReader } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { slugOf } from "./slug.ts";
import { meterStep } from "./stepNames.ts";

/** What a question asks for: a code of the trace in English, or the address of a data set. */
export function askedWords(of: string, reader: TraceReader): string {
  const code = slugOf(of);
  return traceWords(traceCodes.has(code) ? code : { code: "data_set", n: of }, reader).name;
}

/** The question in words: what is asked, not how the driver calls it. `named` says what a value is called. */
export function stepWords(label: string, t: TFunction<"trace">, named = (name: string) => name): string {
  const registers = /^Read \w+ registers (0x[0-9A-F]+)-(0x[0-9A-F]+)$/i.exec(label);
  if (registers) return t("step.registers", { from: registers[1] ?? "", to: registers[2] ?? "" });
  const uplink = /^Uplink (\d+), port (\d+)$/.exec(label);
  if (uplink) return t("step.uplink", { n: uplink[1] ?? "", port: uplink[2] ?? "" });
  return networkWords(label, t) ?? busWords(label, t) ?? meterStep(label, t, named) ?? label;
}

function busWords(label: string, t: TFunction<"trace">): string | undefined {
  const [, what, n = ""] = /^(Initialise|Deselect|Select|Read telegram)\b.*?(\w*)$/.exec(label) ?? [];
  switch (what) {
    case "Initialise":
      return t("step.initialise", { n });
    case "Deselect":
      return t("step.deselect");
    case "Select":
      return t("step.select", { n });
    case "Read telegram":
      return t("step.telegram", { n });
    default:
      return undefined;
  }
}

const outcomes = ["queued", "sent", "acknowledged", "not_acknowledged", "failed"] as const;

/** "-70 dBm", "2 gw", "margin 7 dB", "SF7BW125": one part of how something was heard. */
function heardWords(part: string, t: TFunction<"trace">): string {
  const [, n = "", unit = ""] = /^(?:margin )?([-\d.]+) (dBm|dB|gw)$/.exec(part) ?? [];
  const signed = n.replace("-", "−");
  if (unit === "dBm") return t("step.dbm", { n: signed });
  if (unit === "dB") return t("step.db", { n: signed });
  if (unit === "gw") return t("step.gateways", { n });
  return part === "confirmed" ? t("step.wants_answer") : part;
}

/** What a network server tells of a device, of its counter and of what was sent to it; undefined: something else. */
function networkWords(label: string, t: TFunction<"trace">): string | undefined {
  const [first = "", ...parts] = label.split(" | ");
  const how = parts.map((part) => heardWords(part, t)).join(", ");
  if (first === "Radio") return t("step.radio", { how });
  if (first === "Status") return t("step.status", { how });
  if (label === "Push") return t("step.push");
  if (label === "Telegram") return t("step.heard");
  if (label === "Late") return t("step.late");
  if (label === "Counter restarted") return t("step.restarted");
  const [, what = "", n = ""] = /^(Missing|Join|Downlink, port) ?([0-9a-f]*)$/.exec(label) ?? [];
  if (what === "Missing") return t("step.missing", { n });
  if (what === "Join") return t("step.join", { address: n });
  if (what === "Downlink, port") return t("step.downlink", { port: n });
  const outcome = outcomes.find(
    (each) => label === `Downlink ${each}` || label.startsWith(`Downlink ${each} `),
  );
  return outcome && t(`step.${outcome}`);
}
