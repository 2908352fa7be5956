import type { ReactNode } from "react";
import type { FormState } from "#ui/form";
import type { FieldWords, FormView, Row } from "./types.ts";

/** Names of the fields whose values have this type. */
export type Keys<Values, Value> = {
  [Key in keyof Values]: Values[Key] extends Value ? Key : never;
}[keyof Values] &
  string;

export interface Titled<Values, Own> {
  /** Key of the title; default: that of the field in the texts of the form. */
  readonly title?: string | ((words: FieldWords & Own) => string);
  /** Key of what is written below, which may follow from other fields. */
  readonly hint?: string | ((values: Values, words: FieldWords & Own) => string | undefined);
}

/** Label and hint of a field, in words. */
export function titled<Values, Own>(
  name: string,
  { title, hint }: Titled<Values, Own>,
  words: FieldWords & Own,
  values: Values,
) {
  const key = typeof title === "function" ? title(words) : title;
  const below = typeof hint === "function" ? hint(values, words) : hint;
  return {
    label: words.t(key ?? words.titleOf(name)),
    ...(below === undefined ? {} : { hint: words.t(below) }),
  };
}

/** Makes rows of a form. */
export const rowMaker =
  <Values extends object, Own extends object>() =>
  (
    name: string,
    draw: (form: FormState<Values>, words: FieldWords & Own) => ReactNode,
  ): Row<Values, Own> => ({ name, draw });

export function textOf<Values extends object>(form: FormView<Values>, name: string) {
  const { value, theirs, ...bound } = form.field(name);
  return {
    ...bound,
    value: typeof value === "string" ? value : "",
    ...(typeof theirs === "string" ? { theirs } : {}),
  };
}

export function numberOf<Values extends object>(form: FormView<Values>, name: string) {
  const { value, theirs, ...bound } = form.field(name);
  return {
    ...bound,
    value: typeof value === "number" ? value : null,
    ...(typeof theirs === "number" || theirs === null ? { theirs } : {}),
  };
}
