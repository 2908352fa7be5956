import type { Text } from "@metrum/vocabulary";

export const title = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });
