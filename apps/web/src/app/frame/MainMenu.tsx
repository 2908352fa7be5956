import { useEffect, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "#lib/session";
import { Icon } from "#ui/icon";
import { entryOf, menuScreenOf } from "../screens.ts";

interface Props {
  readonly items: readonly MenuItem[];
  readonly pathname: string;
  /** Only on narrow screens, where the menu is a popup. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Only on wide screens; elsewhere the width decides. */
  readonly isFolded: boolean;
  readonly onFold: () => void;
}

const groups = ["work", "company"] as const;

/** Sections of the product as links: a middle click opens a new tab. */
export function MainMenu({ items, pathname, isOpen, onClose, isFolded, onFold }: Props) {
  const { t } = useTranslation("shell");
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) menu.current?.querySelector<HTMLElement>("a")?.focus();
  }, [isOpen]);
  const fold = t(isFolded ? "menu.unfold" : "menu.fold");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    onClose();
    // The focused element is hidden now; the focus returns to the button that opened the menu.
    document.querySelector<HTMLElement>("[aria-controls=shell-menu]")?.focus();
  };
  return (
    <>
      {isOpen ? <div className="shell-scrim" onClick={onClose} /> : null}
      <nav
        ref={menu}
        className="shell-menu"
        id="shell-menu"
        aria-label={t("menu.label")}
        data-open={isOpen ? "" : undefined}
        onKeyDown={onKeyDown}
      >
        {groups.map((group) => {
          const own = items.filter((each) => menuScreenOf(each.slug)?.menu.group === group);
          return own.length === 0 ? null : (
            <section key={group} aria-label={t(`menu.${group}`)}>
              <p aria-hidden="true">{t(`menu.${group}`)}</p>
              <ul>
                {own.map((each) => (
                  <li key={each.slug}>
                    <Entry slug={each.slug} isCurrent={entryOf(pathname) === each.slug} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        <button
          type="button"
          className="shell-entry shell-fold"
          title={fold}
          aria-expanded={!isFolded}
          onClick={onFold}
        >
          <Icon name={isFolded ? "chevronRight" : "chevronLeft"} />
          <span>{fold}</span>
        </button>
      </nav>
    </>
  );
}

function Entry({ slug, isCurrent }: { readonly slug: string; readonly isCurrent: boolean }) {
  const { t } = useTranslation("shell");
  const screen = menuScreenOf(slug);
  if (screen === undefined) return null;
  const content = (
    <>
      <Icon name={screen.menu.icon} />
      <span>{t(`menu.${slug}`)}</span>
    </>
  );
  if (screen.component === undefined)
    return (
      <span className="shell-entry" aria-disabled="true" title={t("menu.later")}>
        {content}
        <span className="visually-hidden">{t("menu.later")}</span>
      </span>
    );
  return (
    <a className="shell-entry" href={`#/cloud/${slug}`} aria-current={isCurrent ? "page" : undefined}>
      {content}
    </a>
  );
}
