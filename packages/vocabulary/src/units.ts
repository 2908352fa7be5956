import type { Text } from "./text.ts";

const unit = (ru: string, en: string = ru, mn: string = ru): Text => ({ ru, en, mn });

/** Units as shown beside a number; the key is what code and stored data use. */
export const units = {
  none: unit(""),
  kWh: unit("кВт·ч", "kWh", "кВт·ц"),
  kvarh: unit("квар·ч", "kvarh", "квар·ц"),
  kW: unit("кВт", "kW", "кВт"),
  kvar: unit("квар", "kvar", "квар"),
  kVA: unit("кВ·А", "kVA", "кВ·А"),
  V: unit("В", "V", "В"),
  A: unit("А", "A", "А"),
  Hz: unit("Гц", "Hz", "Гц"),
  degree: unit("°"),
  percent: unit("%"),
  Gcal: unit("Гкал", "Gcal", "Гкал"),
  GcalPerHour: unit("Гкал/ч", "Gcal/h", "Гкал/ц"),
  GJ: unit("ГДж", "GJ", "ГЖ"),
  m3: unit("м³", "m³", "м³"),
  m3PerHour: unit("м³/ч", "m³/h", "м³/ц"),
  t: unit("т", "t", "т"),
  celsius: unit("°C"),
  kelvin: unit("К", "K", "К"),
  bar: unit("бар", "bar", "бар"),
  hour: unit("ч", "h", "ц"),
  minute: unit("мин", "min", "мин"),
  second: unit("с", "s", "с"),
  dBm: unit("дБм", "dBm", "дБм"),
  dB: unit("дБ", "dB", "дБ"),
  kgPerM3: unit("кг/м³", "kg/m³", "кг/м³"),
} as const satisfies Record<string, Text>;

export type UnitKey = keyof typeof units;

/** Active, reactive and apparent power are drawn on one scale. */
export const powerUnits: ReadonlySet<UnitKey> = new Set(["kW", "kvar", "kVA"]);
