import { twoFactor } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, useCall } from "#lib/call";
import { Button } from "#ui/button";
import { copyText } from "#ui/copy";
import { AccountName, CodeField, PasswordField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";

/** From the QR code to the first code of the app. */
export function SetUpTwoFactor(props: {
  readonly email: string;
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
  readonly onCancel?: () => void;
}) {
  const { t } = useTranslation("profile");
  // Every visit gets a new secret, which is never shown again.
  const offer = useCall(twoFactor.init, {}, { isQuiet: true, freshMs: Number.POSITIVE_INFINITY });
  if (offer.error)
    return (
      <ErrorState
        title={t("twoFactor.failed")}
        message={reasonOf(offer.error)}
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
  const notices = { copied: t("copied"), notCopied: t("notCopied") };
  return (
    <div className="profile-secret">
      <img src={qr} width={208} height={208} alt={t("twoFactor.qr")} />
      <div>
        <p>{t("twoFactor.byHand")}</p>
        <code className="profile-key">{secret.match(/.{1,4}/g)?.join(" ")}</code>
        <Button icon="copy" size="small" onClick={() => void copyText(secret, notices)}>
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
  const form = useForm({
    stored: { one_t_p: "", current_password: "" },
    required: ["one_t_p", "current_password"],
    check: ({ one_t_p }) => ({ one_t_p: one_t_p.length < 6 ? "digits" : undefined }),
    words: (code) => (code === "digits" ? t("twoFactor.sixDigits") : undefined),
    send: (body, options) => exchange(twoFactor.enable, { body }, options),
    onSaved: ({ recovery_codes }) => props.onEnabled(recovery_codes),
    // Each code is valid for one attempt.
    onRefused: () => form.set({ one_t_p: "" }),
  });
  const { error, value, onValue } = form.field("one_t_p");
  return (
    <Form form={form} className="profile-form">
      <div className="field">
        <CodeField label={t("twoFactor.code")} value={value} error={error !== undefined} onValue={onValue} />
        {error === undefined ? null : (
          <p className="field-error" role="alert">
            <StatusGlyph kind="alarm" />
            {error}
          </p>
        )}
      </div>
      <AccountName email={props.email} />
      <PasswordField
        label={t("password.current")}
        {...form.field("current_password")}
        autoComplete="current-password"
      />
      <div className="profile-buttons">
        <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={form.isBusy}>
          {t("twoFactor.turnOn")}
        </Button>
        {props.onCancel ? <Button onClick={props.onCancel}>{t("common:cancel")}</Button> : null}
      </div>
    </Form>
  );
}
