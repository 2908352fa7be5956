import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import "./settings.css";

export interface SettingsItem {
  readonly id: string;
  readonly title: string;
  /** A short summary of the section. */
  readonly text?: ReactNode;
}

export interface SettingsGroup {
  /** Heading above its sections, if there are several groups. */
  readonly title?: string;
  readonly items: readonly SettingsItem[];
}

interface Props {
  /** The h1 of the screen. */
  readonly title: string;
  /** Facts next to the title. */
  readonly facts?: ReactNode;
  readonly groups: readonly SettingsGroup[];
  /** Id of the section in the address; null at the root, which a phone shows as the list alone. */
  readonly current: string | null;
  /** Root address without "#": "/cloud/profile". Sections are below it, by their id. */
  readonly base: string;
  /** The section in the address, or the first one. */
  readonly children: ReactNode;
}

/** Settings page: the list of sections, and one of them. A phone shows only one of the two. */
export function SettingsLayout({ title, facts, groups, current, base, children }: Props) {
  const { t } = useTranslation("settings");
  const shown = current ?? groups[0]?.items[0]?.id;
  const section = groups.flatMap(({ items }) => items).find(({ id }) => id === shown);
  return (
    <div className="settings" data-open={current === null ? undefined : ""}>
      <header className="settings-head">
        <a className="settings-back" href={`#${base}`}>
          <Icon name="chevronLeft" size={14} />
          {title}
        </a>
        <h1>{title}</h1>
        {facts === undefined ? null : <p className="settings-facts">{facts}</p>}
      </header>
      <nav className="settings-list" aria-label={t("sections", { title })}>
        {groups.map((group, at) => (
          <section key={group.title ?? at}>
            {group.title === undefined ? null : <h2>{group.title}</h2>}
            <ul>
              {group.items.map((item) => (
                <li key={item.id}>
                  <Entry item={item} href={`#${base}/${item.id}`} isCurrent={item.id === shown} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="settings-page" role="region" aria-label={section?.title ?? title}>
        {children}
      </div>
    </div>
  );
}

function Entry(props: { readonly item: SettingsItem; readonly href: string; readonly isCurrent: boolean }) {
  const { item, href, isCurrent } = props;
  return (
    <a className="settings-entry" href={href} aria-current={isCurrent ? "page" : undefined}>
      <span>
        <strong>{item.title}</strong>
        {item.text === undefined ? null : <small>{item.text}</small>}
      </span>
      <Icon name="chevronRight" size={14} />
    </a>
  );
}
