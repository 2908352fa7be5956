import {
  fieldFaults,
  isFieldFaultCode,
  problems,
  type FieldFault,
  type Params,
  type Problem,
  type ProblemCode,
  type WrongFields,
} from "@metrum/contract/core";
import { messages, type MessageCode } from "@metrum/contract/messages";
import type { Language, Text } from "@metrum/vocabulary";
import { decimalMark } from "../numbers/numbers.ts";

const said = Symbol("said");

/** A reply with a message for the user, by code. */
export interface Said<Data> {
  readonly [said]: { readonly code: MessageCode; readonly params: Params };
  readonly data: Data;
}

/** Adds a `msg` to the answer: `return withMessage(data, "device_switched_on")`. */
export function withMessage<Data>(data: Data, code: MessageCode, params: Params = {}): Said<Data> {
  return { [said]: { code, params }, data };
}

/**
 * `{data, msg}`: the envelope of every answer except refusals; keys of `data` in `atTop` are repeated at the
 * top level.
 */
export function envelope(
  result: unknown,
  language: Language,
  atTop: readonly string[] = [],
): { data: unknown; msg: string } {
  if (isSaid(result))
    return { data: result.data ?? {}, msg: fill(messages[result[said].code], language, result[said].params) };
  const data = result ?? {};
  const repeated = Object.entries(data).filter(([key]) => atTop.includes(key));
  return { data, msg: "", ...Object.fromEntries(repeated) };
}

/** A reply as stored for a repeat of the call, independent of language. */
export interface Kept {
  readonly data: unknown;
  readonly said: { readonly code: MessageCode; readonly params: Params } | null;
}

export function kept(result: unknown): Kept {
  return isSaid(result) ? { data: result.data, said: result[said] } : { data: result, said: null };
}

export function restored({ data, said: sentence }: Kept): unknown {
  return sentence === null ? data : withMessage(data, sentence.code, sentence.params);
}

/** The body of a refusal; equal refusals are equal bytes. */
export function refusal(
  given: Problem,
  language: Language,
): { msg: string; data: { msg: string }; attributes: Record<string, string[]>; code: string } {
  const msg = problemWords(given.code, language, given.params);
  return { msg, data: { msg }, attributes: worded(given.attributes, language), code: given.code };
}

/**
 * Translates faults into the language of the user; codes without a text are kept, screens have their own
 * texts for them.
 */
function worded(fields: WrongFields, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, faults]) => [
      field,
      faults.map((each) => faultWords(each, language)),
    ]),
  );
}

/** One fault in the language of the user. */
export function faultWords(given: string | FieldFault, language: Language): string {
  if (typeof given !== "string") {
    const words = fill(fieldFaults[given.fault], language, given.params);
    return given.of === undefined ? words : `${given.of}: ${words}`;
  }
  return isFieldFaultCode(given) ? fieldFaults[given][language] : given;
}

/** Text of a refusal in the language of the user. */
export const problemWords = (code: ProblemCode, language: Language, params: Params = {}): string =>
  fill(problems[code].text, language, params);

function fill(text: Text, language: Language, params: Params): string {
  return text[language].replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    wordOf(params[name] ?? all, language),
  );
}

/** A number has the decimal mark of the language; it is not grouped, as it may be one that is typed again. */
const wordOf = (value: string | number, language: Language): string =>
  typeof value === "number" ? String(value).replace(".", decimalMark(language)) : value;

function isSaid(value: unknown): value is Said<unknown> {
  return typeof value === "object" && value !== null && said in value;
}
