import type { RefObject } from "react";
import type { ApiError, Answer, SendOptions } from "#lib/call";
import type { Codes } from "./faults.ts";

export interface FormPlan<Values extends object, Reply> {
  /** What is stored, or what a new one begins with. */
  readonly stored: Values;
  /** Fields that may not be empty. */
  readonly required?: readonly (keyof Values & string)[];
  /** What else is wrong with the values, as codes. */
  readonly check?: (values: Values) => Codes<Values>;
  /** Sends the values, by a call that takes the options. Nothing is answered when it was refused and has said so. */
  readonly send: (values: Values, options: SendOptions) => Promise<Answer<Reply> | undefined>;
  /** Shows what is stored now; what was entered is forgotten after it. */
  readonly onSaved?: (reply: Reply, msg: string) => unknown;
  /** What was sent was a question, and stays to be asked again. */
  readonly keepsDraft?: boolean;
  /** It tells what was saved: no snackbar. */
  readonly isSilent?: boolean;
  readonly onRefused?: (error: ApiError) => void;
  /** Asks anew for what is stored, when somebody else has saved it meanwhile. */
  readonly onConflict?: () => Promise<unknown>;
  /** The field that shows a refusal of another name. */
  readonly names?: Readonly<Record<string, keyof Values & string>>;
  /** Words of the form for a code; without, those of the server are shown. */
  readonly words?: (code: string, field: keyof Values & string, values: Values) => string | undefined;
}

/** What a field needs to be one of a form. */
export interface Bound<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  /** What somebody else has saved meanwhile. */
  readonly theirs: Value | undefined;
}

/** As much of a form as its frame needs: the element, the dialog, the panel. */
export interface FormFrame {
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  /** Somebody else has saved meanwhile; what is entered was not. */
  readonly isConflict: boolean;
  readonly element: RefObject<HTMLFormElement | null>;
  readonly discard: () => void;
  /** Whether the form finds nothing wrong itself. */
  readonly isSound: () => boolean;
  /** A field that was entered is judged when it is left. */
  readonly leave: (name: string) => void;
  readonly submit: () => Promise<void>;
}

export interface Form<Values extends object> extends FormFrame {
  readonly values: Values;
  readonly field: <Name extends keyof Values & string>(name: Name) => Bound<Values[Name]>;
  readonly set: (change: Partial<Values>) => void;
  /** Sends the values, with `change` in them; faults are shown instead, and the first gets the focus. */
  readonly submit: (change?: Partial<Values>) => Promise<void>;
}
