import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Language } from "@metrum/vocabulary";

/** What the rows of a form need of it: fields by name, whatever their types. */
export interface FormView<Values extends object> {
  readonly values: Values;
  field(name: string): BoundView;
  set(change: object): void;
}

interface BoundView {
  readonly name: string;
  readonly value: unknown;
  onValue(value: unknown): void;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly theirs: unknown;
}

export interface FieldWords {
  readonly t: TFunction;
  readonly language: Language;
  /** Key of the title of a field. */
  readonly titleOf: (name: string) => string;
}

/** A field of a form, or several in one frame. */
export interface Row<Values extends object, Own extends object> {
  readonly name: string;
  readonly isShown?: (values: Values) => boolean;
  readonly draw: (form: FormView<Values>, words: FieldWords & Own) => ReactNode;
}
