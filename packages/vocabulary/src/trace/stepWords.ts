import type { Text } from "../text.ts";
import { stepCodes } from "./steps.ts";
import { dayFirst } from "./values.ts";
import { traceWords, wordsIn, type ReadTerm, type TraceReader } from "./words.ts";

type ReadArgument = string | number | { readonly local: string } | ReadTerm;

/** A step as stored or received: of this release, of an older or of a newer one. */
export type ReadStep = string | { readonly code: string; readonly [argument: string]: ReadArgument };
type Arguments = Exclude<ReadStep, string>;

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Appended to a step that is one frame of a long request or answer. */
const places = text(
  "[, блок {block}][, ответ, блок {answerBlock}][, с байта {fromByte}][, часть {segment}]",
  "[, block {block}][, answer, block {answerBlock}][, from byte {fromByte}][, segment {segment}]",
  "[, {block}-р блок][, хариу, {answerBlock}-р блок][, {fromByte}-р байтаас][, {segment}-р хэсэг]",
);
const reasons = new Map<unknown, Text>([
  ["lost", text("потеряно, переспрос (RR)", "lost, requested again (RR)", "алдагдсан, дахин асуусан (RR)")],
  ["not_ready", text("не готово, переспрос", "not ready, requested again", "бэлэн биш, дахин асуусан")],
  ["not_received", text("не принято, повтор", "not received, sent again", "хүлээж аваагүй, дахин илгээсэн")],
]);

/**
 * What a step of an exchange does, in words. A code of another release is shown as it is, and so is the
 * English text by which steps were stored before they had codes.
 */
export function stepWords(step: ReadStep, reader: TraceReader): string {
  const term: Arguments = typeof step === "string" ? { code: step } : step;
  const { language } = reader;
  const entry = stepCodes.get(term.code);
  const sentence = entry ? filled(wordsIn(entry, language), term, reader) : term.code;
  const reason = reasons.get(term["again"])?.[language];
  return [sentence + filled(places[language], term, reader), ...(reason === undefined ? [] : [reason])].join(
    ", ",
  );
}

function filled(template: string, term: Arguments, reader: TraceReader): string {
  const isGiven = (part: string): boolean =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => term[name] !== undefined);
  return template
    .replaceAll(/\[(.*?)\]/g, (_, part: string) => (isGiven(part) ? part : ""))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => argumentWords(name, term[name], reader));
}

function argumentWords(name: string, value: ReadArgument | undefined, reader: TraceReader): string {
  if (typeof value === "object")
    return "local" in value ? dayFirst(value.local) : traceWords(value, reader).name;
  if (typeof value === "string") return name === "what" ? traceWords(value, reader).name : value;
  return value === undefined ? "" : String(value).replace("-", "−");
}
