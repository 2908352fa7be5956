import type { Text } from "@metrum/vocabulary";

const fault = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Faults of files: of their kind, their size, their columns and their cells. */
export const fileFaults = {
  cell_error: fault("в ячейке ошибка {text}", "the cell holds the error {text}", "нүдэнд {text} алдаа байна"),
  digits_lost: fault(
    "таблица округлила номер: сделайте ячейку текстовой и введите его снова",
    "the spreadsheet has rounded the number: make the cell text and enter it again",
    "хүснэгт дугаарыг бүхэлчилсэн: нүдийг текст болгоод дахин оруулна уу",
  ),
  date_for_number: fault(
    "таблица сделала из номера дату: сделайте ячейку текстовой и введите его снова",
    "the spreadsheet has made a date of the number: make the cell text and enter it again",
    "хүснэгт дугаарыг огноо болгосон: нүдийг текст болгоод дахин оруулна уу",
  ),
  digits_many: fault(
    "больше цифр, чем можно сохранить",
    "more digits than can be stored",
    "хадгалах боломжгүй олон оронтой",
  ),
  same_in_file: fault(
    "тот же номер, что в строке {row}",
    "the same number as in row {row}",
    "{row}-р мөртэй ижил дугаар",
  ),
  not_a_table: fault(
    "файл не читается как таблица",
    "the file cannot be read as a table",
    "файлыг хүснэгт болгон уншиж болохгүй",
  ),
  encrypted: fault("файл защищён паролем", "the file is encrypted", "файл нууц үгтэй"),
  has_macros: fault(
    "в файле есть макросы или внешние ссылки",
    "the file has macros or links to other files",
    "файлд макро эсвэл гадаад холбоос байна",
  ),
  has_entities: fault(
    "в файле есть запрещённые объявления XML",
    "the file has forbidden XML declarations",
    "файлд хориотой XML тодорхойлолт байна",
  ),
  empty: fault("под заголовками нет строк", "there are no rows below the headings", "гарчгийн доор мөр алга"),
  too_large: fault("файл слишком большой", "the file is too large", "файл хэт том"),
  too_many_rows: fault("слишком много строк", "too many rows", "хэт олон мөр"),
  too_many_columns: fault("слишком много столбцов", "too many columns", "хэт олон багана"),
  line_long: fault("слишком длинная строка", "a line is too long", "мөр хэт урт"),
  too_slow: fault(
    "чтение занимает слишком долго: разделите файл или сохраните его как CSV",
    "takes too long to read: divide the file or save it as CSV",
    "уншихад хэт удаж байна: файлыг хуваах эсвэл CSV хэлбэрээр хадгална уу",
  ),
  format_large: fault(
    "для ODS и XLS в файле слишком много ячеек: сохраните его как XLSX или CSV",
    "too many cells for ODS and XLS: save the file as XLSX or CSV",
    "ODS ба XLS-д хэт олон нүдтэй: файлыг XLSX эсвэл CSV хэлбэрээр хадгална уу",
  ),
  not_json: fault("это не JSON", "not JSON", "JSON биш"),
  no_readings: fault("нет показаний", "no readings", "заалт алга"),
  not_a_file: fault(
    "не обычный файл, или больше {most} байт",
    "not a plain file, or larger than {most} bytes",
    "энгийн файл биш, эсвэл {most} байтаас том",
  ),
  device_column: fault(
    "нужен один из двух столбцов: deviceID или device_id",
    "deviceID or device_id: one of the two",
    "deviceID, device_id хоёрын нэг багана хэрэгтэй",
  ),
  column_missing: fault("нет такого столбца", "there is no such column", "ийм багана алга"),
  column_twice: fault("столбец назван дважды", "a column stands there twice", "багана хоёр удаа байна"),
  columns_without_field: fault(
    "ни один столбец не содержит показаний",
    "no column is a field",
    "заалтын багана алга",
  ),
  cells_many: fault(
    "ячеек больше, чем {columns} в строке заголовков",
    "more cells where the header has {columns}",
    "гарчгийн мөр {columns} нүдтэй, энд илүү байна",
  ),
  cells_few: fault(
    "ячеек {count}, а в строке заголовков {columns}",
    "{count} cells where the header has {columns}",
    "гарчгийн мөр {columns} нүдтэй, энд {count} байна",
  ),
  time_needed: fault(
    "нужны секунды Unix или дата со временем",
    "neither epoch seconds nor a date with a time",
    "Unix секунд эсвэл цагтай огноо хэрэгтэй",
  ),
  time_skipped: fault(
    "такого времени нет в поясе {zone}: часы перевели вперёд",
    "does not exist in {zone}, where the clock was put forward",
    "{zone} бүсэд ийм цаг алга: цагийг урагшлуулсан",
  ),
  time_repeated: fault(
    "это время было дважды в поясе {zone}: укажите его с поясом",
    "occurs twice in {zone}: give it with its zone",
    "{zone} бүсэд энэ цаг хоёр удаа болсон: бүстэй нь бичнэ үү",
  ),
  message_type: fault("такого типа сообщений нет", "no such message type", "ийм мэдээний төрөл алга"),
  value_missing: fault("нет ни одного значения", "no value", "утга алга"),
  payload_refused: fault(
    "в файле нужны значения, а не данные прибора",
    "a file brings values",
    "файлд төхөөрөмжийн өгөгдөл биш, утга хэрэгтэй",
  ),
  device_unsure: fault(
    "такого прибора нет, или их несколько",
    "no such device, or several",
    "ийм төхөөрөмж алга эсвэл хэд хэд байна",
  ),
  fields_of_others: fault(
    "у модели этого прибора такого нет",
    "not of the model of this device",
    "энэ төхөөрөмжийн загварт байхгүй",
  ),
  one_device: fault(
    "прибор называют один раз: deviceID или device_id",
    "the device is named once: deviceID or device_id",
    "төхөөрөмжийг нэг удаа нэрлэнэ: deviceID эсвэл device_id",
  ),
  one_content: fault(
    "нужно одно из двух: values или payload",
    "one of the two is needed: values or payload",
    "хоёрын нэг хэрэгтэй: values эсвэл payload",
  ),
} as const satisfies Readonly<Record<string, Text>>;
