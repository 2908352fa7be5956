export const languages = ["ru", "en", "mn"] as const;
export type Language = (typeof languages)[number];

/** Each language in its own words. */
export const languageNames: Readonly<Record<Language, string>> = {
  ru: "Русский",
  en: "English",
  mn: "Монгол",
};

const key = "metrum.language";

/** Without a stored language Russian; for an unsupported one English. */
export function languageOf(stored: string | null): Language {
  if (stored === null) return "ru";
  return languages.find((each) => each === stored) ?? "en";
}

export function storedLanguage(): Language {
  return languageOf(localStorage.getItem(key));
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(key, language);
}
