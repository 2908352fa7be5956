import { units, type Language } from "@metrum/vocabulary";
import type { TFunction } from "i18next";

interface Of {
  readonly t: TFunction<"trace">;
  readonly language: Language;
}

const byWord = new Map(Object.values(units).map((unit) => [unit.en, unit]));
/** Units of frames that no field of the vocabulary is kept in. */
const ofFrames = [
  ...["Wh", "varh", "VAh", "W", "var", "VA", "J", "kg", "kg/h", "l", "m³/min"],
  ...["min", "minutes", "hours", "seconds", "d", "month", "months", "pulses"],
] as const;
const isOfFrames = (unit: string): unit is (typeof ofFrames)[number] =>
  ofFrames.some((each) => each === unit);

const drawn = (unit: string) => unit.replaceAll("^3", "³").replaceAll("^2", "²");

/** Whether a driver means a unit by this word. */
export const knownUnit = (unit: string): boolean =>
  unit !== "" && (byWord.has(drawn(unit)) || isOfFrames(drawn(unit)));

/** A unit as a driver writes it ("m^3/h", "-" for none) in the language of the reader; one that nobody knows stays. */
export function unitWords(unit: string, { t, language }: Of): string {
  if (unit === "-") return "";
  const word = drawn(unit);
  const known = byWord.get(word);
  if (known) return known[language];
  return isOfFrames(word)
    ? t(`unit.${word.replace("³", "3").replace("/", "_")}`, { defaultValue: word })
    : word;
}
