import type { FormState } from "#ui/form";
import type { FieldWords, Row } from "./types.ts";

interface Props<Values extends object, Own extends object> {
  readonly rows: readonly Row<Values, Own>[];
  readonly form: FormState<Values>;
  readonly words: FieldWords & Own;
}

/** The rows that these values have. */
export function Rows<Values extends object, Own extends object>({ rows, form, words }: Props<Values, Own>) {
  return rows
    .filter((row) => row.isShown?.(form.values, words) ?? true)
    .map((row) => <Drawn key={row.name} {...{ row, form, words }} />);
}

interface DrawnProps<Values extends object, Own extends object> extends Omit<Props<Values, Own>, "rows"> {
  readonly row: Row<Values, Own>;
}

const Drawn = <Values extends object, Own extends object>({ row, form, words }: DrawnProps<Values, Own>) =>
  row.draw(form, words);
