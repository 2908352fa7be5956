import { pointTypes, type Text } from "@metrum/vocabulary";

/** Columns of a file of points, by the names that their headers may have. */
const columns = {
  title: ["title", "name", "название", "наименование", "нэр"],
  resource_type_id: ["resource_type_id", "resource", "ресурс", "нөөц"],
  parent_id: ["parent_id", "object_id", "object", "объект"],
  city: ["city", "город", "хот"],
  street: ["street", "улица", "гудамж"],
  house: ["house", "дом", "байшин"],
  innerObject: ["innerobject", "inner object", "flat", "квартира", "помещение", "тоот"],
  timezone: ["timezone", "часовой пояс", "цагийн бүс"],
  comment: ["comment", "комментарий", "тайлбар"],
  deviceID: ["deviceid", "device", "serial number", "прибор", "номер прибора", "төхөөрөмж"],
  starting_value: ["starting_value", "opening reading", "начальное показание", "эхний заалт"],
  confirm_reason: [
    ...["confirm_reason", "why the starting value counts", "причина подтверждения показания"],
    "эхний заалтыг баталсан шалтгаан",
  ],
  transformation_ratio: ["transformation_ratio", "ratio", "коэффициент", "коэффициент трансформации"],
  loss_factor: ["loss_factor", "losses", "потери", "алдагдал"],
  contract_power: ["contract_power", "contract power", "мощность", "договорная мощность", "гэрээт чадал"],
  voltage_level_id: ["voltage_level_id", "voltage level", "уровень напряжения", "хүчдэлийн түвшин"],
} as const;
export type PointColumn = keyof typeof columns;

const byHeader: ReadonlyMap<string, PointColumn> = new Map(
  (Object.keys(columns) as PointColumn[]).flatMap((column) =>
    columns[column].map((header) => [header, column] as const),
  ),
);

/** The column of a header in any language; undefined for one that is not used. */
export const columnOf = (header: string): PointColumn | undefined =>
  byHeader.get(header.trim().toLowerCase());

const names = ({ ru, en, mn }: Text): string[] => [ru, en, mn].map((name) => name.toLowerCase());

/** A type of points by its number or its name in any language. */
export function typeNamed(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  return pointTypes.find(({ id, title }) => String(id) === wanted || names(title).includes(wanted))?.id;
}
