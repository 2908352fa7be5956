import { registration } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { AccountName } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { useFaultWords } from "./faultWords.ts";
import { NewPassword, refuseUnequal } from "./NewPassword.tsx";
import "./registration.css";
import { faultsOfReset } from "./rules.ts";

interface Props {
  readonly token: string;
  /** Of the account of the token. */
  readonly email: string;
  readonly minLength: number;
  readonly onDone: () => void;
}

/** Sets a new password by the link of a letter. */
export function ResetPage({ token, email, minLength, onDone }: Props) {
  const { t } = useTranslation("registration");
  const form = useForm({
    stored: { password: "", password_confirmation: "" },
    check: (values) => faultsOfReset(values, minLength),
    words: useFaultWords(),
    send: (values, options) => {
      refuseUnequal(values);
      const body = { email, token, ...values };
      return whileBusy({ title: t("reset.busy") }, () =>
        exchange(registration.passwordReset, { body }, options),
      );
    },
    isSilent: true,
    onSaved: async (_, msg) => {
      await alert({ title: t("reset.done"), text: msg });
      onDone();
    },
    // The call has reported it, and the link cannot be used any more.
    onRefused: ({ code }) => {
      if (code === "link_dead") onDone();
    },
  });
  return (
    <>
      <h1>{t("reset.title")}</h1>
      <p className="entry-text">{t("reset.text", { email })}</p>
      <Form form={form}>
        <AccountName email={email} />
        <NewPassword field={form.field} minLength={minLength} autoFocus />
        <Button type="submit" kind="primary" size="large" isWide>
          {t("reset.send")}
        </Button>
      </Form>
    </>
  );
}
