import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** What the server says after something was done, by code. */
export const messages = {
  saved: text("Сохранено", "Saved", "Хадгалсан"),
  signed_out: text("Вы вышли из системы", "You have signed out", "Та системээс гарлаа"),
} as const satisfies Record<string, Text>;

export type MessageCode = keyof typeof messages;
