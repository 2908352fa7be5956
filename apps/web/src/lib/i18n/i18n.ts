import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { languageOf, storedLanguage, storeLanguage, type Language } from "./language.ts";
import { loadTextFile } from "./textFiles.ts";

const backend: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: (language, feature, done) => {
    loadTextFile(language, feature).then(
      (texts) => done(null, texts),
      (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), null),
    );
  },
};

/** Starts with the stored language and the texts common to all screens. */
export async function startI18n(): Promise<void> {
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: storedLanguage(),
      fallbackLng: false,
      ns: ["common"],
      defaultNS: "common",
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  document.documentElement.lang = i18next.language;
}

export function currentLanguage(): Language {
  return languageOf(i18next.language);
}

/** Changes the texts in place; the choice outlives the session. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Texts of a screen, fetched in parallel with its code. */
export async function loadTexts(...features: readonly string[]): Promise<void> {
  await i18next.loadNamespaces(features);
}
