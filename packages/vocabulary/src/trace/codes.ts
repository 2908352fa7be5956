import { at } from "./words/at.ts";
import { common } from "./words/common.ts";
import { dlms } from "./words/dlms.ts";
import { dlmsTypes } from "./words/dlmsTypes.ts";
import { iec62056 } from "./words/iec62056.ts";
import { lorawan } from "./words/lorawan.ts";
import { mbus } from "./words/mbus.ts";
import { mbusQuantities } from "./words/mbusQuantities.ts";
import { media } from "./words/media.ts";
import { mercury230 } from "./words/mercury230.ts";
import { modbus } from "./words/modbus.ts";
import { wmbus } from "./words/wmbus.ts";
import { wmbusLayers } from "./words/wmbusLayers.ts";
import type { TraceWords } from "./table.ts";

/** The tables of texts, one line per protocol; no code is in two of them. */
export const wordTables = [
  common,
  modbus,
  mbus,
  mbusQuantities,
  media,
  wmbus,
  wmbusLayers,
  dlms,
  dlmsTypes,
  mercury230,
  iec62056,
  lorawan,
  at,
] as const satisfies readonly TraceWords[];

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
