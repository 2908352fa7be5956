import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { useFormat } from "#lib/format";
import type { FormState } from "#ui/form";

/** What helpers of rows need of a form: fields by name, whatever their types. */
export interface FormView<Values extends object> {
  readonly values: Values;
  field(name: string): BoundView;
}

interface BoundView {
  readonly name: string;
  readonly value: unknown;
  onValue(value: unknown): void;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly theirs: unknown;
}

export interface FieldWords extends ReturnType<typeof useFormat> {
  readonly t: TFunction;
  /** The record is added. */
  readonly isNew: boolean;
  /** Key of the title of a field. */
  readonly titleOf: (name: string) => string;
}

/** A field of a form, or several in one frame. */
export interface Row<Values extends object, Own extends object> {
  readonly name: string;
  readonly isShown?: (values: Values, words: FieldWords & Own) => boolean;
  readonly draw: (form: FormState<Values>, words: FieldWords & Own) => ReactNode;
}
