import { protocolTexts } from "./protocolTexts.ts";
import type { TraceWords } from "./table.ts";

/** The tables of words. */
export const wordTables = protocolTexts.map(({ words }) => words);

type Entries<Table> = Table extends unknown
  ? { [Code in keyof Table]: [Code, Table[Code]] }[keyof Table]
  : never;
type Entry = Entries<(typeof wordTables)[number]>;

/** Codes of parts of a frame; drivers can use no others. */
export type TraceCode = Entry[0];

/** Codes whose words need no number or text of the frame. */
export type PlainCode = Entry extends infer Each
  ? Each extends [infer Code extends TraceCode, readonly [string, infer Words, ...unknown[]]]
    ? Words extends `${string}{n}${string}`
      ? never
      : Code
    : never
  : never;

/** Every code with its words. */
export const traceCodes: ReadonlyMap<string, TraceWords[string]> = new Map(
  wordTables.flatMap((table) => Object.entries<TraceWords[string]>(table)),
);
