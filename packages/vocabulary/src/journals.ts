import type { Text } from "./text.ts";

const title = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Event journals that meters keep, by subject. */
export const journals = {
  voltage: title("События напряжения", "Voltage events", "Хүчдэлийн үйл явдал"),
  current: title("События тока", "Current events", "Гүйдлийн үйл явдал"),
  power: title("Включение и выключение", "Switching on and off", "Асаалт ба унтраалт"),
  settings: title("Изменение настроек", "Changes of settings", "Тохиргооны өөрчлөлт"),
  external: title("Внешние воздействия", "External influences", "Гадны нөлөө"),
  communication: title("События связи", "Communication events", "Холбооны үйл явдал"),
  access: title("Контроль доступа", "Access control", "Хандалтын хяналт"),
  self_check: title("Самодиагностика", "Self-diagnostics", "Өөрийн оношилгоо"),
  reactive_power: title(
    "Превышение реактивной мощности",
    "Excess of reactive power",
    "Реактив чадлын хэтрэлт",
  ),
} as const satisfies Record<string, Text>;

export type JournalName = keyof typeof journals;
