import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Success messages of the inbox of exceptions, by code. */
export const validationMessages = {
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
} as const satisfies Record<string, Text>;
