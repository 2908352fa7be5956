/** Pattern for `like` and `ilike` that matches a literal text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
