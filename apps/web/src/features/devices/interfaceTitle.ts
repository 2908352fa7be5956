import { interfaces, type Language } from "@metrum/vocabulary";

/** How a device is connected, in words; a dash for what is not known. */
export function interfaceTitle(id: number | undefined, language: Language): string {
  return interfaces.find((each) => each.id === id)?.title[language] ?? "—";
}
