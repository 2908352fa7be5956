import { protocolTexts } from "./protocolTexts.ts";
import type { StepTable } from "./table.ts";
import type { TraceName } from "./types.ts";

/** The tables of steps. */
export const stepTables = protocolTexts.flatMap((texts) => ("steps" in texts ? [texts.steps] : []));

type Entries<Table> = Table extends unknown
  ? { [Code in keyof Table]: readonly [Code, Table[Code]] }[keyof Table]
  : never;
type Entry = Entries<(typeof stepTables)[number]>;

type NamesIn<Words> = Words extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OptionalIn<Words> = Words extends `${string}[${infer Inside}]${infer Rest}`
  ? NamesIn<Inside> | OptionalIn<Rest>
  : never;

/** Number or text as the protocol has it, or a moment of the device's own clock. */
type StepArgument = string | number | { readonly local: string };
type ArgumentOf<Name> = Name extends "what" ? TraceName : StepArgument;

type TermOf<Each> = Each extends readonly [infer Code, readonly [string, infer Words, string]]
  ? { readonly code: Code } & {
      readonly [Name in Exclude<NamesIn<Words>, OptionalIn<Words>>]: ArgumentOf<Name>;
    } & { readonly [Name in OptionalIn<Words>]?: ArgumentOf<Name> }
  : never;

type PlainCodeOf<Each> = Each extends readonly [infer Code, readonly [string, infer Words, string]]
  ? Exclude<NamesIn<Words>, OptionalIn<Words>> extends never
    ? Code
    : never
  : never;

/** Codes of steps that need no arguments. */
type PlainStepCode = PlainCodeOf<Entry>;

/** Position of a step in a long request or answer; any code takes it. */
export type StepPlace = {
  readonly block?: number;
  readonly answerBlock?: number;
  readonly fromByte?: number;
  readonly segment?: number;
  /** Reason for a repetition on the link. */
  readonly again?: "lost" | "not_ready" | "not_received";
};

/** A code of what a step does, with its arguments. */
export type StepTerm = ({ readonly code: PlainStepCode } | TermOf<Entry>) & StepPlace;
export type StepName = PlainStepCode | StepTerm;

/** The same step as one frame of a long request or answer. */
export const stepAt = (step: StepName, place: StepPlace): StepTerm => ({
  ...(typeof step === "string" ? { code: step } : step),
  ...place,
});

/** Every code of a step with its words. */
export const stepCodes: ReadonlyMap<string, StepTable[string]> = new Map(
  stepTables.flatMap((table) => Object.entries<StepTable[string]>(table)),
);
