import type { Language, Text } from "../text.ts";
import { units } from "../units.ts";

const unit = (ru: string, en: string = ru, mn: string = ru): Text => ({ ru, en, mn });

/** Units of frames that no field of the vocabulary is kept in. */
const ofFrames = {
  Wh: unit("Вт·ч", "Wh", "Вт·ц"),
  varh: unit("вар·ч", "varh", "вар·ц"),
  VAh: unit("В·А·ч", "VAh", "В·А·ц"),
  W: unit("Вт", "W", "Вт"),
  var: unit("вар", "var", "вар"),
  VA: unit("В·А", "VA", "В·А"),
  J: unit("Дж", "J", "Ж"),
  kg: unit("кг", "kg", "кг"),
  "kg/h": unit("кг/ч", "kg/h", "кг/ц"),
  l: unit("л", "l", "л"),
  "m³/min": unit("м³/мин", "m³/min", "м³/мин"),
  min: unit("мин", "min", "мин"),
  d: unit("сут", "d", "хон"),
  month: unit("мес", "months", "сар"),
  pulses: unit("имп.", "pulses", "имп."),
} as const satisfies Record<string, Text>;

const byWord = new Map<string, Text>([
  ...Object.entries(ofFrames),
  ...Object.values(units).map((each): [string, Text] => [each.en, each]),
]);

/**
 * A unit as a protocol writes it ("m^3/h", "-" for none) in the language of the reader; one that no table has
 * stays.
 */
export function traceUnit(written: string, language: Language): string {
  if (written === "-") return "";
  const drawn = written.replaceAll("^3", "³").replaceAll("^2", "²");
  return byWord.get(drawn)?.[language] ?? drawn;
}
