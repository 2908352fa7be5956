import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveSettings, useSession } from "#lib/session";
import { setTheme, storedTheme, themes, type Theme } from "#lib/theme";
import { Segmented } from "#ui/field";
import { Icon, type IconName } from "#ui/icon";

const themeIcons = { system: "monitor", light: "sun", dark: "moon" } as const;

/** Contents of the menu of the user, loaded when it is first opened. */
export function UserPages({ close }: { readonly close: () => void }) {
  const { t } = useTranslation("shell");
  const { user } = useSession();
  const [theme, chooseTheme] = useState(storedTheme);
  const onTheme = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
    saveSettings({ theme: chosen });
  };
  return (
    <>
      <p className="user-name">
        <strong>{user.name}</strong>
        <span>{user.email}</span>
      </p>
      <div className="user-theme">
        <span>{t("user.theme")}</span>
        <Segmented
          label={t("user.theme")}
          name="theme"
          isCompact
          value={theme}
          onValue={onTheme}
          options={themes.map((each) => ({
            value: each,
            title: t(`user.${each}`),
            icon: themeIcons[each],
          }))}
        />
      </div>
      <OwnPages close={close} />
      <a className="menu-item" href="#/auth/logout">
        <Icon name="signOut" />
        <span>{t("user.signOut")}</span>
      </a>
    </>
  );
}

/** Pages about the user, the company and the platform. An administration without access shows a lock. */
function OwnPages({ close }: { readonly close: () => void }) {
  const { t } = useTranslation("shell");
  const { access } = useSession();
  return (
    <>
      <Page slug="profile" icon="users" close={close} />
      {access.is_admin && access.rules_belong_to_company_id !== null ? (
        <Page slug="company-settings" icon="settings" close={close} />
      ) : null}
      {access.is_admin ? (
        <Page
          slug="administration"
          icon={access.is_platform ? "administration" : "lock"}
          close={close}
          {...(access.is_platform ? {} : { hint: t("user.adminLocked") })}
        />
      ) : null}
      {access.is_platform ? <Page slug="admin" icon="table" close={close} href="#/admin" /> : null}
    </>
  );
}

interface PageProps {
  readonly slug: string;
  readonly icon: IconName;
  readonly href?: string;
  readonly hint?: string;
  readonly close: () => void;
}

function Page({ slug, icon, href = `#/cloud/${slug}`, hint, close }: PageProps) {
  const { t } = useTranslation("shell");
  return (
    <a className="menu-item" href={href} onClick={close}>
      <Icon name={icon} />
      <span>
        {t(`menu.${slug}`)}
        {hint === undefined ? null : <small>{hint}</small>}
      </span>
    </a>
  );
}
