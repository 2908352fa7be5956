import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { languageOf } from "#lib/i18n";
import { formatAge } from "./age.ts";
import { formatNumber } from "./numbers.ts";

/** Numbers and ages in the language of the interface. Times need a zone, so they are plain functions. */
export function useFormat() {
  const { t, i18n } = useTranslation("common");
  return useMemo(() => {
    const language = languageOf(i18n.language);
    return {
      language,
      number: (value: number, decimals?: number) =>
        formatNumber(value, language, decimals === undefined ? {} : { least: decimals, most: decimals }),
      age: (seconds: number) => formatAge(seconds, (key, options) => t(key, options)),
    };
  }, [t, i18n.language]);
}
