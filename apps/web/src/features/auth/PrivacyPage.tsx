import { personalDataVersion } from "@metrum/contract/access";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { pageTitle } from "#lib/design";
import "./privacy.css";

const parts = ["what", "why", "where", "rights"] as const;

/** The text of the consent. A change of it requires a new version number in the contract. */
export function PrivacyPage() {
  const { t } = useTranslation("privacy");
  useEffect(() => {
    document.title = pageTitle(t("title"));
  }, [t]);
  return (
    <main className="privacy">
      <h1>{t("title")}</h1>
      <p>{t("version", { version: personalDataVersion })}</p>
      {parts.map((part) => (
        <section key={part}>
          <h2>{t(`${part}.title`)}</h2>
          <p>{t(`${part}.text`)}</p>
        </section>
      ))}
      <a href="#/auth/login">{t("back")}</a>
    </main>
  );
}
