import type { ResourceKey } from "./resources.ts";
import type { Text } from "./text.ts";
import type { UnitKey } from "./units.ts";

/**
 * Behaviour of a value over time, used by sums, charts and read models. counter: only grows, consumption is a
 * difference. interval: covers a time range (average power, energy of a half-hour). instant: a state at a
 * time. Text-like codes are instants without unit.
 */
export type FieldKind = "counter" | "interval" | "instant";

/** Transformers between a network and what a meter sees of it: energy and power pass those of both kinds. */
export type Transformers = "both" | "current" | "voltage";

export interface Field {
  readonly title: Text;
  readonly unit: UnitKey;
  readonly kind: FieldKind;
  /** Decimals in tables, constant within a column (1 to 4). */
  readonly decimals: 1 | 2 | 3 | 4;
  /** Rows show its growth since the row before (GENERAL-019). */
  readonly showsGrowth: boolean;
  /** Measured behind these transformers: multiplied by their ratio. Without: behind none. */
  readonly transformers?: Transformers;
  /** Hue of its series: that of the resource, or one that differs from it. */
  readonly tone: "own" | "contrast";
  /** Of an energy register or a power; forward is drawn from the network, reverse is fed into it. */
  readonly energy?: "active" | "reactive" | "apparent";
  readonly direction?: "forward" | "reverse";
  /** Tariff of an energy register; 0: the sum of all. */
  readonly tariff?: TariffNumber | 0;
  /** Of a value of one phase. */
  readonly phase?: 1 | 2 | 3;
}

type Electric = Pick<Field, "energy" | "direction" | "tariff">;

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
  showsGrowth: kind === "counter",
  tone: "own",
});

/** Energy or power, measured behind transformers of current and voltage; reactive and active differ by hue. */
const electric = (own: Electric, of: Field): Field => ({
  ...of,
  ...own,
  transformers: "both",
  tone: own.energy === "reactive" && own.direction !== undefined ? "contrast" : "own",
});

const tariffs = [1, 2, 3, 4, 5, 6] as const;

/** The registers of an energy in one direction: the sum, and each tariff. */
const registers = (
  prefix: string,
  of: Electric & { readonly unit: UnitKey },
  { ru, en, mn }: Text,
): Record<string, Field> => {
  const { unit, ...own } = of;
  const total = field("counter", unit, 3, `${ru}, сумма`, `${en}, total`, `${mn}, нийт`);
  return Object.fromEntries([
    [`${prefix}0`, electric({ ...own, tariff: 0 }, total)],
    ...tariffs.map((tariff) => {
      const n = String(tariff);
      const titles = [`${ru}, тариф ${n}`, `${en}, tariff ${n}`, `${mn}, тариф ${n}`] as const;
      return [`${prefix}${n}`, electric({ ...own, tariff }, field("counter", unit, 3, ...titles))] as const;
    }),
  ]);
};

const phases = [
  [1, "A"],
  [2, "B"],
  [3, "C"],
] as const;
const perPhase = (prefix: string, of: Field): Record<string, Field> =>
  Object.fromEntries(
    phases.map(([phase, letter]) => {
      const { ru, en, mn } = of.title;
      const title = { ru: `${ru}, фаза ${letter}`, en: `${en}, phase ${letter}`, mn: `${mn}, фаз ${letter}` };
      return [`${prefix}${String(phase)}`, { ...of, title, phase }];
    }),
  );

const powerActive = electric(
  { energy: "active" },
  field("instant", "kW", 3, "Активная мощность", "Active power", "Идэвхтэй чадал"),
);
const powerReactive = electric(
  { energy: "reactive" },
  field("instant", "kvar", 3, "Реактивная мощность", "Reactive power", "Реактив чадал"),
);
const powerApparent = electric(
  { energy: "apparent" },
  field("instant", "kVA", 3, "Полная мощность", "Apparent power", "Бүрэн чадал"),
);
const current: Field = {
  ...field("instant", "A", 3, "Ток", "Current", "Гүйдэл"),
  transformers: "current",
};
const voltage: Field = {
  ...field("instant", "V", 1, "Напряжение", "Voltage", "Хүчдэл"),
  transformers: "voltage",
};

