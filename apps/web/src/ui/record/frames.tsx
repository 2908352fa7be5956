import type { ReactNode } from "react";
import { reasonOf } from "#lib/call";
import type { Bound, FormState } from "#ui/form";
import { ErrorState } from "#ui/states";
import { Rows } from "./Rows.tsx";
import { rowMaker, titled, type Titled } from "./titles.ts";
import type { FieldWords, Row } from "./types.ts";

/** A question to the server whose failure is shown, with a way to ask again. */
interface Asked {
  readonly isError: boolean;
  readonly data: unknown;
  readonly error: Error | null;
  refetch(): Promise<unknown>;
}

/** Rows of other kinds, and frames around several. */
export function framedRows<Values extends object, Own extends object>() {
  const row = rowMaker<Values, Own>();
  type Words = FieldWords & Own;
  const group = (className: string, ...rows: readonly Row<Values, Own>[]) =>
    row(namesOf(rows), (form, words) => (
      <div className={className}>
        <Rows {...{ rows, form, words }} />
      </div>
    ));
  return {
    /** A field of a kind of its own. */
    own: <Name extends keyof Values & string>(
      name: Name,
      draw: (
        bound: Bound<Values[Name]> & { readonly label: string; readonly hint?: string },
        form: FormState<Values>,
        words: Words,
      ) => ReactNode,
      titles: Titled<Values, Own> = {},
    ) =>
      row(name, (form, words) =>
        draw({ ...form.field(name), ...titled(name, titles, words, form.values) }, form, words),
      ),
    /** What is no field, or several at once. */
    part: row,
    /** The failure of a question, instead of what it would have brought. */
    failure: (title: string, question: (own: Own) => Asked) =>
      row(title, (_, words) => {
        const asked = question(words);
        if (!asked.isError || asked.data !== undefined) return null;
        return (
          <ErrorState
            title={words.t(title)}
            message={reasonOf(asked.error)}
            onRetry={() => void asked.refetch()}
          />
        );
      }),
    /** Rows in a frame of this class. */
    group,
    /** Rows beside each other where there is room. */
    beside: (...rows: readonly Row<Values, Own>[]) => group("record-fields", ...rows),
    /** Rows below a title of their own. */
    section: (title: string, className: string, ...rows: readonly Row<Values, Own>[]) =>
      row(title, (form, words) => (
        <fieldset className={className}>
          <legend>{words.t(title)}</legend>
          <Rows {...{ rows, form, words }} />
        </fieldset>
      )),
    /** Rows that these values have. */
    where: (isShown: (values: Values, words: Words) => boolean, ...rows: readonly Row<Values, Own>[]) =>
      rows.map((each): Row<Values, Own> => ({
        ...each,
        isShown: (values, words) => isShown(values, words) && (each.isShown?.(values, words) ?? true),
      })),
  };
}

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).join();
