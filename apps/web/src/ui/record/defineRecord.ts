import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import type { TFunction } from "i18next";
import type { Answer } from "#lib/call";
import type { DialogSize } from "#ui/dialog";
import type { Codes } from "#ui/form";
import type { Row } from "./types.ts";

/** Makes a call of the form; undefined when the session lacks the right, which has been reported. */
export type Ask = <C extends Call>(call: C, input: InputOf<C>) => Promise<Answer<ReplyOf<C>> | undefined>;

/**
 * A form that adds a record or changes one, as data. `Given` is what its caller knows, `Asked` what the form asks the
 * server for; rows know both.
 */
export interface RecordForm<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
> {
  /** Files of its texts; the first holds the titles of its fields. */
  readonly texts: readonly [string, ...string[]];
  /** Before the names of fields in their keys: `field` for `field.name`. */
  readonly titles: string;
  readonly className?: string;
  /** Keys of the button, to add and to change. */
  readonly action?: readonly [string, string];
  /** Values of a record; of a new one, if it is null. */
  readonly values: (record: Stored | null, given: Given) => Values;
  /** A hook: what the rows need of the server. */
  readonly useAsked?: (values: Values, given: Given) => Asked;
  readonly required: Names<Values, Stored>;
  /** Faults other than missing values, as codes; the text of each is at `fault.` in the texts. */
  readonly check?: (values: Values) => Codes<Values>;
  readonly faults?: readonly string[];
  /** Texts of codes that other keys have. */
  readonly words?: (code: string, name: string, t: TFunction) => string | undefined;
  /** The field that shows a refusal of another name. */
  readonly names?: Readonly<Record<string, keyof Values & string>>;
  readonly rows: readonly Row<Values, Given & Asked>[];
  /** What it cannot be sent without has been loaded. */
  readonly isReady?: (values: Values, own: Given & Asked) => boolean;
  readonly isPermitted?: (call: Call) => boolean;
  /** The fields as the server takes them. */
  readonly body: (values: Values, record: Stored | null, own: Given & Asked) => Body;
  readonly add: (body: Body, ask: Ask, given: Given) => Promise<Answer<Reply> | undefined>;
  /** `changed`: the fields that differ from the stored ones; others may change the rest meanwhile. */
  readonly change: (
    record: Stored,
    changed: Partial<Body>,
    ask: Ask,
    whole: Body,
  ) => Promise<Answer<Reply> | undefined>;
  /** Fetches again what shows records of this kind. */
  readonly refresh: () => Promise<unknown>;
}

type Names<Values, Stored> =
  | readonly (keyof Values & string)[]
  | ((values: Values, record: Stored | null) => readonly (keyof Values & string)[]);

/** The same in a dialog. */
export interface DialogForm<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
> extends RecordForm<Stored, Values, Body, Reply, Given, Asked> {
  readonly size: DialogSize;
  readonly title: (record: Stored | null, t: TFunction, given: Given) => string;
}

/** What a form is about comes first; the types of its request and answer follow from its calls. */
export const defineRecord =
  <Stored, Values extends object, Given extends object = object, Asked extends object = object>() =>
  <Body extends object, Reply>(form: DialogForm<Stored, Values, Body, Reply, Given, Asked>) =>
    form;

/** The same for a page. */
export const defineRecordPage =
  <Stored, Values extends object, Given extends object = object, Asked extends object = object>() =>
  <Body extends object, Reply>(form: RecordForm<Stored, Values, Body, Reply, Given, Asked>) =>
    form;
