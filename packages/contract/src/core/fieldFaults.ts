import type { Text } from "@metrum/vocabulary";
import { fileFaults } from "./fileFaults.ts";

/** Values for `{name}` in a text. */
export type Params = Readonly<Record<string, string | number>>;

const fault = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/**
 * Fault of one field of an input, worded for the user. `{name}` is replaced by a parameter of the fault.
 * Custom checks of a schema use one of these codes as their message; built-in checks are mapped to codes by
 * the server.
 */
export const fieldFaults = {
  wrong: fault("неверное значение", "a wrong value", "буруу утга"),
  required: fault("обязательное поле", "is needed", "заавал бөглөнө"),
  unknown_field: fault("такого поля нет", "there is no such field", "ийм талбар алга"),
  text_needed: fault("нужен текст", "a text is needed", "текст хэрэгтэй"),
  number_needed: fault("нужно число", "a number is needed", "тоо хэрэгтэй"),
  number_unsure: fault(
    "«{text}» – тысячи или дробь? Напишите целое без запятой, а дробь — с точкой",
    "“{text}” may be thousands or a fraction: write the first without a comma, the second with a point",
    "«{text}» – мянга уу, бутархай юу? Бүхлийг таслалгүй, бутархайг цэгтэй бичнэ үү",
  ),
  whole_needed: fault("нужно целое число", "a whole number is needed", "бүхэл тоо хэрэгтэй"),
  yes_or_no_needed: fault("нужно true или false", "true or false is needed", "true эсвэл false хэрэгтэй"),
  list_needed: fault("нужен список", "a list is needed", "жагсаалт хэрэгтэй"),
  object_needed: fault("нужен объект", "an object is needed", "объект хэрэгтэй"),
  text_short: fault("не короче {least} знаков", "at least {least} characters", "{least}-аас цөөнгүй тэмдэгт"),
  text_long: fault("не длиннее {most} знаков", "at most {most} characters", "{most}-аас ихгүй тэмдэгт"),
  few: fault("не меньше {least} элементов", "at least {least} items", "{least}-аас цөөнгүй элемент"),
  many: fault("не больше {most} элементов", "at most {most} items", "{most}-аас ихгүй элемент"),
  small: fault("не меньше {least}", "at least {least}", "{least}-аас багагүй"),
  large: fault("не больше {most}", "at most {most}", "{most}-аас ихгүй"),
  above: fault("больше {least}", "more than {least}", "{least}-аас их"),
  below: fault("меньше {most}", "less than {most}", "{most}-аас бага"),
  reading_below: fault(
    "меньше предыдущего показания {before}",
    "below the reading before it, {before}",
    "өмнөх {before} заалтаас бага",
  ),
  reading_beyond: fault(
    "больше следующего показания {after}",
    "above the reading after it, {after}",
    "дараагийн {after} заалтаас их",
  ),
  reading_above: fault(
    "прирост {grown} намного больше ожидаемого",
    "the growth of {grown} is far above the expected one",
    "{grown} өсөлт хүлээснээс хэт их",
  ),
  range: fault("вне допустимых пределов", "outside the allowed range", "зөвшөөрсөн хязгаараас гадуур"),
  taken: fault("уже занято", "already in use", "аль хэдийн ашиглагдсан"),
  not_one_of: fault("одно из: {values}", "one of: {values}", "дараахын нэг: {values}"),
  not_multiple: fault("кратное {of}", "a multiple of {of}", "{of}-д хуваагдах тоо"),
  format: fault("неверный формат", "a wrong format", "буруу формат"),
  size: fault("слишком большое значение", "the value is too large", "утга хэт том"),
  depth: fault("слишком глубокая вложенность", "nested too deeply", "хэт гүн давхарласан"),
  unstorable: fault(
    "содержит знаки, которые нельзя сохранить",
    "contains characters that cannot be stored",
    "хадгалах боломжгүй тэмдэгт агуулсан",
  ),
  zone: fault("неизвестный часовой пояс", "an unknown time zone", "үл мэдэгдэх цагийн бүс"),
  module: fault("неизвестный раздел", "an unknown module", "үл мэдэгдэх хэсэг"),
  modules_above: fault(
    "не из разделов вышестоящей компании",
    "not modules of the parent company",
    "дээд компанийн хэсгүүд биш",
  ),
  admin_group: fault(
    "у администратора нет группы доступа",
    "an administrator has no access group",
    "администраторт хандалтын бүлэг байхгүй",
  ),
  hours_order: fault(
    "часы пересекаются или кончаются раньше, чем начались",
    "ranges overlap or end before they start",
    "цагууд давхцсан эсвэл эхлэхээсээ өмнө дуусна",
  ),
  month_twice: fault("месяц назван дважды", "a month occurs twice", "сар хоёр удаа орсон"),
  time_twice: fault(
    "это время уже есть в расписании",
    "this time is already in the schedule",
    "энэ цаг хуваарьт аль хэдийн бий",
  ),
  time_order: fault(
    "раньше первого времени этого тарифа",
    "before the first time of this tariff",
    "энэ тарифын эхний цагаас өмнө",
  ),
  task_twice: fault("задача названа дважды", "a task occurs twice", "даалгавар хоёр удаа орсон"),
  path: fault(
    "нужен путь, например data.items[0].value",
    "must be a path such as data.items[0].value",
    "data.items[0].value мэт зам хэрэгтэй",
  ),
  topic: fault(
    "нужны части темы с {device}, + и # в конце",
    "must consist of topic levels, {device}, + and # at the end",
    "{device}, +, төгсгөлд # бүхий сэдвийн хэсгүүд хэрэгтэй",
  ),
  value_field: fault("нет такого поля: {name}", "no such field: {name}", "ийм талбар алга: {name}"),
  device_once: fault(
    "прибор назван один раз: {device} здесь или device_path",
    "the device must be identified once: by {device} here or by device_path",
    "төхөөрөмжийг нэг удаа: энд {device}-ээр эсвэл device_path-аар",
  ),
  key_form: fault(
    "ключ — 32 шестнадцатеричных знака",
    "a key is 32 hexadecimal digits",
    "түлхүүр нь арван зургаатын 32 орон",
  ),
  password_form: fault(
    "не такого вида, как требует протокол прибора",
    "not of the form required by the protocol of the device",
    "төхөөрөмжийн протоколд тохирох хэлбэр биш",
  ),
  other_resource: fault("точка другого ресурса", "a point of another resource", "өөр нөөцийн цэг"),
  other_zone: fault(
    "сутки этой точки в другом часовом поясе",
    "days of this point are in another time zone",
    "энэ цэгийн хоног өөр цагийн бүсэд",
  ),
  twice: fault("указано дважды", "given twice", "хоёр удаа заасан"),
  not_of_model: fault("этой модели не нужно", "not used by the model", "энэ загварт хэрэггүй"),
  line_refused: fault(
    "к этому адресу подключаться нельзя",
    "not an address that may be connected to",
    "холбогдож болох хаяг биш",
  ),
  port_refused: fault(
    "порт выдаёт поставщик, и он должен быть свободен",
    "a port is assigned by the provider, and must be free",
    "портыг нийлүүлэгч олгох бөгөөд сул байх ёстой",
  ),
  dials_in: fault(
    "шлюз этой модели подключается сам",
    "a gateway of this model dials in by itself",
    "энэ загварын гарц өөрөө холбогддог",
  ),
  not_polled: fault(
    "приборы этой модели не опрашиваются",
    "devices of this model are not polled",
    "энэ загварын төхөөрөмжийг асуудаггүй",
  ),
  device_address: fault(
    "адрес не подходит к протоколу модели",
    "not an address of the protocol of the model",
    "загварын протоколд тохирох хаяг биш",
  ),
  unknown_device: fault("такого прибора нет", "there is no such device", "ийм төхөөрөмж алга"),
  unknown_gateway: fault("такого шлюза нет", "there is no such gateway", "ийм гарц алга"),
  gateway_names: fault(
    "это название есть у нескольких шлюзов: укажите номер",
    "several gateways have this name: give the number",
    "хэд хэдэн гарц ийм нэртэй: дугаарыг бичнэ үү",
  ),
  ratio_needed: fault(
    "нужен коэффициент: 40 или 200/5",
    "a ratio is needed: 40 or 200/5",
    "коэффициент хэрэгтэй: 40 эсвэл 200/5",
  ),
  unknown_model: fault("такой модели нет", "there is no such model", "ийм загвар алга"),
  model_like: fault(
    "такой модели нет; похожие: {names}",
    "there is no such model; like it: {names}",
    "ийм загвар алга; төстэй: {names}",
  ),
  unknown_interface: fault("такого интерфейса нет", "there is no such interface", "ийм интерфейс алга"),
  unknown_station: fault(
    "такой базовой станции нет, или их несколько",
    "there is no such base station, or several",
    "ийм суурь станц алга эсвэл хэд хэд байна",
  ),
  unknown_resource: fault("такого ресурса нет", "there is no such resource", "ийм нөөц алга"),
  day_needed: fault(
    "нужна дата: 2026-01-31 или 31.01.2026",
    "a date is needed: 2026-01-31 or 31.01.2026",
    "огноо хэрэгтэй: 2026-01-31 эсвэл 31.01.2026",
  ),
  unknown_party: fault(
    "такого нет в справочнике, или их несколько",
    "there is none in the directory, or several",
    "лавлахад алга эсвэл хэд хэд байна",
  ),
  no_device_rights: fault(
    "нет прав на приборы: уберите прибор из строки",
    "no rights on devices: remove the device from the row",
    "төхөөрөмжийн эрх алга: төхөөрөмжийг мөрөөс хасна уу",
  ),
  path_deep: fault(
    "путь из 1–{most} названий через « / »",
    "a path of 1 to {most} names separated by /",
    "« / »-ээр тусгаарласан 1–{most} нэрийн зам",
  ),
  changed_since: fault(
    "«{name}» изменено или используется",
    "{name} was changed or is in use",
    "{name} өөрчлөгдсөн эсвэл ашиглагдаж байна",
  ),
  company_off: fault(
    "компании нет, или она выключена",
    "the company is unknown or switched off",
    "компани алга эсвэл унтраалттай",
  ),
  dev_eui: fault(
    "нужны 16 шестнадцатеричных цифр",
    "16 hexadecimal digits are needed",
    "арван зургаатын 16 орон хэрэгтэй",
  ),
  device_and_field: fault(
    "нужны прибор и поле: «прибор/поле»",
    "a device and a field are needed: device/field",
    "төхөөрөмж, талбар хоёр хэрэгтэй: «төхөөрөмж/талбар»",
  ),
  hex_needed: fault(
    "нужны шестнадцатеричные цифры",
    "hexadecimal digits are needed",
    "арван зургаатын орон хэрэгтэй",
  ),
  whole_between: fault(
    "целое число от {least} до {most}",
    "a whole number from {least} to {most}",
    "{least}-аас {most} хүртэлх бүхэл тоо",
  ),
  other_of_model: fault(
    "модели подходит другое значение",
    "another value follows from the model",
    "загварт өөр утга тохирно",
  ),
  not_above: fault("больше, чем наибольшее значение", "more than the largest value", "хамгийн их утгаас их"),
  sooner_than_reports: fault(
    "не короче периода опроса",
    "not shorter than the report period",
    "асуулгын үеэс богино биш",
  ),
  in_poll_group: fault(
    "период задаёт группа опроса прибора",
    "the poll group of the device sets the period",
    "үеийг төхөөрөмжийн асуулгын бүлэг тогтооно",
  ),
  archive_not_kept: fault(
    "прибор такого архива не хранит",
    "the device keeps no such archive",
    "төхөөрөмж ийм архив хадгалдаггүй",
  ),
  journal_not_kept: fault(
    "прибор такого журнала не ведёт",
    "the device keeps no such journal",
    "төхөөрөмж ийм журнал хөтөлдөггүй",
  ),
  erased: fault(
    "уже стёрто: прибор хранит последние {days} сут",
    "no longer in the memory of the device, which keeps the last {days} days",
    "санах ойгоос арчигдсан: төхөөрөмж сүүлийн {days} хоногийг хадгалдаг",
  ),
  in_future: fault("ещё не наступило", "still in the future", "хараахан болоогүй"),
  before_start: fault("раньше начала", "before the beginning", "эхлэлээс өмнө"),
  one_gap: fault(
    "промежутков без счётчика два: исправьте концы по одному",
    "two times without a meter change: correct one end at a time",
    "тоолуургүй хоёр завсар байна: төгсгөлүүдийг нэг нэгээр нь засна уу",
  ),
  period_closed: fault(
    "период с {from} по {to} закрыт",
    "the period from {from} to {to} is closed",
    "{from}-аас {to} хүртэлх үе хаагдсан",
  ),
  period_long: fault(
    "период не длиннее {days} сут",
    "the period is at most {days} days",
    "хугацаа {days} хоногоос ихгүй",
  ),
  inn: fault("10 или 12 цифр", "10 or 12 digits", "10 эсвэл 12 орон"),
  email: fault("неверный адрес почты", "not an e-mail address", "и-мэйл хаяг буруу"),
  phone: fault(
    "неверный номер телефона: 10–15 знаков",
    "not a phone number of 10 to 15 characters",
    "утасны дугаар буруу: 10–15 тэмдэгт",
  ),
  only_organisation: fault(
    "только у юридического лица",
    "only an organisation has it",
    "зөвхөн байгууллагад байна",
  ),
  only_person: fault("только у физического лица", "only a person has it", "зөвхөн хувь хүнд байна"),
  coefficient: fault(
    "не ноль и не больше трёх знаков после запятой",
    "not 0, with at most three decimals",
    "0 биш, таслалаас хойш гурваас ихгүй орон",
  ),
  virtual_twice: fault("поле задано дважды", "the field is defined twice", "талбарыг хоёр удаа тодорхойлсон"),
  virtual_kind: fault(
    "складывать можно только поля одного вида и единицы",
    "only fields of one kind and unit can be summed",
    "зөвхөн нэг төрөл, нэгжийн талбарыг нэмнэ",
  ),
  virtual_cycle: fault(
    "прибор вычислялся бы из самого себя",
    "the device would be computed of itself",
    "төхөөрөмж өөрөөсөө тооцоологдох болно",
  ),
  virtual_depth: fault(
    "виртуальные приборы вложены глубже {max} уровней",
    "virtual devices are nested deeper than {max} levels",
    "виртуал төхөөрөмж {max} түвшнээс гүн",
  ),
  virtual_gateway: fault(
    "у виртуального прибора нет шлюза",
    "a virtual device has no gateway",
    "виртуал төхөөрөмжид гарц байхгүй",
  ),
  source_in_trash: fault(
    "прибор-источник в корзине",
    "the source is in the trash",
    "эх төхөөрөмж хогийн саванд байна",
  ),
  not_supported_yet: fault("пока не поддерживается", "not supported yet", "одоогоор дэмжихгүй"),
  ...fileFaults,
} as const satisfies Record<string, Text>;

export type FieldFaultCode = keyof typeof fieldFaults;

/** One fault of a field with its parameters. */
export interface FieldFault {
  readonly fault: FieldFaultCode;
  readonly params: Params;
  /** What it is the fault of, if the place names more: a column of a row, the path in a file. */
  readonly of?: string;
}

export const fieldFault = (code: FieldFaultCode, params: Params = {}, of?: string): FieldFault => ({
  fault: code,
  params,
  ...(of === undefined ? {} : { of }),
});

export const isFieldFaultCode = (text: string): text is FieldFaultCode => Object.hasOwn(fieldFaults, text);
