import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "#ui/button";
import { installApp } from "./install.ts";
import type { SiteOffer } from "./siteOffer.ts";

type Demo = NonNullable<SiteOffer["demo"]>;

/** Alternatives for users without a password, and the phone app if the product has its own brand. */
export function Offers({
  site,
  onDemo,
}: {
  readonly site: SiteOffer;
  readonly onDemo: (demo: Demo) => void;
}) {
  const { t } = useTranslation("auth");
  const { canRegister, demo, isPlain } = site;
  return (
    <>
      <a className="login-forgot" href="#/auth/forget">
        {t("forgot")}
      </a>
      {canRegister || demo !== null ? (
        <div className="login-other">
          {canRegister ? (
            <a className={buttonClass({ size: "large", isWide: true })} href="#/auth/registration">
              <span>{t("register")}</span>
            </a>
          ) : null}
          {demo === null ? null : (
            <Button isWide size="large" onClick={() => onDemo(demo)}>
              {t("demo")}
            </Button>
          )}
        </div>
      ) : null}
      {isPlain ? (
        <button type="button" className="login-badge" onClick={() => void installApp(t)}>
          <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4.4 2.6l8.4 5.4-8.4 5.4z" />
          </svg>
          <span>
            <small>{t("app.where")}</small>
            <b>{t("app.title")}</b>
          </span>
        </button>
      ) : null}
    </>
  );
}
