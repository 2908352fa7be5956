import { languages, type Language } from "@metrum/vocabulary";

/** The first supported language of `Accept-Language`, else the user's, else Russian (SHELL-020). */
export function languageOf(header: string | undefined, user?: Language): Language {
  for (const part of (header ?? "").split(",")) {
    const code = part.trim().slice(0, 2).toLowerCase();
    const known = languages.find((each) => each === code);
    if (known) return known;
  }
  return user ?? "ru";
}
