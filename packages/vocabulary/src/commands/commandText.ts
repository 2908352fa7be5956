import type { Text } from "../text.ts";

export const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });
