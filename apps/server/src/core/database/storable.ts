/**
 * What PostgreSQL refuses in text: the NUL character everywhere, and half of a surrogate pair in JSON. Either becomes
 * U+FFFD, the replacement character, so that two different texts never become one that is in use.
 */
const replacement = "\uFFFD";
const refused = /[\0\p{Surrogate}]/u;
const everyRefused = new RegExp(refused, "gu");
/** How JSON writes those characters; also matches the same letters after a backslash of the text itself, which costs time only. */
const refusedInJson = /\\u(?:0000|d[89a-f])/;

/** Whether PostgreSQL takes the text as it is, in a text column and in JSON. */
export function isStorable(text: string): boolean {
  return !refused.test(text);
}

/** The text as a text column takes it. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.replaceAll(everyRefused, replacement);
}

/** The value as the text of a json or jsonb column takes it, names of its properties included. Errors: those of `JSON.stringify`. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return refusedInJson.test(text) ? JSON.stringify(storableValue(JSON.parse(text))) : text;
}

/** The same value with texts and names of properties that PostgreSQL takes; `value` is what `JSON.parse` gives. */
export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storableText(name), storableValue(each)]),
  );
}

/**
 * A parameter of a statement as the driver may send it. Half surrogates of plain text need nothing: UTF-8 has no way to write them, so
 * the driver sends U+FFFD by itself. Objects become JSON, as they would in the driver.
 */
export function storableParameter(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? storableText(value) : value;
  if (Array.isArray(value)) return value.map(storableParameter);
  if (isPlainObject(value)) return storableJson(value);
  return value;
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "toPostgres" in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
