import { fieldOf, isFieldName, units, type Language, type ResourceKey } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { meterStep } from "./stepNames.ts";
import { letters, madeName, plainName } from "./traceNames.ts";
import { knownUnit, unitWords } from "./traceUnits.ts";

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

/** A field of the vocabulary with the table, the address and the form it is read from. */
export const register = /^(\w+) \((input|holding) (0x[0-9a-f]+), (\w+)\)$/;

export interface WordsOf {
  readonly t: TFunction<"trace">;
  readonly language: Language;
  readonly resource: ResourceKey;
  /** The frame names who is asked by "unit"; only then "address" is a register. */
  readonly hasUnit?: boolean;
}

const bare = (name: string): SpanWords => ({ name, how: "", unit: "" });
const textOf = (t: WordsOf["t"], name: string): string => t(`span.${slugOf(name)}`, { defaultValue: "" });

/**
 * Words for a stretch of a frame. Fields of the vocabulary have their titles; what a driver names itself has a text; a name that
 * nobody knows stays as the driver wrote it, because a wrong word would be worse.
 */
export function spanWords(name: string, of: WordsOf): SpanWords {
  const { t, hasUnit = true } = of;
  const { plain } = plainName(name);
  if (plain !== name) return aroundWords(name, spanWords(plain, of), t);
  if (name === "address" && !hasUnit) return bare(t("made.device_address"));
  const known = registerWords(name, of);
  if (known) return known;
  // The slug of "A+, Wh" loses the sign, which is the direction; that of "battery, %" its unit.
  const whole = /^[AR][+-]/.test(name) || knownUnit(unitOf(name)) ? "" : textOf(t, name);
  if (whole !== "") return bare(whole);
  const made = madeName(name, { ...of, text: (each) => textOf(t, each) });
  return made === "" ? (measuredWords(name, of) ?? bare(name)) : bare(made);
}

function aroundWords(name: string, words: SpanWords, t: WordsOf["t"]): SpanWords {
  const { isDecrypted, isContinued } = plainName(name);
  return {
    ...words,
    ...(isContinued ? { name: t("made.continued", { what: words.name }) } : {}),
    ...(isDecrypted ? { how: t("how.decrypted") } : {}),
  };
}

function registerWords(name: string, { t, language, resource }: WordsOf): SpanWords | undefined {
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

/** What stands after the last comma of a name; empty without one. */
function unitOf(name: string): string {
  const cut = name.lastIndexOf(", ");
  return cut < 0 ? "" : name.slice(cut + 2);
}

/** "Volume flow, m^3/h" and "A+ of phase 1, Wh": the unit stands after the comma. */
function measuredWords(name: string, { t, language }: WordsOf): SpanWords | undefined {
  const unit = unitOf(name);
  const what = unit === "" ? "" : name.slice(0, -unit.length - 2);
  const said = energyWords(what, t) || (what === "" ? "" : textOf(t, what));
  return said === "" ? undefined : { name: said, how: "", unit: unitWords(unit, { t, language }) };
}

function energyWords(what: string, t: WordsOf["t"]): string {
  const [, way = "", phase] = /^([AR][+-])(?: of phase (\d))?$/.exec(what) ?? [];
  if (way === "") return "";
  const said = t("made.energy", { way: way.replace("-", "−") });
  return phase === undefined
    ? said
    : t("made.phase", { what: said, letter: letters[Number(phase) - 1] ?? phase });
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
