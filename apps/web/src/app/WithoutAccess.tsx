import { useTranslation } from "react-i18next";
import { queryClient } from "#lib/call";
import { leaveEntered } from "#lib/session";
import { isEntered } from "#lib/token";
import { Button, buttonClass } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { Note } from "#ui/states";

/** Signed in, but with nothing to see. */
export function WithoutAccess() {
  const { t } = useTranslation("shell");
  return (
    <main className="alone">
      <BrandMark size={32} />
      <h1 className="visually-hidden">{t("withoutAccess.title")}</h1>
      <Note title={t("withoutAccess.title")} text={t("withoutAccess.text")}>
        <a className={buttonClass({ kind: "primary" })} href="#/cloud" onClick={() => queryClient.clear()}>
          {t("withoutAccess.toCloud")}
        </a>
        {isEntered() ? <Button onClick={() => void leaveEntered()}>{t("withoutAccess.leave")}</Button> : null}
        <a className={buttonClass()} href="#/auth/logout">
          {t("withoutAccess.signOut")}
        </a>
      </Note>
    </main>
  );
}
