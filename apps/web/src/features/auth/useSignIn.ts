import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { startSession } from "#lib/token";
import { alert, whileBusy } from "#ui/dialog";
import type { Captcha } from "./captcha.ts";
import { prove, type Additions, type Proof } from "./proof.ts";
import { refusalOf } from "./refusal.ts";

/** Refusals are shown after a pause, so that the closing spinner and the dialog do not flicker. */
export const errorDialogAfterMs = 500;

export interface Asked {
  readonly captcha: boolean;
  readonly code: boolean;
  readonly consent: boolean;
  /** Fault of the captcha or the code. */
  readonly captchaError: string | null;
  readonly codeError: string | null;
}

const nothing: Asked = { captcha: false, code: false, consent: false, captchaError: null, codeError: null };

/**
 * Sends the sign-in and learns from a refusal which additional input the form must request. Until
 * `onSignedIn` has left the form, another Enter is ignored. `proof` is the one in progress; null while the
 * form requests a password.
 */
export function useSignIn(onSignedIn: () => Promise<void>) {
  const { t } = useTranslation("auth");
  const [asked, setAsked] = useState(nothing);
  const [proof, setProof] = useState<Proof | null>(null);
  const { captcha, renew } = useCaptcha();
  const isSending = useRef(false);

  const refused = (error: unknown, given: Proof, additions: Additions) => {
    const { asks, msg } = refusalOf(error);
    const isOther = given.kind !== "password";
    setProof(isOther && (asks === "code" || asks === "consent") ? given : null);
    // A captcha is valid for one attempt, whatever its outcome.
    if (asks === "captcha" || additions.captcha_key !== undefined) void renew();
    if (asks === "captcha")
      setAsked((old) => ({ ...old, captcha: true, captchaError: additions.captcha_key ? msg : null }));
    else if (asks === "code")
      setAsked((old) => ({
        ...old,
        code: true,
        captchaError: null,
        codeError: additions.one_t_p ? msg : null,
      }));
    else if (asks === "consent") setAsked((old) => ({ ...old, consent: true, captchaError: null }));
    else {
      setAsked((old) => ({
        ...old,
        captchaError: null,
        ...(isOther ? { code: false, consent: false } : {}),
      }));
      setTimeout(() => {
        void alert({ title: t("failed"), text: msg ?? t("common:error.offline") });
      }, errorDialogAfterMs);
    }
  };
  const signIn = async (given: Proof, additions: Additions = {}) => {
    // A second Enter while the first is in progress is the same request.
    if (isSending.current) return;
    isSending.current = true;
    try {
      const { access_token } = await whileBusy({ title: t("entering") }, () => prove(given, additions));
      startSession(access_token);
      await onSignedIn();
    } catch (error) {
      refused(error, given, additions);
    } finally {
      isSending.current = false;
    }
  };
  const startOver = () => {
    setProof(null);
    setAsked((old) => ({ ...old, code: false, consent: false }));
  };
  return { asked, proof, captcha, renew, signIn, startOver };
}

/** The shown captcha; "failed" when none could be loaded, null while loading. */
function useCaptcha() {
  const [captcha, setCaptcha] = useState<Captcha | "failed" | null>(null);
  const renew = async () => {
    setCaptcha(null);
    setCaptcha(await import("./captcha.ts").then(({ askCaptcha }) => askCaptcha()).catch(() => "failed"));
  };
  return { captcha, renew };
}
