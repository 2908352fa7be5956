import { useRef, type ChangeEvent } from "react";
import "./field.css";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly length?: number;
  readonly name?: string;
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
  readonly error?: boolean;
}

/** Digits of typed or pasted text, as many as there are cells. */
export function codeOf(text: string, length: number): string {
  return text.replaceAll(/\D/g, "").slice(0, length);
}

/** Six cells over one field: paste, autofill of one-time codes and screen readers work as in any field. */
export function CodeField({ label, value, onValue, length = 6, error = false, ...input }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const change = (event: ChangeEvent<HTMLInputElement>) => onValue(codeOf(event.currentTarget.value, length));
  return (
    <span className="code" data-invalid={error ? "" : undefined}>
      <input
        {...input}
        ref={field}
        aria-label={label}
        aria-invalid={error || undefined}
        aria-required
        value={value}
        onChange={change}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={length + 2}
      />
      {Array.from({ length }, (_, at) => (
        <i
          key={at}
          aria-hidden="true"
          data-current={at === Math.min(value.length, length - 1) ? "" : undefined}
          data-half={at === length / 2 ? "" : undefined}
        >
          {value[at]}
        </i>
      ))}
    </span>
  );
}
