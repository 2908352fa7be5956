import { lazy, Suspense, useEffect, useRef, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { StatusGlyph } from "#ui/status";
import { Credentials } from "./Credentials.tsx";
import { Languages } from "./Languages.tsx";
import "./login.css";
import { Offers } from "./Offers.tsx";
import type { SiteOffer } from "./siteOffer.ts";
import { useSignIn } from "./useSignIn.ts";

const CaptchaPanel = lazy(() => import("./CaptchaPanel.tsx"));
const Consent = lazy(() => import("./Consent.tsx"));
const CodePanel = lazy(() => import("./CodePanel.tsx"));
const Directories = lazy(() => import("./Directories.tsx"));

/** A code of the app has 6 digits, a recovery code more signs. */
const shortestCode = 6;

interface Props {
  readonly site: SiteOffer;
  readonly onSignedIn: () => Promise<void>;
  /** Why the session before has ended. */
  readonly notice?: string | null;
}

/** E-mail and password; everything else only when the server asks for it. */
export function LoginPage({ site, onSignedIn, notice = null }: Props) {
  const { t } = useTranslation("auth");
  const { asked, proof, captcha, renew, signIn, startOver } = useSignIn(onSignedIn);
  const [typed, setTyped] = useState({ email: "", password: "" });
  const [read, setRead] = useState({ key: "", text: "" });
  const [code, setCode] = useState("");
  const [hasConsent, setConsent] = useState(false);
  const [isJudged, setJudged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asksCaptcha = asked.captcha && proof === null;
  // What was read from an image that is no longer there is nothing.
  const captcha_key = captcha === null || captcha === "failed" ? "" : captcha.key;
  const captchaText = read.key === captcha_key ? read.text : "";

  const firstMissing = (one_t_p: string): string | undefined => {
    const wanted = {
      ...(proof === null ? { email: typed.email.trim(), password: typed.password } : {}),
      ...(asksCaptcha ? { captcha: captchaText.trim() } : {}),
      ...(asked.code ? { one_t_p: one_t_p.length < shortestCode ? "" : one_t_p } : {}),
    };
    return Object.entries(wanted).find(([, value]) => value === "")?.[0];
  };
  const send = (one_t_p: string, isDirectory = false) => {
    setJudged(true);
    const missing = firstMissing(one_t_p);
    if (missing !== undefined)
      return form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
    const own = { kind: "password", ...typed, ...(isDirectory ? { directory: true } : {}) } as const;
    void signIn(proof ?? own, {
      ...(asked.code ? { one_t_p } : {}),
      ...(asked.consent ? { personal_data_access: hasConsent } : {}),
      ...(asksCaptcha ? { captcha: captchaText, captcha_key } : {}),
    });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(code);
  };
  return (
    <main className="login">
      <Head site={site} notice={notice} />
      <form ref={form} onSubmit={submit} noValidate>
        {proof === null ? (
          <Credentials {...typed} isJudged={isJudged} onTyped={setTyped} />
        ) : (
          <Button kind="link" icon="arrowLeft" onClick={startOver}>
            {t("back")}
          </Button>
        )}
        <Suspense fallback={null}>
          {asksCaptcha ? (
            <CaptchaPanel
              captcha={captcha}
              value={captchaText}
              error={captchaText === "" ? (asked.captchaError ?? undefined) : undefined}
              onValue={(text) => setRead({ key: captcha_key, text })}
              onRenew={() => void renew()}
            />
          ) : null}
          {asked.code ? (
            <CodePanel value={code} error={asked.codeError} onValue={setCode} onWhole={send} />
          ) : null}
          {asked.consent ? <Consent isGiven={hasConsent} onGiven={setConsent} /> : null}
        </Suspense>
        <Button type="submit" kind="primary" size="large" isWide>
          {t("enter")}
        </Button>
      </form>
      {site.directories.length === 0 ? null : (
        <Suspense fallback={null}>
          <Directories
            directories={site.directories}
            onPassword={() => send(code, true)}
            onProof={(given) => void signIn(given)}
          />
        </Suspense>
      )}
      <Offers site={site} onDemo={(demo) => void signIn({ kind: "password", ...demo })} />
      <Languages />
    </main>
  );
}

function Head({ site, notice }: { readonly site: SiteOffer; readonly notice: string | null }) {
  const { t } = useTranslation("auth");
  const { title, logo } = site;
  useEffect(() => {
    document.title = `${t("title")} · ${title}`;
  }, [t, title]);
  return (
    <>
      <div className="login-brand">
        {logo === null ? (
          <>
            <BrandMark size={28} />
            <span>{title}</span>
          </>
        ) : (
          <img src={logo} alt={title} />
        )}
      </div>
      <h1>{t("title")}</h1>
      <p className="login-product">{t("product")}</p>
      {notice === null ? null : (
        <p className="login-notice" role="status">
          <StatusGlyph kind="warn" />
          {notice}
        </p>
      )}
    </>
  );
}