const table = {
  in1: field("counter", "m3", 3, "Объём, вход 1", "Volume, input 1", "Эзлэхүүн, оролт 1"),
  in2: field("counter", "m3", 3, "Объём, вход 2", "Volume, input 2", "Эзлэхүүн, оролт 2"),
  in3: field("counter", "m3", 3, "Объём, вход 3", "Volume, input 3", "Эзлэхүүн, оролт 3"),
  in4: field("counter", "m3", 3, "Объём, вход 4", "Volume, input 4", "Эзлэхүүн, оролт 4"),
  ...registers(
    "tariff",
    { unit: "kWh", energy: "active", direction: "forward" },
    { ru: "Энергия A+", en: "Energy A+", mn: "Эрчим хүч A+" },
  ),
  ...registers(
    "tariff_negative",
    { unit: "kWh", energy: "active", direction: "reverse" },
    { ru: "Энергия A−", en: "Energy A−", mn: "Эрчим хүч A−" },
  ),
  ...registers(
    "tariff_reactive",
    { unit: "kvarh", energy: "reactive", direction: "forward" },
    { ru: "Энергия R+", en: "Energy R+", mn: "Эрчим хүч R+" },
  ),
  ...registers(
    "tariff_reactive_negative",
    { unit: "kvarh", energy: "reactive", direction: "reverse" },
    { ru: "Энергия R−", en: "Energy R−", mn: "Эрчим хүч R−" },
  ),
  power_a_plus: electric(
    { energy: "active", direction: "forward" },
    field("interval", "kW", 3, "A+", "A+", "A+"),
  ),
  power_a_minus: electric(
    { energy: "active", direction: "reverse" },
    field("interval", "kW", 3, "A−", "A−", "A−"),
  ),
  power_r_plus: electric(
    { energy: "reactive", direction: "forward" },
    field("interval", "kvar", 3, "R+", "R+", "R+"),
  ),
  power_r_minus: electric(
    { energy: "reactive", direction: "reverse" },
    field("interval", "kvar", 3, "R−", "R−", "R−"),
  ),
  power_active: powerActive,
  power_reactive: powerReactive,
  power_apparent: powerApparent,
  ...perPhase("power_active", powerActive),
  ...perPhase("power_reactive", powerReactive),
  ...perPhase("power_apparent", powerApparent),
  ...perPhase("voltage", voltage),
  ...perPhase("current", current),
  cos0: field("instant", "none", 3, "cos φ, общий", "cos φ, total", "cos φ, нийт"),
  ...perPhase("cos", field("instant", "none", 3, "cos φ", "cos φ", "cos φ")),
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
  T_out: {
    ...field("instant", "celsius", 2, "Температура обратная", "Return temperature", "Буцах температур"),
    tone: "contrast",
  },
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
type TariffNumber = (typeof tariffs)[number];

/** Every field that can be stored. Spelling is the wire's. */
export type FieldName =
  | keyof typeof table
  | Numbered<"tariff" | "tariff_negative" | "tariff_reactive" | "tariff_reactive_negative", TariffNumber | 0>
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
const heatRegister = (tariff: 1 | 2 | 3): Field => {
  const own = field("counter", "Gcal", 3, "Тепловая энергия", "Heat energy", "Дулааны эрчим хүч");
  const { ru, en, mn } = own.title;
  const n = String(tariff);
  const title =
    tariff === 1 ? own.title : { ru: `${ru}, тариф ${n}`, en: `${en}, tariff ${n}`, mn: `${mn}, тариф ${n}` };
  return { ...own, title, tariff, transformers: "both" };
};

const heatEnergy: Readonly<Partial<Record<FieldName, Field>>> = {
  tariff1: heatRegister(1),
  tariff2: heatRegister(2),
  tariff3: heatRegister(3),
};

/** The field for a device of this resource: the same name can have another unit. */
export function fieldOf(name: FieldName, resource: ResourceKey): Field {
  return (resource === "heat" ? heatEnergy[name] : undefined) ?? fields[name];
}

/** Registers of the tariffs that add up to this one: of `tariff0` those from `tariff1` on; of a tariff none. */
export function tariffsOf(total: FieldName): readonly FieldName[] {
  const { energy, direction, tariff } = fields[total];
  if (tariff !== 0) return [];
  return fieldNames.filter((name) => {
    const each = fields[name];
    return each.energy === energy && each.direction === direction && (each.tariff ?? 0) > 0;
  });
}
