/** Text that a spreadsheet would execute gets an apostrophe; numbers stay numbers (security rule 5.5). */
const formula = /^[=+\-@\t\r]/;
/** A spreadsheet of any language may read the file: each splits the cells at a separator of its own. */
const quoted = /["\r\n;,\t|]/;
/**
 * A quote in the middle of a cell protects nothing: where a file with commas is split at semicolons, a later cell is
 * cut in pieces. A piece that begins so is a formula; one with a sign only if it calls something, as "-1 floor" does not.
 */
const formulaWithin = /([;,\t|\r\n][ "']*)(?=[=@]|[+-][^;,\t|\r\n]*[(!|])/g;

/** The text of a CSV cell, quoted where it has to be, of which no spreadsheet makes a formula. */
export function csvText(text: string): string {
  const safe = (formula.test(text) ? `'${text}` : text).replaceAll(formulaWithin, "$1'");
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
