import { Suspense, useEffect } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { Form, useForm } from "#ui/form";
import { StatusGlyph } from "#ui/status";
import { Credentials } from "./Credentials.tsx";
import { Languages } from "./Languages.tsx";
import "./login.css";
import { Offers } from "./Offers.tsx";
import type { SiteOffer } from "./siteOffer.ts";
import { useSignIn } from "./useSignIn.ts";

const CaptchaPanel = lazily(() => import("./CaptchaPanel.tsx"));
const Consent = lazily(() => import("./Consent.tsx"));
const CodePanel = lazily(() => import("./CodePanel.tsx"));
const Directories = lazily(() => import("./Directories.tsx"));

/** A code of the app has 6 digits, a recovery code more characters. */
const shortestCode = 6;

const blank = {
  email: "",
  password: "",
  captcha: "",
  captcha_key: "",
  one_t_p: "",
  personal_data_access: false,
  directory: false,
};

interface Props {
  readonly site: SiteOffer;
  readonly onSignedIn: () => Promise<void>;
  /** Why the previous session has ended. */
  readonly notice?: string | null;
}

/** E-mail and password; further fields only when the server requires them. */
export function LoginPage({ site, onSignedIn, notice = null }: Props) {
  const { t } = useTranslation("auth");
  const { asked, proof, captcha, renew, signIn, startOver } = useSignIn(onSignedIn);
  const asksCaptcha = asked.captcha && proof === null;
  const captcha_key = captcha === null || captcha === "failed" ? "" : captcha.key;
  // Input for a replaced captcha image is discarded.
  const readOf = (values: typeof blank) => (values.captcha_key === captcha_key ? values.captcha : "");
  const form = useForm({
    stored: blank,
    required: proof === null ? ["email", "password"] : [],
    check: (values) => ({
      captcha: asksCaptcha && readOf(values).trim() === "" ? "required" : undefined,
      one_t_p: asked.code && values.one_t_p.length < shortestCode ? "required" : undefined,
    }),
    send: async (values) => {
      const { email, password, directory, one_t_p, personal_data_access } = values;
      await signIn(proof ?? { kind: "password", email, password, ...(directory ? { directory } : {}) }, {
        ...(asked.code ? { one_t_p } : {}),
        ...(asked.consent ? { personal_data_access } : {}),
        ...(asksCaptcha ? { captcha: readOf(values), captcha_key } : {}),
      });
      return undefined;
    },
  });
  const captchaText = readOf(form.values);
  const code = form.field("one_t_p");
  const captchaError = captchaText === "" ? (asked.captchaError ?? undefined) : undefined;
  return (
    <main className="login">
      <Head site={site} notice={notice} />
      <Form form={form} className="login-credentials">
        {proof === null ? (
          <Credentials field={form.field} />
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
              error={form.field("captcha").error ?? captchaError}
              onValue={(text) => form.set({ captcha: text, captcha_key })}
              onRenew={() => void renew()}
            />
          ) : null}
          {asked.code ? (
            <CodePanel
              value={code.value}
              error={code.error ?? asked.codeError}
              onValue={code.onValue}
              onWhole={(whole) => void form.submit({ one_t_p: whole })}
            />
          ) : null}
          {asked.consent ? <Consent {...form.field("personal_data_access")} /> : null}
        </Suspense>
        <Button type="submit" kind="primary" size="large" isWide>
          {t("enter")}
        </Button>
      </Form>
      {site.directories.length === 0 ? null : (
        <Suspense fallback={null}>
          <Directories
            directories={site.directories}
            onPassword={() => void form.submit({ directory: true })}
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
