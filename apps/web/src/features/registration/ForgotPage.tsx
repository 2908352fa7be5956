import { registration } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { TextField } from "#ui/field";
import "./registration.css";
import { faultOfEmail } from "./rules.ts";
import { useFaults } from "./useFaults.ts";

/** Asks for a letter with a link to a new password. A failure is told by the general snackbar (REG-020). */
export function ForgotPage({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation("registration");
  const [email, setEmail] = useState("");
  const { form, textOf, mark, rejudge } = useFaults();
  const faults = (typed: string) => {
    const fault = faultOfEmail(typed);
    return fault ? { email: fault } : {};
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mark(faults(email))) return;
    const answer = await whileBusy({ title: t("forgot.busy") }, () =>
      exchange(registration.passwordCreate, { body: { email } }),
    ).catch(() => null);
    if (answer === null) return;
    await alert({ title: t("forgot.done"), text: answer.msg });
    onDone();
  };
  return (
    <>
      <h1>{t("forgot.title")}</h1>
      <p className="entry-text">{t("forgot.text")}</p>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoFocus
          isRequired
          value={email}
          error={textOf("email")}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            rejudge("email", faults(currentTarget.value));
          }}
        />
        <Button type="submit" kind="primary" size="large" isWide>
          {t("forgot.send")}
        </Button>
      </form>
    </>
  );
}
