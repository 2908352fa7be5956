import type { Text } from "./text.ts";

const tab = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Tabs of the data page in the order in which they stand, with their names. Keys are the wire's. */
export const tabs = {
  tariffs: tab("Показания", "Indications", "Заалт"),
  instant_readings: tab("Мгновенные", "Instant readings", "Агшны утга"),
  power_profiles: tab("Профиль мощности", "Power profile", "Чадлын профайл"),
  energy_profiles: tab("Профиль энергии", "Energy profile", "Эрчим хүчний профайл"),
  archives_system_1: tab("Архивы, система 1", "Archives, system 1", "Архив, систем 1"),
  archives_system_2: tab("Архивы, система 2", "Archives, system 2", "Архив, систем 2"),
  archives: tab("Архивы", "Archives", "Архив"),
  summary_readings: tab("Итоговые", "Final readings", "Эцсийн заалт"),
  alarm: tab("Тревоги", "Alarms", "Дохиолол"),
  journal_device: tab("Журнал событий", "Event log", "Үйл явдлын журнал"),
  journal: tab("Журнал опроса", "Poll log", "Асуулгын журнал"),
  info: tab("Справка", "Reference", "Лавлагаа"),
  service_information: tab("Служебная информация", "Service information", "Үйлчилгээний мэдээлэл"),
  heat_calculating: tab("Расчётные", "Calculated readings", "Тооцоот заалт"),
} as const satisfies Record<string, Text>;

export type TabKey = keyof typeof tabs;
