import { registration } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { AccountName } from "#ui/field";
import { say } from "#ui/snackbar";
import { NewPassword } from "./NewPassword.tsx";
import "./registration.css";
import { faultsOfReset } from "./rules.ts";
import { useFaults } from "./useFaults.ts";

interface Props {
  readonly token: string;
  /** Of the account that the token belongs to. */
  readonly email: string;
  readonly minLength: number;
  readonly onDone: () => void;
}

/** Sets a new password by the link of a letter. */
export function ResetPage({ token, email, minLength, onDone }: Props) {
  const { t } = useTranslation("registration");
  const [draft, setDraft] = useState({ password: "", password_confirmation: "" });
  const { form, textOf, mark, markRefusal, rejudge } = useFaults();

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mark(faultsOfReset(draft, minLength))) return;
    if (draft.password !== draft.password_confirmation) {
      void say("password_not_equal", {}, "error");
      mark({ password_confirmation: "password_not_equal" });
      return;
    }
    try {
      const { msg } = await whileBusy({ title: t("reset.busy") }, () =>
        exchange(registration.passwordReset, { body: { email, token, ...draft } }, { isQuiet: namesField }),
      );
      await alert({ title: t("reset.done"), text: msg });
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      // A link that has died meanwhile is told by the snackbar, and nothing can be done here any more.
      if (!markRefusal(error) && error.code === "link_dead") onDone();
    }
  };
  return (
    <>
      <h1>{t("reset.title")}</h1>
      <p className="entry-text">{t("reset.text", { email })}</p>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <AccountName email={email} />
        <NewPassword
          draft={draft}
          minLength={minLength}
          textOf={textOf}
          autoFocus
          onChange={(field, value) => {
            const next = { ...draft, [field]: value };
            setDraft(next);
            rejudge(field, faultsOfReset(next, minLength));
          }}
        />
        <Button type="submit" kind="primary" size="large" isWide>
          {t("reset.send")}
        </Button>
      </form>
    </>
  );
}

const namesField = (error: ApiError) => Object.keys(error.attributes).length > 0;
