import type { ResourceKey } from "./resources.ts";
import type { Text } from "./text.ts";
import type { UnitKey } from "./units.ts";

/**
 * Behaviour of a value over time, used by sums, charts and read models. counter: only grows, consumption is a
 * difference. interval: covers a time range (average power, energy of a half-hour). instant: a state at a
 * time. Text-like codes are instants without unit.
 */
export type FieldKind = "counter" | "interval" | "instant";

export interface Field {
  readonly title: Text;
  readonly unit: UnitKey;
  readonly kind: FieldKind;
  /** Decimals in tables, constant within a column (1 to 4). */
  readonly decimals: 1 | 2 | 3 | 4;
}

const field = (
  kind: FieldKind,
  unit: UnitKey,
  decimals: Field["decimals"],
  ru: string,
  en: string,
  mn: string,
): Field => ({
  title: { ru, en, mn },
  unit,
  kind,
  decimals,
});

const perTariff = (
  prefix: string,
  unit: UnitKey,
  ru: string,
  en: string,
  mn: string,
): Record<string, Field> =>
  Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((n) => [
      `${prefix}${String(n)}`,
      field(
        "counter",
        unit,
        3,
        `${ru}, тариф ${String(n)}`,
        `${en}, tariff ${String(n)}`,
        `${mn}, тариф ${String(n)}`,
      ),
    ]),
  );

const phases = ["A", "B", "C"] as const;
const perPhase = (
  prefix: string,
  unit: UnitKey,
  decimals: Field["decimals"],
  ru: string,
  en: string,
  mn: string,
): Record<string, Field> =>
  Object.fromEntries(
    phases.map((phase, at) => [
      `${prefix}${String(at + 1)}`,
      field(
        "instant",
        unit,
        decimals,
        `${ru}, фаза ${phase}`,
        `${en}, phase ${phase}`,
        `${mn}, фаз ${phase}`,
      ),
    ]),
  );

