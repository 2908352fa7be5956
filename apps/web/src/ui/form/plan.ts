import type { RefObject } from "react";
import type { ApiError, Answer, SendOptions } from "#lib/call";
import type { Codes } from "./faults.ts";

type Names<Values> = readonly (keyof Values & string)[];

export interface FormPlan<Values extends object, Reply> {
  /** Stored values, or defaults of a new record. */
  readonly stored: Values;
  /** Required fields, which may follow from others. */
  readonly required?: Names<Values> | ((values: Values) => Names<Values>);
  /** Other faults of the values, as codes. */
  readonly check?: (values: Values) => Codes<Values>;
  /**
   * Sends the values, by a call that takes the options. Resolves to undefined when it was refused and
   * reported.
   */
  readonly send: (values: Values, options: SendOptions) => Promise<Answer<Reply> | undefined>;
  /** Shows the stored values; input is discarded afterwards. */
  readonly onSaved?: (reply: Reply, msg: string) => unknown;
  /** The request was a query, and the input stays. */
  readonly keepsDraft?: boolean;
  /** It reports the success itself: no snackbar. */
  readonly isSilent?: boolean;
  readonly onRefused?: (error: ApiError) => void;
  /** Reloads the stored values, when another user has saved meanwhile. */
  readonly onConflict?: () => Promise<unknown>;
  /** The field that shows a refusal of another name. */
  readonly names?: Readonly<Record<string, keyof Values & string>>;
  /** Text of the form for a code; default: the message of the server. */
  readonly words?: (code: string, field: keyof Values & string, values: Values) => string | undefined;
}

export function requiredOf<Values extends object>(
  { required = [] }: Pick<FormPlan<Values, unknown>, "required">,
  values: Values,
): Names<Values> {
  return typeof required === "function" ? required(values) : required;
}

/** Properties of a field bound to a form. */
export interface Bound<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  /** Conflicting value saved by another user. */
  readonly theirs: Value | undefined;
}

/** The part of a form that its frame needs: the element, the dialog, the panel. */
export interface FormFrame {
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  /** Another user has saved meanwhile; the input was not saved. */
  readonly isConflict: boolean;
  readonly element: RefObject<HTMLFormElement | null>;
  readonly discard: () => void;
  /** Whether the form finds no fault itself. */
  readonly isSound: () => boolean;
  /** A changed field is checked when it is left. */
  readonly leave: (name: string) => void;
  readonly submit: () => Promise<void>;
}

export interface Form<Values extends object> extends FormFrame {
  readonly values: Values;
  readonly field: <Name extends keyof Values & string>(name: Name) => Bound<Values[Name]>;
  readonly set: (change: Partial<Values>) => void;
  /** Sends the values, merged with `change`; faults are shown instead, and the first gets the focus. */
  readonly submit: (change?: Partial<Values>) => Promise<void>;
}
