import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveSettings, useSession } from "#lib/session";
import { setTheme, storedTheme, themes, type Theme } from "#lib/theme";
import { Segmented } from "#ui/field";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";

const themeIcons = { system: "monitor", light: "sun", dark: "moon" } as const;

/** First letters of the first two words of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((each) => String.fromCodePoint(each.codePointAt(0) ?? 0).toLocaleUpperCase())
    .join("");
}

export function UserMenu() {
  const { t } = useTranslation("shell");
  const { user } = useSession();
  const [theme, chooseTheme] = useState(storedTheme);
  const onTheme = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
    saveSettings({ theme: chosen });
  };
  return (
    <Popover
      label={t("user.menu")}
      align="end"
      className="user-menu"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className="shell-user"
          aria-label={`${t("user.menu")}: ${user.name}`}
        >
          <span aria-hidden="true" data-initials={initialsOf(user.name)} />
          <Icon name="chevronDown" size={12} />
        </button>
      )}
    >
      {() => (
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
          <a className="menu-item" href="#/auth/logout">
            <Icon name="signOut" />
            <span>{t("user.signOut")}</span>
          </a>
        </>
      )}
    </Popover>
  );
}
