import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { Checkbox, CodeField, PasswordField, TextField } from "#ui/field";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { Languages } from "./Languages.tsx";
import "./login.css";
import type { SiteOffer } from "./siteOffer.ts";
import { useSignIn } from "./useSignIn.ts";

const codeLength = 6;

interface Props {
  readonly site: SiteOffer;
  readonly onSignedIn: () => Promise<void>;
  /** Why the session before has ended. */
  readonly notice?: string | null;
}

/** E-mail and password; everything else only when the server asks for it. */
export function LoginPage({ site, onSignedIn, notice = null }: Props) {
  const { t } = useTranslation("auth");
  const { asked, signIn } = useSignIn(onSignedIn);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [hasConsent, setConsent] = useState(false);
  const [isJudged, setJudged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { title, logo, demo } = site;
  useEffect(() => {
    document.title = `${t("title")} · ${title}`;
  }, [t, title]);

  const required = (value: string) => (isJudged && value.trim() === "" ? t("required") : undefined);
  const send = (one_t_p: string) => {
    setJudged(true);
    const missing = email.trim() === "" ? "email" : password === "" ? "password" : null;
    if (missing !== null) return form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
    if (asked.code && one_t_p.length < codeLength)
      return form.current?.querySelector<HTMLInputElement>("[name=one_t_p]")?.focus();
    void signIn({
      email,
      password,
      ...(asked.code ? { one_t_p } : {}),
      ...(asked.consent ? { personal_data_access: hasConsent } : {}),
    });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(code);
  };
  return (
    <main className="login">
      <div className="login-brand">
        {logo === null ? <Brand title={title} /> : <img src={logo} alt={title} />}
      </div>
      <h1>{t("title")}</h1>
      <p className="login-product">{t("product")}</p>
      {notice === null ? null : (
        <p className="login-notice" role="status">
          <StatusGlyph kind="warn" />
          {notice}
        </p>
      )}
      <form ref={form} onSubmit={submit} noValidate>
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoFocus
          isRequired
          value={email}
          error={required(email)}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t("password")}
          name="password"
          autoComplete="current-password"
          isRequired
          value={password}
          error={required(password)}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {asked.code ? (
          <CodePanel
            value={code}
            error={asked.codeError}
            onValue={(value) => {
              setCode(value);
              if (value.length === codeLength && value !== code) send(value);
            }}
          />
        ) : null}
        {asked.consent ? (
          <Checkbox
            name="personal_data_access"
            checked={hasConsent}
            onChange={(event) => setConsent(event.currentTarget.checked)}
            autoFocus
          >
            {t("consent")}
          </Checkbox>
        ) : null}
        <Button type="submit" kind="primary" size="large" isWide>
          {t("enter")}
        </Button>
      </form>
      {demo !== null ? (
        <div className="login-other">
          <Button isWide size="large" onClick={() => void signIn(demo)}>
            {t("demo")}
          </Button>
        </div>
      ) : null}
      <Languages />
    </main>
  );
}

function Brand({ title }: { readonly title: string }) {
  return (
    <>
      <BrandMark size={28} />
      <span>{title}</span>
    </>
  );
}

function CodePanel(props: {
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
}) {
  const { t } = useTranslation("auth");
  return (
    <section className="login-code">
      <h2>
        <Icon name="phone" />
        {t("code.title")}
      </h2>
      <p>{t("code.hint")}</p>
      <CodeField
        name="one_t_p"
        label={t("code.label")}
        length={codeLength}
        value={props.value}
        onValue={props.onValue}
        error={props.error !== null}
        autoFocus
      />
      {props.error === null ? null : (
        <p className="field-error" role="alert">
          <StatusGlyph kind="alarm" />
          {props.error}
        </p>
      )}
    </section>
  );
}
