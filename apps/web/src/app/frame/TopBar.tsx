import { useTranslation } from "react-i18next";
import { changeLanguage, currentLanguage, languageNames, languages } from "#lib/i18n";
import { queryClient } from "#lib/call";
import { useDesign, type Design } from "#lib/design";
import { useSession } from "#lib/session";
import { BrandMark } from "#ui/brand";
import { IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import { Menu } from "#ui/menu";
import { Bell } from "./Bell.tsx";
import { Clock } from "./Clock.tsx";
import { CompanyMenu } from "./CompanyMenu.tsx";
import { UserMenu } from "./UserMenu.tsx";

interface Props {
  /** Name of the section; only on phones, where the page has no room for it. */
  readonly section: string;
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}

/** In keyboard order. */
const paletteKeys = "Ctrl K";

export function TopBar({ section, isMenuOpen, onMenu, onSearch }: Props) {
  const { t, i18n } = useTranslation("shell");
  const { zone } = useSession();
  const design = useDesign();
  const logo = logoOf(design, i18n.language);
  // Without a link of the brand the built-in pages, in the language of the interface.
  const help = design.linkToHelp ?? `/help/${currentLanguage()}.html`;
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
        {logo !== null ? (
          <img src={logo} alt="" />
        ) : (
          <>
            <BrandMark />
            <span>{design.title}</span>
          </>
        )}
      </a>
      <CompanyMenu section={section} />
      <button type="button" className="shell-search" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <Icon name="search" />
        <span>{t("palette.title")}</span>
        <kbd aria-hidden="true">{paletteKeys}</kbd>
      </button>
      <Clock zone={zone} />
      <LanguageMenu />
      <a
        className="button button-quiet shell-help"
        href={help}
        target="_blank"
        rel="noreferrer"
        aria-label={t("help")}
        title={t("help")}
      >
        <Icon name="help" />
      </a>
      <Bell />
      <UserMenu />
    </header>
  );
}

/** Russian has its own logo; the other languages share one, if there is one. */
export function logoOf(
  { logo_cloud, logo_cloud_en }: Pick<Design, "logo_cloud" | "logo_cloud_en">,
  language: string,
): string | null {
  return language === "ru" ? logo_cloud : (logo_cloud_en ?? logo_cloud);
}

export function LanguageMenu() {
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
          // Cached answers of the server are in the other language.
          void changeLanguage(each).then(() => queryClient.invalidateQueries());
        },
      }))}
    />
  );
}
