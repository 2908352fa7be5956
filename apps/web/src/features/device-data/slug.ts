/** An English text of the server as a key of the texts: "CRC does not match" is `crc_does_not_match`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}
