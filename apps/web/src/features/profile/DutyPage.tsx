import { profile } from "@metrum/contract/access";
import type { Duty } from "@metrum/contract/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient, reasonOf, useCall } from "#lib/call";
import { BrandMark } from "#ui/brand";
import { Button, buttonClass } from "#ui/button";
import { Form } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { PasswordFields, usePasswordForm } from "./PasswordForm.tsx";
import "./profile.css";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { SetUpTwoFactor } from "./SetUpTwoFactor.tsx";

interface Props {
  readonly duty: Duty;
  readonly email: string;
  /** Called when the duty is fulfilled. */
  readonly onDone: () => void;
}

/** A duty before anything else: setting a password, or a second factor. */
export function DutyPage(props: Props) {
  const { t } = useTranslation("profile");
  const { duty } = props;
  return (
    <QueryClientProvider client={queryClient}>
      <main className="profile-duty">
        <div className="profile-duty-panel">
          <BrandMark size={32} />
          <h1>{t(`duty.${duty}`)}</h1>
          <p>{t(`duty.${duty}Text`)}</p>
          {duty === "password" ? <OwnPassword {...props} /> : <SecondFactor {...props} />}
          <a className={buttonClass({ kind: "link" })} href="#/auth/logout">
            {t("duty.signOut")}
          </a>
        </div>
      </main>
    </QueryClientProvider>
  );
}

function OwnPassword({ email, onDone }: Props) {
  const { t } = useTranslation("profile");
  const { data, error, refetch } = useCall(profile.state, {}, { isQuiet: true });
  const minLength = data?.password_min_length ?? 8;
  const form = usePasswordForm(minLength, onDone);
  if (error)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  return (
    <Form form={form} className="profile-form">
      <PasswordFields form={form} minLength={minLength} email={email} />
      <Button type="submit" kind="primary" size="large" isWide isBusy={form.isBusy} disabled={form.isBusy}>
        {t("password.change")}
      </Button>
    </Form>
  );
}

function SecondFactor({ email, onDone }: Props) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (codes.length > 0) return <RecoveryCodes codes={codes} email={email} onDone={onDone} />;
  return <SetUpTwoFactor email={email} onEnabled={setCodes} />;
}
