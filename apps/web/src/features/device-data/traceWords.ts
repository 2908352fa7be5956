import { fieldOf, isFieldName, units, type Language, type ResourceKey } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { meterStep } from "./stepNames.ts";
import type { Span } from "./trace.ts";
import { madeName } from "./traceNames.ts";

export interface SpanWords {
  readonly name: string;
  /** How the bytes become the value, where the driver says it. */
  readonly how: string;
  readonly unit: string;
}

/** The name a driver gives in English as a key of the texts: "C, control field" is `c_control_field`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}

const register = /^(\w+) \((input|holding) (0x[0-9a-f]+), (\w+)\)$/;

interface Of {
  readonly t: TFunction<"trace">;
  readonly language: Language;
  readonly resource: ResourceKey;
  /** The frame names who is asked by "unit"; only then "address" is a register. */
  readonly hasUnit?: boolean;
}

const bare = (name: string): SpanWords => ({ name, how: "", unit: "" });
const textOf = (t: Of["t"], name: string): string => t(`span.${slugOf(name)}`, { defaultValue: "" });

/**
 * Words for a stretch of a frame. Fields of the vocabulary have their titles; what a driver names itself has a text; a name that
 * nobody knows stays as the driver wrote it, because a wrong word would be worse.
 */
export function spanWords(name: string, of: Of): SpanWords {
  const { t, hasUnit = true } = of;
  if (name === "address" && !hasUnit) return bare(t("made.device_address"));
  const known = registerWords(name, of);
  if (known) return known;
  // The slug of "A+, Wh" loses the sign, which is the direction.
  const whole = /^[AR][+-]/.test(name) ? "" : textOf(t, name);
  if (whole !== "") return bare(whole);
  const made = madeName(name, { ...of, text: (each) => textOf(t, each) });
  return made === "" ? (measuredWords(name, of) ?? bare(name)) : bare(made);
}

function registerWords(name: string, { t, language, resource }: Of): SpanWords | undefined {
  const [, field = "", table = "", address = "", type = ""] = register.exec(name) ?? [];
  if (!isFieldName(field)) return undefined;
  const known = fieldOf(field, resource);
  return {
    name: known.title[language],
    how: t(table === "input" ? "how.input" : "how.holding", {
      address: address.toUpperCase().replace("X", "x"),
      type,
    }),
    unit: units[known.unit][language],
  };
}

/** "Volume flow, m^3/h": the unit stands after the comma. */
function measuredWords(name: string, { t }: Of): SpanWords | undefined {
  const cut = name.lastIndexOf(", ");
  const what = name.slice(0, Math.max(0, cut));
  const said = what === "" ? "" : textOf(t, what);
  if (said === "") return undefined;
  const way = /^[AR][+-]$/.test(what) ? what.replace("-", "−") : undefined;
  const unit = name
    .slice(cut + 2)
    .replaceAll("^3", "³")
    .replaceAll("^2", "²")
    .replace(/^-$/, "");
  return { name: way === undefined ? said : t("made.energy", { way }), how: "", unit };
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

const code =
  /^(?:address|crc|checksum|c, control field|ci, control information|dif.*|start.*|stop|acknowledgement|configuration|[fh]cs.*|flag.*|class|diagnostic)$/i;

/** A value as people read it: codes and places in hex, what was measured with every digit and the mark of the language. */
export function spanValue(span: Span, number: (value: number, decimals?: number) => string): string {
  if (typeof span.value !== "number") return span.value ?? "";
  if (code.test(span.name))
    return `0x${span.value
      .toString(16)
      .toUpperCase()
      .padStart(span.bytes * 2, "0")}`;
  const isMeasured = register.test(span.name) || span.name.includes(", ") || span.name.startsWith("input ");
  const decimals = (/\.(\d+)$/.exec(String(span.value))?.[1] ?? "").length;
  return isMeasured ? number(span.value, decimals) : String(span.value);
}
