import type { Text } from "./text.ts";

const tab = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Tabs of the data page in display order, with their names. Keys are the wire's. */
export const tabs = {
  tariffs: tab("Показания", "Indications", "Заалт"),
  instant_readings: tab("Мгновенные", "Instant readings", "Агшны утга"),
  power_profiles: tab("Профиль мощности", "Power profile", "Чадлын профайл"),
  energy_profiles: tab("Профиль энергии", "Energy profile", "Эрчим хүчний профайл"),
  archives: tab("Архивы", "Archives", "Архив"),
  archives_system_1: tab("Архивы системы 1", "Archives system 1", "Системийн архив 1"),
  archives_system_2: tab("Архивы системы 2", "Archives system 2", "Системийн архив 2"),
  summary_readings: tab("Итоговые показания", "Final readings", "Эцсийн заалт"),
  heat_calculating: tab("Расчётные показания", "Calculated readings", "Тооцоот заалт"),
  alarm: tab("Аварии", "Alarms", "Дохиолол"),
  info: tab("Справочная", "Reference information", "Лавлагаа"),
  service_information: tab("Служебная информация", "Service information", "Үйлчилгээний мэдээлэл"),
  journal_device: tab("Журнал событий", "Event log", "Үйл явдлын журнал"),
  journal: tab("Журнал опроса", "Poll log", "Асуулгын журнал"),
} as const satisfies Record<string, Text>;

export type TabKey = keyof typeof tabs;
