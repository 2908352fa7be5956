import { column, text } from "#metering/sheets";

/** The column of the reason for which a starting value counts that the device contradicts. */
export const reasonColumn = column(
  "confirm_reason",
  "text",
  text("Причина подтверждения показания", "Why the starting value counts", "Эхний заалтыг баталсан шалтгаан"),
);

/** Columns of a file of points, of which each row fills the first two. */
export const importFields = [
  column("title", "text", text("Название", "Name", "Нэр"), {
    isNeeded: true,
    names: [
      ...["наименование", "точка учёта", "наименование точки учёта", "название точки учёта", "point"],
      ...["accounting point", "тооцооны цэг"],
    ],
  }),
  column("resource_type_id", "resource", text("Ресурс", "Resource", "Нөөц"), {
    isNeeded: true,
    names: ["вид ресурса", "тип ресурса", "энергоресурс", "resource type"],
  }),
  column("parent_id", "number", text("Объект", "Object", "Объект"), { names: ["object_id"] }),
  column("city", "text", text("Город", "City", "Хот")),
  column("street", "text", text("Улица", "Street", "Гудамж")),
  column("house", "number_text", text("Дом", "House", "Байшин"), { names: ["байр"] }),
  column("innerObject", "number_text", text("Квартира", "Flat", "Тоот"), {
    names: ["помещение", "№ квартиры", "номер квартиры", "кв.", "apartment", "inner object"],
  }),
  column("timezone", "text", text("Часовой пояс", "Time zone", "Цагийн бүс")),
  column("comment", "text", text("Комментарий", "Comment", "Тайлбар"), { names: ["примечание", "note"] }),
  column("deviceID", "number_text", text("Прибор", "Device", "Төхөөрөмж"), {
    names: ["прибор учёта", "номер пу", "№ пу"],
  }),
  column("starting_value", "number", text("Начальное показание", "Opening reading", "Эхний заалт"), {
    names: ["starting value"],
  }),
  reasonColumn,
  column("transformation_ratio", "ratio", text("Коэффициент", "Ratio", "Коэффициент"), {
    names: ["коэффициент трансформации", "transformation ratio"],
  }),
  column("loss_factor", "number", text("Потери", "Losses", "Алдагдал")),
  column("contract_power", "number", text("Мощность", "Contract power", "Гэрээт чадал"), {
    names: ["договорная мощность", "разрешённая мощность", "максимальная мощность"],
  }),
  column("voltage_level_id", "number", text("Уровень напряжения", "Voltage level", "Хүчдэлийн түвшин")),
];
