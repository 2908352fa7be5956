import { shell } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { changeLanguage, currentLanguage, languageNames, languages } from "#lib/i18n";
import { queryClient } from "#lib/call";
import { useSession } from "#lib/session";
import { BrandMark } from "#ui/brand";
import { IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import { Menu } from "#ui/menu";
import { Clock } from "./Clock.tsx";
import { UserMenu } from "./UserMenu.tsx";

interface Props {
  /** Name of the section; in the bar on phones only, where the page has no room for it. */
  readonly section: string;
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
}

export function TopBar({ section, isMenuOpen, onMenu }: Props) {
  const { t, i18n } = useTranslation("shell");
  const { company, zone } = useSession();
  const { data: design } = useCall(shell.design, {}, { isQuiet: true, freshMs: Number.POSITIVE_INFINITY });
  const logo = i18n.language === "ru" ? design?.logo_cloud : (design?.logo_cloud_en ?? design?.logo_cloud);
  const help = design?.linkToHelp ?? null;
  return (
    <header className="shell-bar">
      <span className="shell-burger">
        <IconButton
          icon="menu"
          label={t("menu.open")}
          aria-expanded={isMenuOpen}
          aria-controls="shell-menu"
          onClick={onMenu}
        />
      </span>
      <a className="shell-logo" href="#/cloud" aria-label={t("home")}>
        {logo ? (
          <img src={logo} alt="" />
        ) : (
          <>
            <BrandMark />
            <span>{design?.title ?? "Metrum"}</span>
          </>
        )}
      </a>
      <p className="shell-company" title={t("company")}>
        <Icon name="companies" />
        <strong aria-hidden="true">{section}</strong>
        <span>{company.name}</span>
      </p>
      <Clock zone={zone} />
      <LanguageMenu />
      {help === null ? null : (
        <a
          className="button button-quiet"
          href={help}
          target="_blank"
          rel="noreferrer"
          aria-label={t("help")}
          title={t("help")}
        >
          <Icon name="help" />
        </a>
      )}
      <UserMenu />
    </header>
  );
}

function LanguageMenu() {
  const { t } = useTranslation("common");
  const current = currentLanguage();
  return (
    <Menu
      label={t("language")}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className="button button-quiet shell-language"
          aria-label={`${t("language")}: ${current.toUpperCase()}`}
        >
          <span>{current.toUpperCase()}</span>
          <Icon name="chevronDown" size={12} />
        </button>
      )}
      items={languages.map((each) => ({
        id: each,
        title: languageNames[each],
        lang: each,
        isChosen: each === current,
        onSelect: () => {
          // What the server has said was in the other language.
          void changeLanguage(each).then(() => queryClient.invalidateQueries());
        },
      }))}
    />
  );
}
