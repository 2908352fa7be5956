import type { EstimationMethod } from "@metrum/contract/accounting";
import type { Language, Text } from "@metrum/vocabulary";
import type { Proposal } from "../estimate/index.ts";
import { text } from "../kinds/index.ts";
import { dateText, filled } from "./words.ts";

export const methodTitles: Readonly<Record<EstimationMethod, Text>> = {
  interpolation: text("Интерполяция", "Interpolation", "Интерполяци"),
  same_day_type: text("Такие же дни", "Same days of the week", "Ижил гарагууд"),
  last_year: text("Прошлый год", "Last year", "Өнгөрсөн жил"),
  profile: text("Профиль группы", "Profile of the group", "Бүлгийн профайл"),
  given: text("Задано человеком", "Given by a person", "Хүн өгсөн"),
};

const how: Readonly<Record<EstimationMethod, Text>> = {
  interpolation: text(
    "Оценка: прямая между соседними значениями",
    "Estimate: a line between the values around",
    "Үнэлгээ: хөрш утгын хоорондох шугам",
  ),
  same_day_type: text(
    "Оценка: среднее тех же часов {days}",
    "Estimate: mean of the same hours on {days}",
    "Үнэлгээ: {days}-ны ижил цагийн дундаж",
  ),
  last_year: text(
    "Оценка: те же часы год назад",
    "Estimate: the same hours a year ago",
    "Үнэлгээ: жилийн өмнөх ижил цаг",
  ),
  profile: text(
    "Оценка: по форме нагрузки таких же приборов",
    "Estimate: by the load of the same devices",
    "Үнэлгээ: ижил төхөөрөмжийн ачааллаар",
  ),
  given: text("Расход задан человеком", "Consumption given by a person", "Хэрэглээг хүн өгсөн"),
};

const fitted = {
  register: text(
    ", сведено с показаниями суток",
    ", fitted to the register of the day",
    ", өдрийн заалтад тааруулсан",
  ),
  neighbours: text(
    ", сведено с показаниями до и после",
    ", fitted to the readings before and after",
    ", өмнөх ба дараах заалтад тааруулсан",
  ),
};

/** How values were estimated, in words. */
export function methodWords({ method, days, fittedTo }: Proposal, language: Language, zone: string): string {
  const named = days.map((at) => dateText(at, zone)).join(", ");
  const end = fittedTo ? fitted[fittedTo][language] : "";
  return `${filled(how[method], language, { values: { days: named } })}${end}.`;
}
