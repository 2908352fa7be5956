import type { InputHTMLAttributes, ReactNode } from "react";
import { DateField } from "#ui/dateField";
import { Checkbox, NumberField, Segmented, SelectField, TextField, type Option } from "#ui/field";
import type { FieldWords, FormView, Row } from "./types.ts";

type Keys<Values, Value> = { [Key in keyof Values]: Values[Key] extends Value ? Key : never }[keyof Values] &
  string;

interface Titled {
  /** Key of the title; default: that of the field in the texts of the form. */
  readonly title?: string;
  /** Key of what is written below. */
  readonly hint?: string;
}

interface TextRow extends Titled, Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "inputMode"> {
  readonly most: number;
  /** The focus is here when the form opens. */
  readonly isFirst?: boolean;
}

interface NumberRow<Values, Own> extends Titled {
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  /** The key of its unit, which may follow from other fields. */
  readonly unit?: (values: Values, own: Own) => string;
}

interface ChoiceRow<Values, Value> {
  readonly title?: string;
  /** Other fields that a choice sets. */
  readonly sets?: (value: Value) => Partial<Values>;
}

/**
 * Rows of a form as data, one function each kind: they take the name of a field whose values have its type. `Own` is
 * what the form knows besides its texts.
 */
export function rowsOf<Values extends object, Own extends object = object>() {
  type Words = FieldWords & Own;
  return {
    text: (
      name: Keys<Values, string>,
      { most, type, inputMode, isFirst, ...titles }: TextRow,
    ): Row<Values, Own> => ({
      name,
      draw: (form, words) => (
        <TextField
          {...textOf(form, name)}
          {...titled(name, titles, words)}
          maxLength={most}
          autoComplete="off"
          {...(type === undefined ? {} : { type })}
          {...(inputMode === undefined ? {} : { inputMode })}
          {...(isFirst ? { "data-autofocus": true } : {})}
        />
      ),
    }),
    number: (
      name: Keys<Values, number | null>,
      { min, max, decimals, unit, ...titles }: NumberRow<Values, Own>,
    ): Row<Values, Own> => ({
      name,
      draw: (form, words) => (
        <NumberField
          {...numberOf(form, name)}
          {...titled(name, titles, words)}
          {...(min === undefined ? {} : { min })}
          {...(max === undefined ? {} : { max })}
          {...(decimals === undefined ? {} : { decimals })}
          {...(unit ? { unit: words.t(unit(form.values, words)) } : {})}
        />
      ),
    }),
    day: (name: Keys<Values, string>, titles: Titled = {}): Row<Values, Own> => ({
      name,
      draw: (form, words) => <DateField {...textOf(form, name)} {...titled(name, titles, words)} />,
    }),
    select: (
      name: Keys<Values, string>,
      options: (words: Words) => readonly Option[],
      titles: Titled = {},
    ): Row<Values, Own> => ({
      name,
      draw: (form, words) => (
        <SelectField {...textOf(form, name)} {...titled(name, titles, words)} options={options(words)} />
      ),
    }),
    /** One of a few, all visible. */
    choice: <Name extends keyof Values & string>(
      name: Name,
      options: (words: Words) => readonly (Option & { readonly of: Values[Name] })[],
      { title, sets }: ChoiceRow<Values, Values[Name]> = {},
    ): Row<Values, Own> => ({
      name,
      draw: (form, words) => {
        const offered = options(words);
        return (
          <div>
            <Segmented
              name={name}
              label={words.t(title ?? words.titleOf(name))}
              value={offered.find(({ of }) => of === form.values[name])?.value ?? ""}
              options={offered}
              onValue={(value) => {
                const chosen = offered.find((each) => each.value === value);
                if (chosen) form.set({ [name]: chosen.of, ...sets?.(chosen.of) });
              }}
            />
          </div>
        );
      },
    }),
    tick: (name: Keys<Values, boolean>, { title, hint }: Titled = {}): Row<Values, Own> => ({
      name,
      draw: (form, words) => (
        <div>
          <Checkbox
            name={name}
            checked={form.field(name).value === true}
            onChange={({ currentTarget }) => form.set({ [name]: currentTarget.checked })}
          >
            {words.t(title ?? words.titleOf(name))}
          </Checkbox>
          {hint === undefined ? null : <p className="record-hint">{words.t(hint)}</p>}
        </div>
      ),
    }),
    /** A field of a kind of its own. */
    own: (
      name: Keys<Values, string>,
      draw: (bound: ReturnType<typeof textOf> & { readonly label: string }) => ReactNode,
    ): Row<Values, Own> => ({
      name,
      draw: (form, words) => draw({ ...textOf(form, name), label: words.t(words.titleOf(name)) }),
    }),
    /** Rows beside each other where there is room. */
    beside: (...rows: readonly Row<Values, Own>[]): Row<Values, Own> => ({
      name: rows.map((row) => row.name).join(),
      draw: (form, words) => (
        <div className="record-fields">
          {rows
            .filter((row) => row.isShown?.(form.values) ?? true)
            .map((row) => (
              <Drawn key={row.name} {...{ row, form, words }} />
            ))}
        </div>
      ),
    }),
    /** Rows that these values have. */
    where: (isShown: (values: Values) => boolean, ...rows: readonly Row<Values, Own>[]) =>
      rows.map((row): Row<Values, Own> => ({ ...row, isShown })),
  };
}

export function Drawn<Values extends object, Own extends object>(props: {
  readonly row: Row<Values, Own>;
  readonly form: FormView<Values>;
  readonly words: FieldWords & Own;
}): ReactNode {
  return props.row.draw(props.form, props.words);
}

function titled(name: string, { title, hint }: Titled, { t, titleOf }: FieldWords) {
  return { label: t(title ?? titleOf(name)), ...(hint === undefined ? {} : { hint: t(hint) }) };
}

function textOf<Values extends object>(form: FormView<Values>, name: string) {
  const { value, theirs, ...bound } = form.field(name);
  return {
    ...bound,
    value: typeof value === "string" ? value : "",
    ...(typeof theirs === "string" ? { theirs } : {}),
  };
}

function numberOf<Values extends object>(form: FormView<Values>, name: string) {
  const { value, theirs, ...bound } = form.field(name);
  return {
    ...bound,
    value: typeof value === "number" ? value : null,
    ...(typeof theirs === "number" || theirs === null ? { theirs } : {}),
  };
}
