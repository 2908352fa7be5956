import { text, type Messages } from "./text.ts";

/** Messages of success of objects, points, balances, periods and validation. */
export const accountingMessages = {
  balance_group_created: text(
    "Балансная группа создана",
    "The balance group has been created",
    "Балансын бүлэг үүслээ",
  ),
  balance_group_deleted: text(
    "Балансная группа удалена",
    "The balance group has been deleted",
    "Балансын бүлэг устлаа",
  ),
  point_created: text("Точка учёта создана", "The accounting point has been created", "Хэмжих цэг үүслээ"),
  points_imported: text(
    "Создано точек учёта: {count}",
    "Accounting points created: {count}",
    "Үүсгэсэн хэмжих цэг: {count}",
  ),
  points_deleted: text(
    "Удалено точек учёта: {count}",
    "Accounting points deleted: {count}",
    "Устгасан хэмжих цэг: {count}",
  ),
  point_tied: text(
    "Точка учёта привязана к объекту",
    "The point is tied to the object",
    "Цэгийг объектод холболоо",
  ),
  point_untied: text("Точка учёта отвязана", "The point is untied", "Цэгийг салгалаа"),
  point_device_tied: text(
    "Прибор привязан к точке учёта",
    "The device is tied to the accounting point",
    "Төхөөрөмжийг хэмжих цэгт холболоо",
  ),
  point_device_untied: text(
    "Прибор отвязан, его показания остаются у точки",
    "The device is untied, its readings stay with the point",
    "Төхөөрөмжийг салгалаа, заалт нь цэгт үлдэнэ",
  ),
  point_device_replaced: text("Прибор заменён", "The device has been replaced", "Төхөөрөмжийг сольсон"),
  point_replacement_undone: text("Замена отменена", "The replacement has been undone", "Солилтыг буцаалаа"),
  object_added: text("Объект добавлен", "The object has been added", "Объект нэмэгдлээ"),
  objects_added: text("Добавлено объектов: {count}", "Objects added: {count}", "Нэмсэн объект: {count}"),
  object_removed: text("Удалено объектов: {count}", "Objects removed: {count}", "Устгасан объект: {count}"),
  object_tied: text(
    "Привязано к объекту: {count}",
    "Placed at the object: {count}",
    "Объектод байрлуулсан: {count}",
  ),
  object_untied: text(
    "Отвязано от объектов: {count}",
    "Taken from their objects: {count}",
    "Объектоос салгасан: {count}",
  ),
  import_begun: text("Файл проверяется", "The file is being checked", "Файлыг шалгаж байна"),
  import_deleted: text("Файл удалён", "The file was deleted", "Файлыг устгалаа"),
  object_counted: text(
    "Счётчики пересчитаны, исправлено узлов: {count}",
    "The counters have been counted anew, corrected: {count}",
    "Тоолуурыг дахин тоолсон, зассан: {count}",
  ),
  period_closed: text("Период закрыт", "The period is closed", "Үе хаагдлаа"),
  period_corrected: text(
    "Корректировка сохранена, версия {version}",
    "The correction has been stored, version {version}",
    "Засварыг хадгаллаа, хувилбар {version}",
  ),
  period_reopened: text("Период открыт снова", "The period is open again", "Үе дахин нээгдлээ"),
  consumer_added: text("Потребитель добавлен", "The consumer has been added", "Хэрэглэгч нэмэгдлээ"),
  consumer_deleted: text("Потребитель удалён", "The consumer has been deleted", "Хэрэглэгч устлаа"),
  consumer_data_erased: text(
    "Данные потребителя стёрты",
    "The data of the consumer have been erased",
    "Хэрэглэгчийн мэдээлэл арчигдлаа",
  ),
  supplier_added: text("Поставщик добавлен", "The supplier has been added", "Нийлүүлэгч нэмэгдлээ"),
  supplier_deleted: text("Поставщик удалён", "The supplier has been deleted", "Нийлүүлэгч устлаа"),
  transformer_added: text(
    "Трансформатор добавлен",
    "The transformer has been added",
    "Трансформатор нэмэгдлээ",
  ),
  transformer_deleted: text(
    "Трансформатор удалён",
    "The transformer has been deleted",
    "Трансформатор устлаа",
  ),
  validation_accepted: text("Принято: {count}", "Accepted: {count}", "Зөвшөөрсөн: {count}"),
  validation_rejected: text("Отклонено: {count}", "Rejected: {count}", "Татгалзсан: {count}"),
  validation_estimated: text("Оценено: {count}", "Estimated: {count}", "Үнэлсэн: {count}"),
  validation_asked: text("Запрошено заново: {count}", "Requested again: {count}", "Дахин хүссэн: {count}"),
  validation_not_asked: text(
    "Приборы этих значений больше не отдадут",
    "The meters keep none of these values",
    "Тоолуур эдгээр утгыг хадгалаагүй",
  ),
  validation_impossible: text(
    "Оценить нечем: не хватает истории",
    "There is nothing to estimate from",
    "Үнэлэх түүх алга",
  ),
  validation_nothing: text(
    "Отменять нечего: решения нет",
    "There is no decision to take back",
    "Буцаах шийдвэр алга",
  ),
  validation_undone: text("Решение отменено", "The decision is taken back", "Шийдвэрийг буцаалаа"),
} as const satisfies Messages;
