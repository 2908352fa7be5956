/** Pattern for `like` and `ilike` that finds a text as it is, wherever it stands. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
