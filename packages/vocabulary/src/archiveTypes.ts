import { messageTypes } from "./messageTypes.ts";
import type { Text } from "./text.ts";

/** An archive that a user can request from a meter. */
export interface ArchiveType {
  readonly key: string;
  readonly title: Text;
  /** Longest period of one request and of one view, in days. */
  readonly maxDays: number;
  /** Period of its rows; "any": their times are those of the meter. */
  readonly period: "hour" | "day" | "week" | "month" | "quarter" | "half_year" | "year" | "any";
}

const archive = (
  [key, period, maxDays]: readonly [string, ArchiveType["period"], number],
  ru: string,
  en: string,
  mn: string,
): ArchiveType => ({ key, period, maxDays, title: { ru, en, mn } });

const hour = ["hour", 100] as const;
const day = ["day", 732] as const;
const week = ["week", 1098] as const;
const month = ["month", 3660] as const;
const quarter = ["quarter", 7320] as const;
const halfYear = ["half_year", 7320] as const;
const year = ["year", 7320] as const;

/** Archives by message type: values of a period, counters at its end (integral), sums, and two without a period. */
export const archiveTypes = {
  100: { key: "hourly", period: "hour", maxDays: 100, title: messageTypes[100].title },
  101: { key: "daily", period: "day", maxDays: 732, title: messageTypes[101].title },
  102: archive(["weekly", ...week], "Недельный архив", "Weekly archive", "Долоо хоногийн архив"),
  103: { key: "monthly", period: "month", maxDays: 3660, title: messageTypes[103].title },
  104: archive(["quarterly", ...quarter], "Квартальный архив", "Quarterly archive", "Улирлын архив"),
  105: archive(
    ["half_yearly", ...halfYear],
    "Полугодовой архив",
    "Half-yearly archive",
    "Хагас жилийн архив",
  ),
  106: archive(["yearly", ...year], "Годовой архив", "Yearly archive", "Жилийн архив"),
  107: archive(
    ["integral_hourly", ...hour],
    "Интегральный часовой архив",
    "Integral hourly archive",
    "Интеграл цагийн архив",
  ),
  108: archive(
    ["integral_daily", ...day],
    "Интегральный суточный архив",
    "Integral daily archive",
    "Интеграл өдрийн архив",
  ),
  109: archive(
    ["integral_weekly", ...week],
    "Интегральный недельный архив",
    "Integral weekly archive",
    "Интеграл долоо хоногийн архив",
  ),
  110: archive(
    ["integral_monthly", ...month],
    "Интегральный месячный архив",
    "Integral monthly archive",
    "Интеграл сарын архив",
  ),
  111: archive(
    ["integral_quarterly", ...quarter],
    "Интегральный квартальный архив",
    "Integral quarterly archive",
    "Интеграл улирлын архив",
  ),
  112: archive(
    ["integral_half_yearly", ...halfYear],
    "Интегральный полугодовой архив",
    "Integral half-yearly archive",
    "Интеграл хагас жилийн архив",
  ),
  113: archive(
    ["integral_yearly", ...year],
    "Интегральный годовой архив",
    "Integral yearly archive",
    "Интеграл жилийн архив",
  ),
  114: archive(
    ["summary_hourly", ...hour],
    "Итоговый часовой архив",
    "Summary hourly archive",
    "Нийлбэр цагийн архив",
  ),
  115: archive(
    ["summary_daily", ...day],
    "Итоговый суточный архив",
    "Summary daily archive",
    "Нийлбэр өдрийн архив",
  ),
  116: archive(
    ["summary_weekly", ...week],
    "Итоговый недельный архив",
    "Summary weekly archive",
    "Нийлбэр долоо хоногийн архив",
  ),
  117: archive(
    ["summary_monthly", ...month],
    "Итоговый месячный архив",
    "Summary monthly archive",
    "Нийлбэр сарын архив",
  ),
  118: archive(
    ["summary_quarterly", ...quarter],
    "Итоговый квартальный архив",
    "Summary quarterly archive",
    "Нийлбэр улирлын архив",
  ),
  119: archive(
    ["summary_half_yearly", ...halfYear],
    "Итоговый полугодовой архив",
    "Summary half-yearly archive",
    "Нийлбэр хагас жилийн архив",
  ),
  120: archive(
    ["summary_yearly", ...year],
    "Итоговый годовой архив",
    "Summary yearly archive",
    "Нийлбэр жилийн архив",
  ),
  121: archive(["arbitrary", "any", 100], "Произвольный архив", "Arbitrary archive", "Чөлөөт архив"),
  125: archive(
    ["billing_period_end", "any", 3660],
    "Архив на конец расчётного периода",
    "Archive at the end of the billing period",
    "Тооцооны үеийн эцсийн архив",
  ),
} as const satisfies Record<number, ArchiveType>;

export type ArchiveTypeId = keyof typeof archiveTypes;
export const archiveTypeIds = Object.keys(archiveTypes).map(Number) as readonly ArchiveTypeId[];

export const isArchiveType = (id: number): id is ArchiveTypeId => Object.hasOwn(archiveTypes, id);

/** Archives offered for a device whose model names none. */
export const usualArchiveTypes = [100, 101, 103] as const satisfies readonly ArchiveTypeId[];

/** `management.type` of these archives; of the others it is their message type. */
const wireTypes: Readonly<Partial<Record<ArchiveTypeId, number>>> = { 100: 0, 101: 1, 103: 2 };

/** Value of `management.type` in a request of an archive. */
export const archiveWireType = (id: ArchiveTypeId): number => wireTypes[id] ?? id;

/** The archive of a value of `management.type`; undefined if there is none. */
export const archiveOfWireType = (type: number): ArchiveTypeId | undefined =>
  archiveTypeIds.find((id) => archiveWireType(id) === type);

/** Whether a request of an archive names a time of day: daily and monthly ones do not. */
export const hasTimeOfDay = (id: ArchiveTypeId): boolean => {
  const type = archiveWireType(id);
  return type !== 1 && type !== 2;
};
