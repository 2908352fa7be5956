import { interfaces, type Language } from "@metrum/vocabulary";

/** Interface of a device in words; a dash if unknown. */
export function interfaceTitle(id: number | undefined, language: Language): string {
  return interfaces.find((each) => each.id === id)?.title[language] ?? "—";
}

/** Titles of all interfaces by their ids. */
export const interfaceWords = ({ language }: { readonly language: Language }) =>
  Object.fromEntries(interfaces.map(({ id, title }) => [String(id), title[language]]));
