import { innLength, registration, shortestPassword } from "@metrum/contract";
import { lazy, Suspense, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { loadCaptchaQuestion, type CaptchaAnswer } from "#auth";
import { ApiError, exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { TextField } from "#ui/field";
import { say } from "#ui/snackbar";
import { NewPassword } from "./NewPassword.tsx";
import "./registration.css";
import { emptyDraft, faultsOf, maskPhone, ownOffset, type Draft, type FormField } from "./rules.ts";
import { useFaults } from "./useFaults.ts";

const CaptchaQuestion = lazy(loadCaptchaQuestion);

interface Props {
  /** The server makes the passwords: the form asks for none. */
  readonly usesRandomPasswords: boolean;
  /** Back to the sign-in. */
  readonly onDone: () => void;
}

/** Registers a company with its first administrator; what follows is in the letter. */
export function RegistrationPage({ usesRandomPasswords, onDone }: Props) {
  const { t } = useTranslation("registration");
  const [draft, setDraft] = useState(emptyDraft);
  const { form, textOf, mark, markRefusal, rejudge } = useFaults();
  const question = useQuestion();

  const change = (field: FormField, value: string) => {
    const next = { ...draft, [field]: field === "phone_number" ? maskPhone(value) : value };
    setDraft(next);
    rejudge(field, faultsOf(next, { usesRandomPasswords }));
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mark(faultsOf(draft, { usesRandomPasswords }))) return;
    if (!usesRandomPasswords && draft.password !== draft.password_confirmation) {
      void say("password_not_equal", {}, "error");
      mark({ password_confirmation: "password_not_equal" });
      return;
    }
    try {
      const { msg } = await whileBusy({ title: t("registration.busy") }, () =>
        exchange(
          registration.signup,
          { body: { ...bodyOf(draft, usesRandomPasswords), ...question.answer } },
          { isQuiet: namesField },
        ),
      );
      await alert({ title: t("registration.done"), text: msg });
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      question.refused(error);
      markRefusal(error);
    }
  };
  const input = (name: FormField, autoComplete: string) => ({
    label: t(name),
    name,
    autoComplete,
    value: draft[name],
    error: textOf(name),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      change(name, currentTarget.value),
  });
  return (
    <>
      <h1>{t("registration.title")}</h1>
      <p className="entry-text">{t("registration.text")}</p>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField {...input("name", "name")} autoFocus maxLength={255} />
        <TextField
          {...input("email", "username")}
          type="email"
          inputMode="email"
          isRequired
          maxLength={255}
        />
        <TextField {...input("company_name", "organization")} isRequired maxLength={255} />
        <TextField {...input("inn", "off")} inputMode="numeric" isRequired maxLength={innLength} />
        <TextField {...input("phone_number", "tel")} type="tel" inputMode="tel" isRequired />
        {usesRandomPasswords ? null : (
          <NewPassword draft={draft} minLength={shortestPassword} textOf={textOf} onChange={change} />
        )}
        {question.round === 0 ? null : (
          <Suspense fallback={null}>
            <CaptchaQuestion key={question.round} error={question.error} onAnswer={question.setAnswer} />
          </Suspense>
        )}
        <Button type="submit" kind="primary" size="large" isWide>
          {t("registration.send")}
        </Button>
      </form>
    </>
  );
}

/** The captcha that the server may ask for. Each is for one try, so every refusal after the first asks for another. */
function useQuestion() {
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<CaptchaAnswer | null>(null);
  const [error, setError] = useState<string>();
  const refused = ({ code, msg }: ApiError) => {
    const isAsked = code === "captcha_needed" || code === "captcha_wrong";
    if (!isAsked && round === 0) return;
    setError(isAsked && answer !== null ? (msg ?? undefined) : undefined);
    setAnswer(null);
    setRound(round + 1);
  };
  return { round, answer, error, setAnswer, refused };
}

/** A refusal of a field stands at the field; every other one is told by the general snackbar. */
const namesField = (error: ApiError) => Object.keys(error.attributes).length > 0;

function bodyOf({ password, password_confirmation, ...draft }: Draft, usesRandomPasswords: boolean) {
  return {
    ...draft,
    company_type_id: 1,
    user_time_zone: ownOffset(new Date()),
    ...(usesRandomPasswords ? {} : { password, password_confirmation }),
  };
}
