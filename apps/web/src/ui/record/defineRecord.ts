import type { TFunction } from "i18next";
import type { Answer, SendOptions } from "#lib/call";
import type { DialogSize } from "#ui/dialog";
import type { Codes } from "#ui/form";
import type { Row } from "./types.ts";

/** A form that adds a record or changes one, as data. */
export interface RecordForm<Stored, Values extends object, Reply, Own extends object> {
  /** Files of its texts; the first holds the titles of its fields. */
  readonly texts: readonly [string, ...string[]];
  /** Before the names of fields in their keys: `field` for `field.name`. */
  readonly titles: string;
  readonly size: DialogSize;
  readonly title: (record: Stored | null, t: TFunction) => string;
  /** Values of a record; of a new one, if it is null. */
  readonly values: (record: Stored | null) => Values;
  readonly required: readonly (keyof Values & string)[];
  /** Faults other than missing values, as codes; the text of each is at `fault.` in the texts. */
  readonly check?: (values: Values) => Codes<Values>;
  readonly faults?: readonly string[];
  readonly rows: readonly Row<Values, Own>[];
  /** Undefined when it was refused and reported. */
  readonly send: (
    record: Stored | null,
    values: Values,
    options: SendOptions,
  ) => Promise<Answer<Reply> | undefined>;
  /** Fetches again what shows records of this kind. */
  readonly refresh: () => Promise<unknown>;
}

export const defineRecord = <Stored, Values extends object, Reply, Own extends object = object>(
  form: RecordForm<Stored, Values, Reply, Own>,
): RecordForm<Stored, Values, Reply, Own> => form;
