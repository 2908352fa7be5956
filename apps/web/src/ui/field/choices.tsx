import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from "react";
import { Icon, type IconName } from "#ui/icon";
import { Field, type FieldTexts } from "./Field.tsx";
import "./field.css";

interface TickProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> {
  readonly ref?: Ref<HTMLInputElement>;
  readonly children: ReactNode;
}

export function Checkbox({ children, ...input }: TickProps) {
  return (
    <label className="tick">
      <input {...input} type="checkbox" className="checkbox" />
      <span>{children}</span>
    </label>
  );
}

/** On and off with immediate effect. While the answer is pending it has the pending colour. */
export function Switch({
  children,
  isPending = false,
  ...input
}: TickProps & { readonly isPending?: boolean }) {
  return (
    <label className="tick">
      <input {...input} type="checkbox" role="switch" className="switch" aria-busy={isPending || undefined} />
      <span>{children}</span>
    </label>
  );
}

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly title: string;
  readonly icon?: IconName;
}

interface SelectProps<Value extends string>
  extends FieldTexts, Omit<SelectHTMLAttributes<HTMLSelectElement>, "className" | "required"> {
  readonly ref?: Ref<HTMLSelectElement>;
  readonly options: readonly Option<Value>[];
  /** Shown first, for no choice. */
  readonly placeholder?: string;
  readonly onValue?: (value: Value) => void;
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, error, isRequired, theirs, options, placeholder, onValue, ...select } = props;
  const optionOf = (value: string | undefined) => options.find((each) => each.value === value);
  return (
    <Field
      {...{ label, hint, error }}
      theirs={optionOf(theirs)?.title}
      {...(isRequired ? { isRequired } : {})}
    >
      {(wired) => (
        <span className="input">
          <select
            onChange={(event) => {
              const chosen = optionOf(event.currentTarget.value);
              if (chosen) onValue?.(chosen.value);
            }}
            {...select}
            {...wired}
          >
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((each) => (
              <option key={each.value} value={each.value}>
                {each.title}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" size={12} className="input-arrow" />
        </span>
      )}
    </Field>
  );
}

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  /** Icons only; the titles become their names. */
  readonly isCompact?: boolean;
  readonly name: string;
}

/** One of a few, all visible. Radio buttons underneath, so arrow keys work natively. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onValue, isCompact = false, name } = props;
  return (
    <fieldset className="segmented" aria-label={label}>
      {options.map((each) => (
        <label key={each.value} title={isCompact ? each.title : undefined}>
          <input
            type="radio"
            name={name}
            value={each.value}
            checked={each.value === value}
            onChange={() => onValue(each.value)}
            aria-label={each.title}
          />
          <span aria-hidden="true">
            {each.icon === undefined ? null : <Icon name={each.icon} size={14} />}
            {isCompact && each.icon !== undefined ? null : each.title}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
