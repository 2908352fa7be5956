import { reasonColumn } from "#accounting/accounting-points";
import { column, text } from "#metering/sheets";

/** Columns of the smart import, in the order of the template. */
export const fields = [
  column("path", "text", text("Объект (путь)", "Object (path)", "Объект (зам)"), {
    example: text("Дархан / Сухэ-Батора / 14", "Darkhan / Sukhbaatar / 14", "Дархан / Сүхбаатар / 14"),
    isNeeded: true,
  }),
  column("type", "text", text("Вид объекта", "Kind of object", "Объектын төрөл"), { example: "house" }),
  column("address", "text", text("Адрес", "Address", "Хаяг"), {
    example: text("Дархан, Сухэ-Батора 14", "Darkhan, Sukhbaatar 14", "Дархан, Сүхбаатар 14"),
  }),
  column("city", "text", text("Город", "City", "Хот"), {
    example: text("Дархан", "Darkhan", "Дархан"),
  }),
  column("street", "text", text("Улица", "Street", "Гудамж"), {
    example: text("Сухэ-Батора", "Sukhbaatar", "Сүхбаатар"),
  }),
  column("house", "number_text", text("Дом", "House", "Байр"), { example: "14" }),
  column("latitude", "number", text("Широта", "Latitude", "Өргөрөг"), { example: "49.4669" }),
  column("longitude", "number", text("Долгота", "Longitude", "Уртраг"), { example: "105.9621" }),
  column("point_name", "text", text("Точка учёта", "Accounting point", "Тооцооны цэг"), {
    example: text("Кв. 31, электричество", "Flat 31, electricity", "31 тоот, цахилгаан"),
  }),
  column("resource_type_id", "resource", text("Ресурс", "Resource", "Нөөц"), {
    example: text("Электричество", "Electricity", "Цахилгаан"),
  }),
  column("consumer", "text", text("Потребитель", "Consumer", "Хэрэглэгч"), {
    example: text("ООО «Алтан Хайрхан»", "Altan Khairkhan LLC", "«Алтан Хайрхан» ХХК"),
  }),
  column(
    "consumer_inn",
    "number_text",
    text("ИНН потребителя", "Tax number of the consumer", "Хэрэглэгчийн татварын дугаар"),
  ),
  column("number_of_contract", "number_text", text("Договор", "Contract", "Гэрээ"), {
    example: text("Э-1024", "E-1024", "Ц-1024"),
  }),
  column("supplier", "text", text("Поставщик", "Supplier", "Нийлүүлэгч"), {
    example: text("Дарханэнерго", "Darkhan Power", "Дархан эрчим хүч"),
  }),
  column(
    "supplier_inn",
    "number_text",
    text("ИНН поставщика", "Tax number of the supplier", "Нийлүүлэгчийн татварын дугаар"),
  ),
  column(
    "create_parties",
    "yes",
    text("Создавать в справочниках", "Make missing parties", "Лавлахад шинээр нэмэх"),
    { example: "1" },
  ),
  column("transformation_ratio", "ratio", text("Коэффициент", "Ratio", "Коэффициент"), { example: "1" }),
  column("valid_from", "day", text("Действует с", "Holds from", "Хүчинтэй эхлэх өдөр"), {
    example: "2026-01-31",
  }),
  column("deviceID", "number_text", text("Номер прибора", "Device number", "Төхөөрөмжийн дугаар"), {
    example: "88402",
  }),
  column("device_name", "text", text("Название прибора", "Device name", "Төхөөрөмжийн нэр")),
  column("model_id", "model", text("Модель", "Model", "Загвар"), { example: "CE102M" }),
  column("interface_id", "interface", text("Интерфейс", "Interface", "Интерфейс"), { example: "RS-485" }),
  column("gatewayID", "gateway", text("Шлюз", "Gateway", "Гарц"), { example: "356307042441013" }),
  column("inside_addr", "number_text", text("Адрес на линии", "Address on the line", "Шугам дээрх хаяг"), {
    example: "12",
  }),
  column("timezone_name", "text", text("Часовой пояс", "Time zone", "Цагийн бүс")),
  column("starting_value", "number", text("Начальное показание", "Starting value", "Эхний заалт")),
  reasonColumn,
];
