import { pollResults } from "@metrum/contract/headend";
import type { Language } from "@metrum/vocabulary";
import type { TFunction } from "i18next";

interface Of {
  readonly t: TFunction<"trace">;
  readonly language: Language;
}

/** An English text of the server as a key of the texts: "CRC does not match" is `crc_does_not_match`. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/**
 * Details of a failure from the driver; empty if the kind of failure says it all. Untranslated details are
 * shown as received.
 */
export function detailWords(message: string, { t }: Pick<Of, "t">): string {
  const slug = slugOf(message);
  return slug === "no_answer" || slug === "" ? "" : t(`error.${slug}`, { defaultValue: message });
}

/** Why an attempt failed: the kind in words, then the driver's details. */
export function failureWords(
  { kind, message }: { readonly kind: string; readonly message: string },
  of: Of,
): string {
  const result = Object.entries(pollResults).find(([name]) => name === kind)?.[1].title[of.language];
  const detail = detailWords(message, of);
  if (result === undefined) return detail;
  const sentence = result.charAt(0).toLowerCase() + result.slice(1);
  return detail === "" ? sentence : `${sentence}: ${detail}`;
}
