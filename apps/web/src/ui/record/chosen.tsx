import { Checkbox, Segmented, SelectField, Switch } from "#ui/field";
import { rowMaker, titled, type Keys, type Titled } from "./titles.ts";
import type { FieldWords, FormView } from "./types.ts";

interface Choice<Value> {
  readonly of: Value;
  readonly title: string;
}

interface SelectRow<Values, Own, Value> extends Titled<Values, Own> {
  /** Key of what is shown first, while nothing is chosen. */
  readonly placeholder?: string;
  readonly isFirst?: (words: FieldWords & Own) => boolean;
  readonly isDisabled?: (values: Values, words: FieldWords & Own) => boolean;
  /** Other fields that a choice sets. */
  readonly sets?: (value: Value, values: Values, own: Own) => Partial<Values>;
}

interface ChoiceRow<Values, Value> {
  readonly title?: string;
  readonly sets?: (value: Value) => Partial<Values>;
}

/** Rows whose values are chosen. */
export function chosenRows<Values extends object, Own extends object>() {
  const row = rowMaker<Values, Own>();
  type Words = FieldWords & Own;
  type Titles = Titled<Values, Own>;
  const select = <Name extends keyof Values & string>(
    name: Name,
    options: (words: Words, values: Values) => readonly Choice<Values[Name]>[],
    { placeholder, isFirst, isDisabled, sets, ...titles }: SelectRow<Values, Own, Values[Name]> = {},
  ) =>
    row(name, (form, words) => {
      const { value, onValue: _, theirs: __, ...bound } = form.field(name);
      const offered = options(words, form.values).map((each) => ({ ...each, value: keyOf(each.of) }));
      return (
        <SelectField
          {...bound}
          {...titled(name, titles, words, form.values)}
          value={keyOf(value)}
          {...theirsOf(form, name)}
          options={offered}
          {...(placeholder === undefined ? {} : { placeholder: words.t(placeholder) })}
          {...(isFirst?.(words) ? { "data-autofocus": true } : {})}
          {...(isDisabled ? { disabled: isDisabled(form.values, words) } : {})}
          onValue={(key) => {
            const chosen = offered.find((each) => each.value === key);
            if (chosen) form.set(choosing(name, chosen.of, sets?.(chosen.of, form.values, words)));
          }}
        />
      );
    });
  return {
    select,
    /** One of these spans in seconds; the present one is among them. */
    period: (name: Keys<Values, number>, spans: readonly number[], titles: Titles = {}) =>
      select(
        name,
        ({ age }, values) =>
          [...new Set([...spans, Number(values[name])])]
            .sort((a, b) => a - b)
            .map((of) => ({ of: of as Values[typeof name], title: age(of) })),
        titles,
      ),
    /** One of a few, all visible. */
    choice: <Name extends keyof Values & string>(
      name: Name,
      options: (words: Words) => readonly Choice<Values[Name]>[],
      { title, sets }: ChoiceRow<Values, Values[Name]> = {},
    ) =>
      row(name, (form, words) => {
        const offered = options(words).map((each) => ({ ...each, value: keyOf(each.of) }));
        return (
          <div>
            <Segmented
              name={name}
              label={words.t(title ?? words.titleOf(name))}
              value={offered.find(({ of }) => of === form.values[name])?.value ?? ""}
              options={offered}
              onValue={(key) => {
                const chosen = offered.find((each) => each.value === key);
                if (chosen) form.set(choosing(name, chosen.of, sets?.(chosen.of)));
              }}
            />
          </div>
        );
      }),
    toggle: (name: Keys<Values, boolean>, titles: Titles = {}) =>
      row(name, (form, words) => (
        <Switch
          name={name}
          checked={form.field(name).value === true}
          onChange={({ currentTarget }) => form.set(choosing(name, currentTarget.checked))}
        >
          {titled(name, titles, words, form.values).label}
        </Switch>
      )),
    tick: (name: Keys<Values, boolean>, titles: Titles = {}) =>
      row(name, (form, words) => {
        const { label, hint } = titled(name, titles, words, form.values);
        const box = (
          <Checkbox
            name={name}
            checked={form.field(name).value === true}
            onChange={({ currentTarget }) => form.set(choosing(name, currentTarget.checked))}
          >
            {label}
          </Checkbox>
        );
        if (hint === undefined) return box;
        return (
          <div>
            {box}
            <p className="record-hint">{hint}</p>
          </div>
        );
      }),
  };
}

/** A choice as a list of a browser represents it. */
const keyOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

const choosing = <Values,>(name: string, value: unknown, others: Partial<Values> = {}): Partial<Values> => ({
  [name]: value,
  ...others,
});

/** The conflicting choice of another user. */
function theirsOf<Values extends object>(form: FormView<Values>, name: string) {
  const { theirs } = form.field(name);
  return theirs === undefined ? {} : { theirs: keyOf(theirs) };
}
