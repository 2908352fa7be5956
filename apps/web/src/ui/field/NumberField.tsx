import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, parseNumber, useFormat } from "#lib/format";
import { Field, type FieldTexts } from "./Field.tsx";
import "./field.css";

interface Props extends Omit<FieldTexts, "theirs"> {
  readonly theirs?: number | null | undefined;
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  readonly unit?: ReactNode;
  readonly disabled?: boolean;
  readonly name?: string;
}

const limitMessageMs = 2000;

/** Accepts "1 234,5" and "1234.5". A value outside the limits becomes the limit, with a note for 2 s. */
export function NumberField(props: Props) {
  const { label, hint, error, isRequired, theirs, value, onValue, min, max, decimals, unit, ...input } =
    props;
  const { t } = useTranslation("common");
  const { language } = useFormat();
  const [draft, setDraft] = useState<string | null>(null);
  const [limit, setLimit] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const boundedOf = (parsed: number | null) =>
    parsed === null ? null : Math.min(max ?? parsed, Math.max(min ?? parsed, parsed));
  const leave = () => {
    const parsed = draft === null ? value : parseNumber(draft);
    const bounded = boundedOf(parsed);
    setDraft(null);
    if (draft !== null) onValue(bounded);
    if (parsed === null || bounded === null || bounded === parsed) return;
    const shown = formatNumber(bounded, language);
    setLimit(t(parsed > bounded ? "field.maxLimit" : "field.minLimit", { limit: shown }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setLimit(null), limitMessageMs);
  };
  const textOf = (number: number | null) =>
    number === null ? "" : formatNumber(number, language, { most: decimals ?? 6 });
  return (
    <Field
      label={label}
      hint={<span aria-live="polite">{limit ?? hint}</span>}
      error={error}
      theirs={theirs === undefined ? undefined : textOf(theirs)}
      {...(isRequired ? { isRequired } : {})}
    >
      {(wired) => (
        <span className="input">
          <input
            {...input}
            {...wired}
            inputMode="decimal"
            value={draft ?? textOf(value)}
            onChange={({ currentTarget: { value: typed } }) => {
              setDraft(typed);
              onValue(boundedOf(parseNumber(typed)));
            }}
            onBlur={leave}
            // Enter submits the form without leaving the field.
            onKeyDown={(event) => {
              if (event.key === "Enter") leave();
            }}
          />
          {unit === undefined ? null : <span className="input-unit">{unit}</span>}
        </span>
      )}
    </Field>
  );
}
