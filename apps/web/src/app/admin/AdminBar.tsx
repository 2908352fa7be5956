import { useTranslation } from "react-i18next";
import { useDesign } from "#lib/design";
import { useSession } from "#lib/session";
import { BrandMark } from "#ui/brand";
import { buttonClass } from "#ui/button";
import { Clock } from "../frame/Clock.tsx";
import { LanguageMenu } from "../frame/TopBar.tsx";
import { UserMenu } from "../frame/UserMenu.tsx";
import "../frame/shell.css";
import "../frame/topBar.css";
import "./admin.css";

/** The top bar of the platform administration page, which has no menu. */
export function AdminBar() {
  const { t } = useTranslation("admin");
  const { zone } = useSession();
  const { title } = useDesign();
  return (
    <header className="shell-bar admin-bar">
      <a className="admin-logo" href="#/admin">
        <BrandMark />
        <span>{title}</span>
        <small>{t("platform")}</small>
      </a>
      <a className={buttonClass({ kind: "link" })} href="#/cloud">
        {t("toCloud")}
      </a>
      <Clock zone={zone} />
      <LanguageMenu />
      <UserMenu />
    </header>
  );
}
