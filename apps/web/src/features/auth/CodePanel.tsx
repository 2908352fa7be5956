import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { CodeField, TextField } from "#ui/field";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import "./code.css";

interface Props {
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
  /** Called when the last digit is typed. */
  readonly onWhole: (code: string) => void;
}

const codeLength = 6;

/** Six cells for the code of the app, or a field for a recovery code. */
export default function CodePanel({ value, error, onValue, onWhole }: Props) {
  const { t } = useTranslation("additions");
  const [isRecovery, setRecovery] = useState(false);
  const change = (typed: string) => {
    onValue(typed);
    if (typed.length === codeLength && typed !== value) onWhole(typed);
  };
  return (
    <section className="login-code">
      <h2>
        <Icon name="phone" />
        {t("code.title")}
      </h2>
      <p>{t(isRecovery ? "code.recoveryHint" : "code.hint")}</p>
      {isRecovery ? (
        <TextField
          label={t("code.recovery")}
          name="one_t_p"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          autoFocus
          isRequired
          value={value}
          error={error ?? undefined}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      ) : (
        <CodeField
          name="one_t_p"
          label={t("code.label")}
          length={codeLength}
          value={value}
          onValue={change}
          error={error !== null}
          autoFocus
        />
      )}
      {error === null || isRecovery ? null : (
        <p className="field-error" role="alert">
          <StatusGlyph kind="alarm" />
          {error}
        </p>
      )}
      <p className="login-code-other">
        {isRecovery ? null : <span>{t("code.noPhone")}</span>}
        <Button
          kind="link"
          onClick={() => {
            onValue("");
            setRecovery(!isRecovery);
          }}
        >
          {t(isRecovery ? "code.useApp" : "code.useRecovery")}
        </Button>
      </p>
    </section>
  );
}
