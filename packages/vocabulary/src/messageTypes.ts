import type { Text } from "./text.ts";

/**
 * Message types (`msgType`) that are stored. Ids of 100 and more are archives, whose slot is a closed period.
 */
const table = {
  1: { key: "readings", title: { ru: "Показания", en: "Readings", mn: "Заалт" } },
  2: {
    key: "instant_readings",
    title: { ru: "Мгновенные значения", en: "Instant readings", mn: "Агшны утга" },
  },
  3: { key: "alarm", title: { ru: "Тревоги", en: "Alarms", mn: "Дохиолол" } },
  5: { key: "power_profile", title: { ru: "Профиль мощности", en: "Power profile", mn: "Чадлын профайл" } },
  6: {
    key: "service_information",
    title: { ru: "Служебная информация", en: "Service information", mn: "Үйлчилгээний мэдээлэл" },
  },
  7: {
    key: "journal_device",
    title: { ru: "Журнал прибора", en: "Device journal", mn: "Төхөөрөмжийн журнал" },
  },
  10: {
    key: "energy_profile",
    title: { ru: "Профиль энергии", en: "Energy profile", mn: "Эрчим хүчний профайл" },
  },
  100: { key: "hourly", title: { ru: "Часовой архив", en: "Hourly archive", mn: "Цагийн архив" } },
  101: { key: "daily", title: { ru: "Суточный архив", en: "Daily archive", mn: "Өдрийн архив" } },
  103: { key: "monthly", title: { ru: "Месячный архив", en: "Monthly archive", mn: "Сарын архив" } },
} as const satisfies Record<number, { key: string; title: Text }>;

export type MessageTypeId = keyof typeof table;
export const messageTypes: Readonly<Record<MessageTypeId, { readonly key: string; readonly title: Text }>> =
  table;
export const messageTypeIds = Object.keys(table).map(Number) as readonly MessageTypeId[];

export function isMessageType(id: number): id is MessageTypeId {
  return Object.hasOwn(table, id);
}

/** Where a reading came from. Stored as a small number: never renumber. */
export const sources = { polled: 1, pushed: 2, imported: 3, manual: 4, calculated: 5 } as const;
export type Source = keyof typeof sources;

/**
 * Quality of a stored value. Stored as a small number: never renumber. `rank` decides replacement: a status
 * of higher rank replaces one of lower or equal rank, never the reverse. What a person has entered ranks below what was
 * measured until it is confirmed, which makes it corrected.
 */
export const statuses = {
  measured: { id: 1, rank: 40 },
  late: { id: 2, rank: 40 },
  suspect: { id: 3, rank: 20 },
  rejected: { id: 4, rank: 10 },
  estimated: { id: 5, rank: 30 },
  corrected: { id: 6, rank: 60 },
  manual: { id: 7, rank: 38 },
} as const;
export type Status = keyof typeof statuses;
