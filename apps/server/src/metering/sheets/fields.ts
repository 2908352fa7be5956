import type { SheetKind, ThingKind } from "@metrum/contract/metering";
import type { Text } from "@metrum/vocabulary";
import { fieldNamed, type Ctx, type IsKnown } from "#core";

/** How the text of a cell becomes the value of a field. */
export type CellAs =
  | "text"
  /** Text by which things are told apart: whatever a spreadsheet has made of it is refused. */
  | "number_text"
  | "number"
  /** A number, or how transformers are written: 200/5. */
  | "ratio"
  | "minutes"
  | "yes"
  | "model"
  | "interface"
  | "gateway"
  | "station"
  | "resource"
  | "day";

/** A column that a spreadsheet may have; its field is that of the call that makes or changes such a thing. */
export interface FieldOfSheet {
  readonly field: string;
  readonly title: Text;
  readonly names?: readonly string[];
  readonly as: CellAs;
  readonly isNeeded: boolean;
  /** Words are those of each language; numbers and codes are the same in all. */
  readonly example: Text;
}

/** Fields whose column has another unit than the field of the call. */
const unitFields: Readonly<Record<string, string>> = { report_period_minutes: "report_period_update" };
/** The field of the call that a column fills. */
export const callField = (field: string): string => unitFields[field] ?? field;
/** The position of the column that fills a field of the call; -1 for none. */
export const columnOfField = (mapping: readonly (string | null)[], field: string): number =>
  mapping.findIndex((each) => each !== null && (each === field || callField(each) === field));

export const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });
export const column = (
  field: string,
  as: CellAs,
  title: Text,
  {
    example = "",
    isNeeded = false,
    names = [],
  }: Partial<Pick<FieldOfSheet, "isNeeded" | "names">> & { readonly example?: string | Text } = {},
): FieldOfSheet => ({
  ...{ field, as, title, names, isNeeded },
  example: typeof example === "string" ? text(example, example, example) : example,
});

const name = (example: string | Text) =>
  column("name", "text", text("Название", "Name", "Нэр"), { example, isNeeded: true });
const model = (example: string, isNeeded: boolean) =>
  column("model_id", "model", text("Модель", "Model", "Загвар"), { example, isNeeded });
const common = [
  column("interface_id", "interface", text("Интерфейс", "Interface", "Интерфейс"), { example: "RS-485" }),
  column("base_station_id", "station", text("Базовая станция", "Base station", "Суурь станц")),
  column("timezone_name", "text", text("Часовой пояс", "Time zone", "Цагийн бүс"), {
    example: "Asia/Ulaanbaatar",
  }),
  column(
    "report_period_update",
    "number",
    text("Период опроса, с", "Poll period, s", "Асуулгын давтамж, с"),
    { example: "3600" },
  ),
  column(
    "report_period_minutes",
    "minutes",
    text("Период опроса, мин", "Poll period, min", "Асуулгын давтамж, мин"),
  ),
  column(
    "warning_report_period",
    "number",
    text("Срок предупреждения, с", "Warning period, s", "Анхааруулах хугацаа, с"),
    { example: "86400" },
  ),
] as const;
const isActive = column("is_active", "yes", text("Активен", "Active", "Идэвхтэй"), { example: "1" });
const pause = column(
  "poll_pause",
  "number",
  text("Пауза между опросами, с", "Pause between polls, s", "Уншилт хоорондын зай, с"),
  { example: "5" },
);
const desc = column("desc", "text", text("Описание", "Description", "Тайлбар"));
const number = text("Номер", "Number", "Дугаар");

/** Columns of each kind in the order of the template; the second identifies a thing that exists already. */
export const fieldsOfThings: Readonly<Record<ThingKind, readonly FieldOfSheet[]>> = {
  devices: [
    name(text("Кв. 31, щит на площадке", "Flat 31, landing panel", "31 тоот, шатны самбар")),
    column("deviceID", "number_text", number, { example: "88402", isNeeded: true }),
    model("CE102M", true),
    column("place", "text", text("Место", "Place", "Байршил"), {
      example: text("Сухэ-Батора 20, подъезд 1", "Sukhbaatar 20, entrance 1", "Сүхбаатар 20, 1-р орц"),
    }),
    column("gatewayID", "gateway", text("Шлюз", "Gateway", "Гарц"), { example: "356307042441013" }),
    column("inside_addr", "number_text", text("Адрес на линии", "Address on the line", "Шугам дээрх хаяг"), {
      example: "12",
    }),
    ...common,
    column("impulse_weight", "number", text("Вес импульса", "Pulse weight", "Импульсийн жин")),
    column("starting_value", "number", text("Начальное показание", "Starting value", "Эхний заалт")),
    column(
      "transformation_ratio",
      "ratio",
      text("Коэффициент трансформации", "Transformation ratio", "Хувиргалтын коэффициент"),
    ),
    isActive,
  ],
  gateways: [
    name("GW-0117"),
    column("device_id", "number_text", number, { example: "356307042441013", isNeeded: true }),
    model("ATM21", true),
    desc,
    column("phone_number", "number_text", text("Телефон", "Phone", "Утас"), { example: "+97699112233" }),
    column(
      "dlms_wrapper",
      "yes",
      text("DLMS в обёртке TCP", "DLMS in the TCP wrapper", "DLMS-ийг TCP боодолтой"),
      { names: ["wrapper", "обёртка", "обёртка dlms", "dlms wrapper"] },
    ),
    ...common,
    pause,
    isActive,
  ],
  base_stations: [
    name(text("Крыша школы 4", "Roof of school 4", "4-р сургуулийн дээвэр")),
    column("device_id", "number_text", number, { example: "1c497bfffecafe01", isNeeded: true }),
    model("BS-1.2", false),
    column("radius", "number", text("Радиус, м", "Radius, m", "Радиус, м"), { example: "4000" }),
    desc,
    pause,
    isActive,
  ],
};

export const fieldsOf = ({ parts }: Pick<Ctx, "parts">, kind: SheetKind): readonly FieldOfSheet[] =>
  kind === "objects" ? parts.objectSheets.fields : fieldsOfThings[kind];

/** The field by which a row finds the thing that it changes; two rows cannot have the same. */
export const keyOf: Readonly<Record<SheetKind, string>> = {
  devices: "deviceID",
  gateways: "device_id",
  base_stations: "device_id",
  objects: "deviceID",
};

/** The field that every row has. */
export const neededOf = (kind: SheetKind): string => (kind === "objects" ? "path" : keyOf[kind]);

/** Whether a heading means one of the fields. */
export const isHeadingOf =
  (fields: readonly FieldOfSheet[]): IsKnown =>
  (heading) =>
    fieldNamed(fields, heading) !== undefined;

/**
 * The field that each heading means: that of the last import with such a heading, else by its name. A field is
 * given to one column only.
 */
export function mappingOf(
  fields: readonly FieldOfSheet[],
  headers: readonly string[],
  remembered: ReadonlyMap<string, string | null>,
): (string | null)[] {
  const given = new Set<string>();
  return headers.map((header) => {
    const known = remembered.get(header);
    const field = known === undefined ? fieldNamed(fields, header) : known;
    if (field === undefined || field === null || given.has(field)) return null;
    given.add(field);
    return field;
  });
}
