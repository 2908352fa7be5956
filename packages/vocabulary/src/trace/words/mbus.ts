import type { StepTable, TraceWords } from "../table.ts";

/** Words of frames of M-Bus, wired and wireless. */
export const mbus = {
  start_short: ["начало короткого кадра", "start, short frame", "богино багцын эхлэл", "hex"],
  start_long: ["начало длинного кадра", "start, long frame", "урт багцын эхлэл", "hex"],
  start_again: ["начало, повтор", "start repeated", "эхлэл, давтан", "hex"],
  l_field: ["длина", "length", "урт"],
  l_field_again: ["длина, повтор", "length repeated", "урт, давтан"],
  c_field: ["управление C", "control C", "удирдлага C", "function hex"],
  a_field: ["адрес A", "address A", "хаяг A", "address"],
  ci_field: ["вид данных CI", "kind of data CI", "өгөгдлийн төрөл CI", "function hex"],
  checksum: ["контрольная сумма", "checksum", "хяналтын нийлбэр", "check"],
  stop: ["конец", "stop", "төгсгөл", "hex"],
  acknowledgement: ["подтверждение", "acknowledgement", "баталгаа", "hex"],
  application_error: ["ошибка прибора", "application error", "төхөөрөмжийн алдаа"],
  identification_number: ["заводской номер", "identification number", "таних дугаар"],
  medium: ["среда", "medium", "орчин"],
  access_number: ["номер ответа", "access number", "хариултын дугаар"],
  configuration: ["настройка шифрования", "configuration", "тохиргоо", "hex"],
  dif: ["вид числа DIF", "DIF, kind of number", "тооны төрөл DIF", "hex"],
  dif_makers_data: ["данные изготовителя DIF", "DIF, manufacturer data", "үйлдвэрлэгчийн өгөгдөл DIF", "hex"],
  dife: ["ячейка и тариф DIFE", "DIFE, storage and tariff", "нүд, тариф DIFE", "hex"],
  vif: ["величина VIF", "VIF, quantity", "хэмжигдэхүүн VIF"],
  filler: ["заполнитель", "filler", "дүүргэгч"],
  makers_data: ["данные изготовителя", "manufacturer data", "үйлдвэрлэгчийн өгөгдөл"],
  global_readout: ["чтение всего", "global readout", "бүгдийг унших"],
  manufacturer_wanted: [
    "изготовитель, FFFF – любой",
    "manufacturer, FFFF any",
    "үйлдвэрлэгч, FFFF бол аль ч",
  ],
  version_wanted: ["версия, 255 – любая", "version, 255 any", "хувилбар, 255 бол аль ч"],
  medium_wanted: ["среда, 255 – любая", "medium, 255 any", "орчин, 255 бол аль ч"],
  medium_low: [
    "младшие биты среды, единица счётчика 1",
    "medium, low bits, and unit of counter 1",
    "орчны бага бит, 1-р тоолуурын нэгж",
  ],
  medium_high: [
    "старшие биты среды, единица счётчика 2",
    "medium, high bits, and unit of counter 2",
    "орчны ахлах бит, 2-р тоолуурын нэгж",
  ],
  counter: ["счётчик {n}", "counter {n}", "тоолуур {n}"],
} as const satisfies TraceWords;

/** Steps of a dialogue in M-Bus, and of the search for meters. */
export const mbusSteps = {
  initialise: ["Начало связи, адрес {n}", "Open the link, address {n}", "Холбоо эхлэх, хаяг {n}"],
  deselect: ["Снять выбор прибора", "Deselect the meter", "Тоолуурын сонголтыг цуцлах"],
  select: ["Выбор прибора {n}", "Select meter {n}", "Тоолуур {n} сонгох"],
  read_telegram: ["Телеграмма {n}", "Telegram {n}", "Телеграмм {n}"],
  read_behind_mask: ["Прибор по маске {n}", "Meter behind the mask {n}", "{n} маскын тоолуур"],
} as const satisfies StepTable;
