import type { Text } from "@metrum/vocabulary";

/** Messages of success by their code. */
export type Messages = Readonly<Record<string, Text>>;

export const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });
