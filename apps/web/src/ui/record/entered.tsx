import type { InputHTMLAttributes } from "react";
import { DateField } from "#ui/dateField";
import { NumberField, PasswordField, TextField } from "#ui/field";
import { PhoneField } from "#ui/phoneField";
import { numberOf, rowMaker, textOf, titled, type Keys, type Titled } from "./titles.ts";
import type { FieldWords } from "./types.ts";
import { ZoneRow } from "./ZoneRow.tsx";

interface TextRow<Values, Own>
  extends Titled<Values, Own>, Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "inputMode"> {
  readonly most: number;
  /** The focus is here when the form opens. */
  readonly isFirst?: boolean;
}

interface NumberRow<Values, Own> extends Titled<Values, Own> {
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  /** Key of its unit; in words, if it follows from other fields. */
  readonly unit?: string | ((values: Values, words: FieldWords & Own) => string | undefined);
  readonly isDisabled?: (values: Values) => boolean;
}

/** Rows whose values are typed. */
export function enteredRows<Values extends object, Own extends object>() {
  const row = rowMaker<Values, Own>();
  type Titles = Titled<Values, Own>;
  return {
    text: (name: Keys<Values, string>, { most, type, inputMode, isFirst, ...titles }: TextRow<Values, Own>) =>
      row(name, (form, words) => (
        <TextField
          {...textOf(form, name)}
          {...titled(name, titles, words, form.values)}
          maxLength={most}
          autoComplete="off"
          {...(type === undefined ? {} : { type })}
          {...(inputMode === undefined ? {} : { inputMode })}
          {...(isFirst ? { "data-autofocus": true } : {})}
        />
      )),
    /** A secret that is never shown. */
    secret: (name: Keys<Values, string>, { most, ...titles }: Titles & { readonly most: number }) =>
      row(name, (form, words) => (
        <PasswordField
          {...textOf(form, name)}
          {...titled(name, titles, words, form.values)}
          maxLength={most}
          autoComplete="new-password"
        />
      )),
    number: (
      name: Keys<Values, number | null>,
      { min, max, decimals, unit, isDisabled, ...titles }: NumberRow<Values, Own> = {},
    ) =>
      row(name, (form, words) => (
        <NumberField
          {...numberOf(form, name)}
          {...titled(name, titles, words, form.values)}
          {...(min === undefined ? {} : { min })}
          {...(max === undefined ? {} : { max })}
          {...(decimals === undefined ? {} : { decimals })}
          {...unitOf(typeof unit === "function" ? unit(form.values, words) : unit && words.t(unit))}
          {...(isDisabled ? { disabled: isDisabled(form.values) } : {})}
        />
      )),
    day: (name: Keys<Values, string>, titles: Titles = {}) =>
      row(name, (form, words) => (
        <DateField {...textOf(form, name)} {...titled(name, titles, words, form.values)} />
      )),
    phone: (name: Keys<Values, string>, titles: Titles = {}) =>
      row(name, (form, words) => (
        <PhoneField
          {...textOf(form, name)}
          {...titled(name, titles, words, form.values)}
          autoComplete="off"
        />
      )),
    /** A time zone; `ofCompany`: key of the choice of none, which is that of the company. */
    zone: (name: Keys<Values, string>, titles: Titles & { readonly ofCompany?: string } = {}) =>
      row(name, (form, words) => (
        <ZoneRow
          {...textOf(form, name)}
          {...titled(name, titles, words, form.values)}
          none={titles.ofCompany === undefined ? undefined : words.t(titles.ofCompany)}
        />
      )),
  };
}

const unitOf = (unit: string | undefined) => (unit === undefined ? {} : { unit });
