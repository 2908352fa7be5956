import { twoFactor } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { Button } from "#ui/button";
import { copyText } from "#ui/copy";
import { AccountName, CodeField, PasswordField } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { useSaving } from "./useSaving.ts";

/** From the QR code to the first code of the app. */
export function SetUpTwoFactor(props: {
  readonly email: string;
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
  readonly onCancel?: () => void;
}) {
  const { t } = useTranslation("profile");
  // Every visit gets a secret of its own, and one is never shown again.
  const offer = useCall(twoFactor.init, {}, { isQuiet: true, freshMs: Number.POSITIVE_INFINITY });
  if (offer.error)
    return (
      <ErrorState
        title={t("twoFactor.failed")}
        message={offer.error.msg}
        onRetry={() => void offer.refetch()}
      />
    );
  return (
    <ol className="profile-steps">
      <li>
        <p>{t("twoFactor.stepApp")}</p>
      </li>
      <li>
        <p>{t("twoFactor.stepScan")}</p>
        {offer.data ? <Secret qr={offer.data.qr} secret={offer.data.secret} /> : <Skeleton height={208} />}
      </li>
      <li>
        <p>{t("twoFactor.stepCode")}</p>
        <Confirm {...props} />
      </li>
    </ol>
  );
}

function Secret({ qr, secret }: { readonly qr: string; readonly secret: string }) {
  const { t } = useTranslation("profile");
  const told = { copied: t("copied"), notCopied: t("notCopied") };
  return (
    <div className="profile-secret">
      <img src={qr} width={208} height={208} alt={t("twoFactor.qr")} />
      <div>
        <p>{t("twoFactor.byHand")}</p>
        <code className="profile-key">{secret.match(/.{1,4}/g)?.join(" ")}</code>
        <Button icon="copy" size="small" onClick={() => void copyText(secret, told)}>
          {t("twoFactor.copyKey")}
        </Button>
      </div>
    </div>
  );
}

function Confirm(props: {
  readonly email: string;
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
  readonly onCancel?: () => void;
}) {
  const { t } = useTranslation("profile");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const { isSaving, faults, send, setFaults, forget } = useSaving(twoFactor.enable, [
    "one_t_p",
    "current_password",
  ]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (code.length < 6 || password === "") {
      setFaults({
        ...(code.length < 6 ? { one_t_p: t("twoFactor.sixDigits") } : {}),
        ...(password === "" ? { current_password: t("common:dialog.required") } : {}),
      });
      return;
    }
    const answer = await send({ body: { one_t_p: code, current_password: password } });
    if (answer) props.onEnabled(answer.recovery_codes);
    else setCode("");
  };
  return (
    <form className="profile-form" onSubmit={(event) => void submit(event)} noValidate>
      <div className="field">
        <CodeField
          label={t("twoFactor.code")}
          value={code}
          error={faults["one_t_p"] !== undefined}
          onValue={(value) => {
            forget("one_t_p");
            setCode(value);
          }}
        />
        {faults["one_t_p"] === undefined ? null : (
          <p className="field-error" role="alert">
            <StatusGlyph kind="alarm" />
            {faults["one_t_p"]}
          </p>
        )}
      </div>
      <AccountName email={props.email} />
      <PasswordField
        label={t("password.current")}
        isRequired
        autoComplete="current-password"
        value={password}
        error={faults["current_password"]}
        onChange={({ currentTarget }) => {
          forget("current_password");
          setPassword(currentTarget.value);
        }}
      />
      <div className="profile-buttons">
        <Button type="submit" kind="primary" isBusy={isSaving} disabled={isSaving}>
          {t("twoFactor.turnOn")}
        </Button>
        {props.onCancel ? <Button onClick={props.onCancel}>{t("common:cancel")}</Button> : null}
      </div>
    </form>
  );
}
