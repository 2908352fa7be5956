import type { TFunction } from "i18next";

const known = [
  "picture_type",
  "picture_bytes",
  "picture_pixels",
  "code_bytes",
  "code_text",
  "platform_only",
  "host_taken",
];

/** Why the server refuses a field; undefined while it does not. A code of the contract's schema is a wrong value. */
export function errorWords(t: TFunction<"branding">, code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return t(`error.${known.includes(code) ? code : "value"}`);
}
