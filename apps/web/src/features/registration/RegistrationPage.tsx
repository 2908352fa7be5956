import { registration, shortestPassword } from "@metrum/contract/access";
import { innLength } from "@metrum/contract/core";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { loadCaptchaQuestion, type CaptchaAnswer } from "#auth";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { useFaultWords } from "./faultWords.ts";
import { NewPassword, refuseUnequal } from "./NewPassword.tsx";
import { PhoneField } from "#ui/phoneField";
import "./registration.css";
import { emptyDraft, faultsOf, ownOffset, type Draft, type FormField } from "./rules.ts";

const CaptchaQuestion = lazily(loadCaptchaQuestion);

interface Props {
  /** The server generates the passwords: the form has no password fields. */
  readonly usesRandomPasswords: boolean;
  /** Back to the sign-in. */
  readonly onDone: () => void;
}

/** Registers a company with its first administrator; the letter contains the next step. */
export function RegistrationPage({ usesRandomPasswords, onDone }: Props) {
  const { t } = useTranslation("registration");
  const [asked, setAsked] = useState(notAsked);
  const form = useForm({
    stored: { ...emptyDraft, ...noAnswer },
    required: ["email", "company_name", "inn", "phone_number"],
    check: (values) => faultsOf(values, { usesRandomPasswords }),
    words: useFaultWords(),
    send: ({ captcha, captcha_key, ...draft }, options) => {
      if (!usesRandomPasswords) refuseUnequal(draft);
      const answer = asked.round === 0 ? {} : { captcha, captcha_key };
      const body = { ...bodyOf(draft, usesRandomPasswords), ...answer };
      return whileBusy({ title: t("registration.busy") }, () =>
        exchange(registration.signup, { body }, options),
      );
    },
    isSilent: true,
    onSaved: async (_, msg) => {
      await alert({ title: t("registration.done"), text: msg });
      onDone();
    },
    onRefused: ({ code, msg }) => {
      // A captcha is valid for one attempt, so every further refusal needs another.
      const isAsked = code === "captcha_needed" || code === "captcha_wrong";
      if (!isAsked && asked.round === 0) return;
      const isWrong = isAsked && form.values.captcha_key !== "";
      setAsked({ round: asked.round + 1, error: isWrong ? (msg ?? undefined) : undefined });
      form.set(noAnswer);
    },
  });
  const input = (name: FormField, autoComplete: string) => ({
    label: t(name),
    ...form.field(name),
    autoComplete,
  });
  return (
    <>
      <h1>{t("registration.title")}</h1>
      <p className="entry-text">{t("registration.text")}</p>
      <Form form={form}>
        <TextField {...input("name", "name")} autoFocus maxLength={255} />
        <TextField {...input("email", "username")} type="email" inputMode="email" maxLength={255} />
        <TextField {...input("company_name", "organization")} maxLength={255} />
        <TextField {...input("inn", "off")} inputMode="numeric" maxLength={innLength} />
        <PhoneField {...input("phone_number", "tel")} />
        {usesRandomPasswords ? null : <NewPassword field={form.field} minLength={shortestPassword} />}
        {asked.round === 0 ? null : (
          <Suspense fallback={null}>
            <CaptchaQuestion key={asked.round} error={asked.error} onAnswer={form.set} />
          </Suspense>
        )}
        <Button type="submit" kind="primary" size="large" isWide>
          {t("registration.send")}
        </Button>
      </Form>
    </>
  );
}

interface Asked {
  /** The shown captcha; none before the server requires one. */
  readonly round: number;
  readonly error: string | undefined;
}
const notAsked: Asked = { round: 0, error: undefined };
const noAnswer: CaptchaAnswer = { captcha: "", captcha_key: "" };

function bodyOf({ password, password_confirmation, ...draft }: Draft, usesRandomPasswords: boolean) {
  return {
    ...draft,
    company_type_id: 1,
    user_time_zone: ownOffset(new Date()),
    ...(usesRandomPasswords ? {} : { password, password_confirmation }),
  };
}
