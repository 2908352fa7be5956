/**
 * Replaces characters that PostgreSQL rejects in text: NUL everywhere, and a lone surrogate in JSON. Either
 * becomes U+FFFD, the replacement character, so that a text never turns into another valid one.
 */
const replacement = "\uFFFD";
const refused = /[\0\p{Surrogate}]/u;
const everyRefused = new RegExp(refused, "gu");
/**
 * JSON escapes of those characters; also matches the same letters after an escaped backslash, which costs
 * time only.
 */
const refusedInJson = /\\u(?:0000|d[89a-f])/;

/** Whether PostgreSQL accepts the text unchanged, in a text column and in JSON. */
export function isStorable(text: string): boolean {
  return !refused.test(text);
}

/** The text as a text column accepts it. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.replaceAll(everyRefused, replacement);
}

/**
 * The value serialised for a json or jsonb column, property names cleaned too. Errors: those of
 * `JSON.stringify`.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return refusedInJson.test(text) ? JSON.stringify(storableValue(JSON.parse(text))) : text;
}

/**
 * The same value with texts and property names that PostgreSQL accepts; `value` is a result of `JSON.parse`.
 */
export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storableText(name), storableValue(each)]),
  );
}

/**
 * A statement parameter as the driver may send it. Lone surrogates of plain text need no care: UTF-8 cannot
 * encode them, so the driver sends U+FFFD by itself. Objects become JSON, as they would in the driver.
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
