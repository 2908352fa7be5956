import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** What the server says after something was done, by code. */
export const messages = {
  saved: text("Сохранено", "Saved", "Хадгалсан"),
  company_created: text("Компания создана", "The company has been created", "Компани үүсгэсэн"),
  company_switched_on: text("Компания включена", "The company is switched on", "Компани идэвхжсэн"),
  company_switched_off: text("Компания выключена", "The company is switched off", "Компани идэвхгүй болсон"),
  company_left: text("Вы вышли из компании", "You have left the company", "Та компаниас гарлаа"),
  signed_out: text("Вы вышли из системы", "You have signed out", "Та системээс гарлаа"),
} as const satisfies Record<string, Text>;

export type MessageCode = keyof typeof messages;
