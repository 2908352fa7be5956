import { useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "#ui/field";

interface Props {
  readonly value: string;
  readonly longest: number;
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

/** A plain text area with line numbers. Tab leaves it, as everywhere; Ctrl+] indents. */
export function SourceField({ value, longest, isReadOnly, error, onValue }: Props) {
  const { t } = useTranslation("codecs");
  const numbers = useRef<HTMLPreElement>(null);
  const lines = value.split("\n").length;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.code !== "BracketRight" || !(event.ctrlKey || event.metaKey) || isReadOnly) return;
    event.preventDefault();
    const { selectionStart: at, selectionEnd: to } = event.currentTarget;
    onValue(`${value.slice(0, at)}  ${value.slice(to)}`);
  };
  return (
    <Field label={t("source")} hint={t("sourceHint")} error={error}>
      {(wired) => (
        <div className="codecs-source">
          <pre ref={numbers} aria-hidden="true">
            {Array.from({ length: lines }, (_, at) => at + 1).join("\n")}
          </pre>
          <textarea
            {...wired}
            value={value}
            readOnly={isReadOnly}
            maxLength={longest}
            rows={16}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            onChange={(event) => onValue(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onScroll={({ currentTarget }) => {
              if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop;
            }}
          />
        </div>
      )}
    </Field>
  );
}
