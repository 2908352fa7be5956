import { users } from "@metrum/contract/access";
import type { ReplyOf } from "@metrum/contract/core";
import { useTranslation } from "react-i18next";
import { keyOf, queryClient } from "#lib/call";
import { leaveEntered, mayEnter } from "#lib/session";
import { isEntered } from "#lib/token";
import { Button, buttonClass } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { Note } from "#ui/states";

/** Signed in, but without any readable section. */
export function WithoutAccess() {
  const { t } = useTranslation("shell");
  const access = queryClient.getQueryData<ReplyOf<typeof users.access>>(keyOf(users.access, {}));
  // A user denied one section may have others; after a reload this is unknown, and not claimed.
  const title = t(
    access !== undefined && !mayEnter(access) ? "withoutAccess.title" : "withoutAccess.section",
  );
  return (
    <main className="alone">
      <BrandMark size={32} />
      <h1 className="visually-hidden">{title}</h1>
      <Note title={title} text={t("withoutAccess.text")}>
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
