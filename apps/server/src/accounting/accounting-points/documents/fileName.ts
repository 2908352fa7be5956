const longest = 120;

/** Control characters, marks that turn the direction of writing, and what separates or begins a path. */
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * The name of a file as it is shown and saved: without folders and hidden characters, with the ending of its content.
 */
export function cleanName(given: string, ending: string): string {
  const own = given.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const stem = own
    .replaceAll(unwanted, "")
    .replace(/\.\p{L}[\p{L}\p{N}]{0,4}$/u, "")
    .replace(/^[.\s]+/, "")
    .trim();
  const shown = Array.from(stem === "" ? "file" : stem).slice(0, longest);
  return `${shown.join("")}.${ending}`;
}