const table = {
  in1: field("counter", "m3", 3, "Объём, вход 1", "Volume, input 1", "Эзлэхүүн, оролт 1"),
  in2: field("counter", "m3", 3, "Объём, вход 2", "Volume, input 2", "Эзлэхүүн, оролт 2"),
  in3: field("counter", "m3", 3, "Объём, вход 3", "Volume, input 3", "Эзлэхүүн, оролт 3"),
  in4: field("counter", "m3", 3, "Объём, вход 4", "Volume, input 4", "Эзлэхүүн, оролт 4"),
  tariff0: field("counter", "kWh", 3, "Энергия A+, сумма", "Energy A+, total", "Эрчим хүч A+, нийт"),
  ...perTariff("tariff", "kWh", "Энергия A+", "Energy A+", "Эрчим хүч A+"),
  tariff_negative0: field("counter", "kWh", 3, "Энергия A−, сумма", "Energy A−, total", "Эрчим хүч A−, нийт"),
  ...perTariff("tariff_negative", "kWh", "Энергия A−", "Energy A−", "Эрчим хүч A−"),
  tariff_reactive0: field(
    "counter",
    "kvarh",
    3,
    "Энергия R+, сумма",
    "Energy R+, total",
    "Эрчим хүч R+, нийт",
  ),
  ...perTariff("tariff_reactive", "kvarh", "Энергия R+", "Energy R+", "Эрчим хүч R+"),
  tariff_reactive_negative0: field(
    "counter",
    "kvarh",
    3,
    "Энергия R−, сумма",
    "Energy R−, total",
    "Эрчим хүч R−, нийт",
  ),
  ...perTariff("tariff_reactive_negative", "kvarh", "Энергия R−", "Energy R−", "Эрчим хүч R−"),
  power_a_plus: field("interval", "kW", 3, "A+", "A+", "A+"),
  power_a_minus: field("interval", "kW", 3, "A−", "A−", "A−"),
  power_r_plus: field("interval", "kvar", 3, "R+", "R+", "R+"),
  power_r_minus: field("interval", "kvar", 3, "R−", "R−", "R−"),
  power_active: field("instant", "kW", 3, "Активная мощность", "Active power", "Идэвхтэй чадал"),
  power_reactive: field("instant", "kvar", 3, "Реактивная мощность", "Reactive power", "Реактив чадал"),
  power_apparent: field("instant", "kVA", 3, "Полная мощность", "Apparent power", "Бүрэн чадал"),
  ...perPhase("power_active", "kW", 3, "Активная мощность", "Active power", "Идэвхтэй чадал"),
  ...perPhase("power_reactive", "kvar", 3, "Реактивная мощность", "Reactive power", "Реактив чадал"),
  ...perPhase("power_apparent", "kVA", 3, "Полная мощность", "Apparent power", "Бүрэн чадал"),
  ...perPhase("voltage", "V", 1, "Напряжение", "Voltage", "Хүчдэл"),
  ...perPhase("current", "A", 3, "Ток", "Current", "Гүйдэл"),
  cos0: field("instant", "none", 3, "cos φ, общий", "cos φ, total", "cos φ, нийт"),
  ...perPhase("cos", "none", 3, "cos φ", "cos φ", "cos φ"),
  coruu1: field(
    "instant",
    "degree",
    1,
    "Угол между напряжениями A и B",
    "Angle between voltages A and B",
    "A ба B хүчдэлийн өнцөг",
  ),
  coruu2: field(
    "instant",
    "degree",
    1,
    "Угол между напряжениями A и C",
    "Angle between voltages A and C",
    "A ба C хүчдэлийн өнцөг",
  ),
  Frequency: field("instant", "Hz", 2, "Частота", "Frequency", "Давтамж"),
  heat_power: field("instant", "GcalPerHour", 4, "Тепловая мощность", "Heat power", "Дулааны чадал"),
  V_in: field(
    "counter",
    "m3",
    3,
    "Объём теплоносителя",
    "Volume of heat carrier",
    "Дулаан зөөгчийн эзлэхүүн",
  ),
  M_in: field("counter", "t", 3, "Масса теплоносителя", "Mass of heat carrier", "Дулаан зөөгчийн масс"),
  Q_in: field("instant", "m3PerHour", 3, "Расход", "Flow", "Зарцуулалт"),
  T_in: field("instant", "celsius", 2, "Температура подачи", "Flow temperature", "Өгөх температур"),
  T_out: field("instant", "celsius", 2, "Температура обратная", "Return temperature", "Буцах температур"),
  T_delta: field(
    "instant",
    "kelvin",
    2,
    "Разность температур",
    "Temperature difference",
    "Температурын зөрүү",
  ),
  pressure: field("instant", "bar", 3, "Давление", "Pressure", "Даралт"),
  temperature: field("instant", "celsius", 1, "Температура", "Temperature", "Температур"),
  Humidity: field("instant", "percent", 1, "Влажность", "Humidity", "Чийгшил"),
  /** Units of a heat cost allocator restart at zero in each period, so they are no counter. */
  hca: field(
    "instant",
    "none",
    1,
    "Единицы распределителя тепла",
    "Heat allocator units",
    "Дулаан хуваарилагчийн нэгж",
  ),
  hca_last: field(
    "instant",
    "none",
    1,
    "Единицы за прошлый период",
    "Units of the last period",
    "Өмнөх үеийн нэгж",
  ),
  battery: field("instant", "percent", 1, "Заряд батареи", "Battery", "Зайн цэнэг"),
  working_time: field("counter", "hour", 1, "Время работы", "Working time", "Ажилласан хугацаа"),
  rssi: field("instant", "dBm", 1, "Уровень сигнала", "Signal strength", "Дохионы түвшин"),
  snr: field("instant", "dB", 1, "Сигнал/шум", "Signal to noise", "Дохио/шуугиан"),
  clock_offset: field("instant", "second", 1, "Расхождение часов", "Clock offset", "Цагийн зөрүү"),
  status_code: field("instant", "none", 1, "Код состояния", "Status code", "Төлөвийн код"),
} as const satisfies Record<string, Field>;

type Numbered<Prefix extends string, Numbers extends number> = `${Prefix}${Numbers}`;
type TariffNumber = 1 | 2 | 3 | 4 | 5 | 6;

/** Every field that can be stored. Spelling is the wire's. */
export type FieldName =
  | keyof typeof table
  | Numbered<"tariff" | "tariff_negative" | "tariff_reactive" | "tariff_reactive_negative", TariffNumber>
  | Numbered<"power_active" | "power_reactive" | "power_apparent" | "voltage" | "current" | "cos", 1 | 2 | 3>;

/**
 * Title, unit, kind and decimals of every field: the single source of columns, charts, exports and
 * translations.
 */
export const fields = table as unknown as Readonly<Record<FieldName, Field>>;

export const fieldNames = Object.keys(fields) as readonly FieldName[];

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name);
}

/** A heat meter stores its energy in tariff1 (manual reading of the specification), in Gcal. */
const heatEnergy: Readonly<Partial<Record<FieldName, Field>>> = {
  tariff1: field("counter", "Gcal", 3, "Тепловая энергия", "Heat energy", "Дулааны эрчим хүч"),
  tariff2: field(
    "counter",
    "Gcal",
    3,
    "Тепловая энергия, тариф 2",
    "Heat energy, tariff 2",
    "Дулааны эрчим хүч, тариф 2",
  ),
  tariff3: field(
    "counter",
    "Gcal",
    3,
    "Тепловая энергия, тариф 3",
    "Heat energy, tariff 3",
    "Дулааны эрчим хүч, тариф 3",
  ),
};

/** The field for a device of this resource: the same name can have another unit. */
export function fieldOf(name: FieldName, resource: ResourceKey): Field {
  return (resource === "heat" ? heatEnergy[name] : undefined) ?? fields[name];
}
