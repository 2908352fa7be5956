import type { FieldName } from "../fields.ts";
import type { PlainCode, TraceCode } from "./codes.ts";
import type { TraceWords } from "./table.ts";

/** A part of what a code names, where the encoding gives it separate bytes. */
export const traceParts = {
  tag: ["{what}: метка", "{what}: tag", "{what}: шошго"],
  length: ["{what}: длина", "{what}: length", "{what}: урт"],
  type: ["{what}: тип", "{what}: type", "{what}: төрөл"],
  elements: ["{what}: число элементов", "{what}: elements", "{what}: элементийн тоо"],
  unused_bits: ["{what}: лишних битов", "{what}: unused bits", "{what}: илүү бит"],
  bits: ["{what}: число битов", "{what}: bits", "{what}: битийн тоо"],
  presence: ["{what}, 1 – есть", "{what}, 1 if present", "{what}, 1 бол бий"],
  element_type: ["{what}: тип элемента", "{what}: type of an element", "{what}: элементийн төрөл"],
} as const satisfies TraceWords;
export type TracePart = keyof typeof traceParts;

interface Arguments {
  /** How a structure is gone down to it, from one: "1 2". */
  readonly path?: string;
  readonly part?: TracePart;
  /** 1 to 3; 0 is the sum of them. */
  readonly phase?: 0 | 1 | 2 | 3;
  /** Of the value, as the protocol writes it: "m^3/h". */
  readonly unit?: string;
  readonly count?: number;
  /** Text of the protocol shown after the words. */
  readonly detail?: string;
  /** The bytes were encrypted on their way. */
  readonly isDecrypted?: true;
  /** The bytes continue after others in between. */
  readonly isContinued?: true;
  /** A check field that was not compared, because a secret in the frame is covered. */
  readonly isUnchecked?: true;
}

/** Where a field of the vocabulary was read. */
export interface TraceRegister {
  readonly table: "input" | "holding";
  readonly address: number;
  readonly type: string;
}

/**
 * A code with its arguments. Codes whose text has an `{n}` require it; "field" is a field of the vocabulary.
 */
export type TraceTerm = Arguments &
  (
    | { readonly code: Exclude<PlainCode, "field"> }
    | { readonly code: Exclude<TraceCode, PlainCode>; readonly n: number | string }
    | { readonly code: "field"; readonly field: FieldName; readonly register?: TraceRegister }
  );

/** Name of bytes in a frame; set by drivers, translated for display. */
export type TraceName = Exclude<PlainCode, "field"> | TraceTerm;

/**
 * Value of bytes in a frame: text and numbers, words, a time of the device's own clock, a number shown in
 * hexadecimal.
 */
export type TraceValue =
  | string
  | number
  | null
  | { readonly word: TraceName }
  | { readonly local: string; readonly season?: "summer" | "winter" }
  | { readonly hex: number; readonly bytes: number };
