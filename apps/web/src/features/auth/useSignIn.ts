import { auth, type InputOf } from "@metrum/contract";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "#lib/call";
import { startSession } from "#lib/token";
import { alert, whileBusy } from "#ui/dialog";
import { refusalOf } from "./refusal.ts";

/** Refusals come after a pause, so that the closing spinner and the dialog are two things, not one flicker. */
export const errorDialogAfterMs = 500;

type Credentials = NonNullable<InputOf<typeof auth.login>["body"]>;

interface Asked {
  readonly code: boolean;
  readonly consent: boolean;
  /** What is wrong with the code that was given. */
  readonly codeError: string | null;
}

/**
 * Sends the sign-in and learns from a refusal what the form has to ask in addition. Until `onSignedIn` has left the form, another
 * Enter is no new sign-in.
 */
export function useSignIn(onSignedIn: () => Promise<void>) {
  const { t } = useTranslation("auth");
  const [asked, setAsked] = useState<Asked>({ code: false, consent: false, codeError: null });
  const isSending = useRef(false);

  const refused = (error: unknown, hadCode: boolean) => {
    const { asks, msg } = refusalOf(error);
    if (asks === "code") setAsked((old) => ({ ...old, code: true, codeError: hadCode ? msg : null }));
    else if (asks === "consent") setAsked((old) => ({ ...old, consent: true }));
    else
      setTimeout(() => {
        void alert({ title: t("failed"), text: msg ?? t("common:error.offline") });
      }, errorDialogAfterMs);
  };
  const signIn = async (credentials: Credentials) => {
    // A second Enter while the first is on its way is the same wish.
    if (isSending.current) return;
    isSending.current = true;
    try {
      const { access_token } = await whileBusy({ title: t("entering") }, () =>
        send(auth.login, { body: credentials }, { isQuiet: true }),
      );
      startSession(access_token);
      await onSignedIn();
    } catch (error) {
      refused(error, credentials.one_t_p !== undefined);
    } finally {
      isSending.current = false;
    }
  };
  return { asked, signIn };
}
