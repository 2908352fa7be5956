import type { TFunction } from "i18next";

/** "2026-09" as "September 2026". */
export function monthTitle(month: string, t: TFunction): string {
  const [year = "", number = ""] = month.split("-");
  return t("common:calendar.title", { month: t(`common:calendar.month.${String(Number(number))}`), year });
}
