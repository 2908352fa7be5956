import type { ValidationKind, ValidationUnit } from "@metrum/contract/accounting";
import type { ResourceKey, Text } from "@metrum/vocabulary";
import type { Finding, Judged, Numbers } from "../judged/index.ts";

export type ParameterUnit = ValidationUnit;

/** A parameter of a rule: input of the dialog, and the bounds of its value. */
export interface Parameter {
  readonly name: string;
  readonly title: Text;
  readonly unit: ParameterUnit;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Value without an own rule, by resource; `other` for the rest. */
  readonly usual: { readonly [Key in ResourceKey]?: number } & { readonly other: number };
}

/** A kind of rule, whole: what it is called, what can be set, what it finds, how it says what it saw. */
export interface Kind {
  readonly name: ValidationKind;
  readonly title: Text;
  readonly about: Text;
  readonly parameters: readonly Parameter[];
  /** Resources for which it is on without an own rule. */
  readonly isOnFor: (resource: ResourceKey) => boolean;
  /** It judges profiles of the meter as well. */
  readonly judgesProfiles?: true;
  /** It doubts no reading: decisions about it leave the values as they are. */
  readonly doubtsNoValues?: true;
  /** Words of its findings by code, with the names of their evidence in braces; `#` adds a unit, see `filled`. */
  readonly says: Readonly<Record<string, Text>>;
  /** What a decision about a finding of a code does, where that is no matter of course; as `says`. */
  readonly decides?: Readonly<Record<string, Readonly<Record<"accept" | "reject", Text>>>>;
  /** What its limit was, in words; with the parameters and the evidence in braces. */
  readonly limit: Text;
  /** Pure: values in, findings out. */
  readonly judge: (judged: Judged, numbers: Numbers) => readonly Finding[];
}

export const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

export const always = (): boolean => true;

const usual = (other: number, by: Partial<Record<ResourceKey, number>> = {}) => ({ ...by, other });

export const parameter = (
  name: string,
  unit: ParameterUnit,
  [min, max, step]: readonly [number, number, number],
  given: { readonly usual: number; readonly by?: Partial<Record<ResourceKey, number>>; readonly title: Text },
): Parameter => ({ name, unit, min, max, step, usual: usual(given.usual, given.by), title: given.title });

export const historyDays = parameter("days", "days", [7, 60, 1], {
  usual: 30,
  title: text("Дней истории", "Days of history", "Түүхийн өдөр"),
});

/** Consumption below which nothing is worth a person's time: by resource, in its unit. */
export const least = (title: Text, by: Partial<Record<ResourceKey, number>>): Parameter =>
  parameter("least", "amount", [0, 1_000_000, 0.001], { usual: 1, by, title });
