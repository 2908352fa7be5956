import { registration } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { alert, whileBusy } from "#ui/dialog";
import { TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { useFaultWords } from "./faultWords.ts";
import "./registration.css";
import { faultOfEmail } from "./rules.ts";

/** Requests a letter with a password link. The general snackbar reports a failure (REG-020). */
export function ForgotPage({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation("registration");
  const form = useForm({
    stored: { email: "" },
    check: ({ email }) => ({ email: faultOfEmail(email) }),
    words: useFaultWords(),
    send: (body) =>
      whileBusy({ title: t("forgot.busy") }, () => exchange(registration.passwordCreate, { body })),
    isSilent: true,
    onSaved: async (_, msg) => {
      await alert({ title: t("forgot.done"), text: msg });
      onDone();
    },
  });
  return (
    <>
      <h1>{t("forgot.title")}</h1>
      <p className="entry-text">{t("forgot.text")}</p>
      <Form form={form}>
        <TextField
          label={t("email")}
          {...form.field("email")}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoFocus
          isRequired
        />
        <Button type="submit" kind="primary" size="large" isWide>
          {t("forgot.send")}
        </Button>
      </Form>
    </>
  );
}
