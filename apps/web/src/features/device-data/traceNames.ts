import { fieldOf, isFieldName, type Language, type ResourceKey } from "@metrum/vocabulary";
import type { TFunction } from "i18next";

interface Of {
  readonly t: TFunction<"trace">;
  readonly language: Language;
  readonly resource: ResourceKey;
  /** The text of a name by itself; empty if there is none. */
  readonly text: (name: string) => string;
}

/** How phases are called. */
export const letters = ["A", "B", "C"] as const;
const obis = /^(?:\d+-\d+:)?(\d+)\.(\d+)\.(\d+)(?:[*.&]\d+)?$/;
const counters: Readonly<Record<string, string>> = {
  "1": "tariff",
  "2": "tariff_negative",
  "3": "tariff_reactive",
  "4": "tariff_reactive_negative",
};
/** Instant values by the third figure of their code. Source: IEC 62056-61, value group C of electricity. */
const instants: Readonly<Record<string, string>> = {
  "1": "power_active",
  "3": "power_reactive",
  "9": "power_apparent",
  "13": "cos0",
  "14": "Frequency",
  "21": "power_active1",
  "31": "current1",
  "32": "voltage1",
  "33": "cos1",
  "41": "power_active2",
  "51": "current2",
  "52": "voltage2",
  "53": "cos2",
  "61": "power_active3",
  "71": "current3",
  "72": "voltage3",
  "73": "cos3",
};
/** Powers of the other direction, by the same figure. */
const given: Readonly<Record<string, string>> = {
  "2": "power_active",
  "4": "power_reactive",
  "22": "power_active1",
  "42": "power_active2",
  "62": "power_active3",
};
/** Lines of a P1 telegram that hold no reading. Source: DSMR P1 companion standard 5.0.2, 6.12. */
const p1Lines: Readonly<Record<string, string>> = {
  "1-3:0.2.8": "version of P1",
  "0-0:1.0.0": "time of the telegram",
  "0-0:96.1.1": "number of the meter",
  "0-0:96.13.0": "message of the supplier",
};
/** What Energomera calls its values in IEC 62056-21. Source: names as its drivers here read them. */
const makersNames: Readonly<Record<string, string>> = {
  ET0PE: "tariff0",
  ET0QE: "tariff_reactive0",
  VOLTA: "voltage1",
  CURRE: "current1",
  POWEP: "power_active",
  POWEQ: "power_reactive",
  FREQU: "Frequency",
};

/** What stands around a name: the bytes were encrypted, and a check sum of the radio cuts them in two. */
export const plainName = (name: string) => ({
  plain: name.replace(/^Decrypted: /, "").replace(/, continued$/, ""),
  isDecrypted: name.startsWith("Decrypted: "),
  isContinued: name.endsWith(", continued"),
});

/** Names that are made of parts: a code of a value, a phase of something, the length of something; empty if it is none of them. */
export function madeName(name: string, of: Of): string {
  const coded = lineName(name, of) || givenName(name, of);
  if (coded !== "") return of.t("made.coded", { what: coded, code: name });
  return codeName(name, of) || phaseName(name, of) || partName(name, of) || failedName(name, of);
}

function codeName(name: string, { t, language, resource }: Of): string {
  const [, c = "", d = "", e = ""] = obis.exec(name) ?? [];
  const field = makersNames[name] ?? (d === "8" ? `${counters[c] ?? ""}${e}` : d === "7" ? instants[c] : "");
  if (field === undefined || !isFieldName(field)) return "";
  const what = fieldOf(field, resource).title[language];
  // Energomera answers three phases under one name.
  const isOfPhases = name === "VOLTA" || name === "CURRE";
  return t("made.coded", { what: isOfPhases ? what.replace(/,[^,]*$/, "") : what, code: name });
}

function lineName(name: string, { text }: Of): string {
  const line = p1Lines[name];
  return line === undefined ? "" : text(line);
}

function givenName(name: string, { t, language, resource }: Of): string {
  const [, c = "", d = ""] = obis.exec(name) ?? [];
  const field = d === "7" ? given[c] : undefined;
  if (field === undefined || !isFieldName(field)) return "";
  return t("made.given", { what: fieldOf(field, resource).title[language] });
}

/** "voltage 2" is of a phase; where there are four, the first is the sum. */
function phaseName(name: string, { t, text }: Of): string {
  const [, what = "", n = ""] =
    /^(voltage|current|cos phi|active power|reactive power|apparent power|frequency|angle) (\d)$/.exec(
      name,
    ) ?? [];
  if (what === "") return "";
  const said = text(what);
  if (what === "frequency") return said;
  if (what === "angle") return `${said} ${n}`;
  const at = Number(n) - (what === "voltage" || what === "current" ? 1 : 2);
  return at < 0 ? t("made.sum", { what: said }) : t("made.phase", { what: said, letter: letters[at] ?? n });
}

/** "Value.1.2, type": the path says which element of which structure it is. */
function partName(name: string, { t, text }: Of): string {
  const [, base = "", path = "", part] =
    /^([^.]+?)((?:\.\d+)*)(?:, (tag|length|type|elements|unused bits))?$/.exec(name) ?? [];
  const said = text(base);
  if (said === "" || (path === "" && part === undefined)) return "";
  const what = `${said}${path.replace(".", " ")}`;
  switch (part) {
    case "tag":
    case "length":
    case "type":
    case "elements":
      return t(`made.${part}`, { what });
    case "unused bits":
      return t("made.unused_bits", { what });
    default:
      return what;
  }
}

function failedName(name: string, { t }: Of): string {
  const why = /^Not decoded: (.*)$/.exec(name)?.[1];
  return why === undefined ? "" : t("made.undecoded", { why });
}
