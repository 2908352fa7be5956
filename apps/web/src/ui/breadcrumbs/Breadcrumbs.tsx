import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import "./breadcrumbs.css";

export interface Crumb {
  readonly title: string;
  /** Absent for the last one, the present page. */
  readonly href?: string;
}

export function Breadcrumbs({ items }: { readonly items: readonly Crumb[] }) {
  const { t } = useTranslation("common");
  return (
    <nav className="breadcrumbs" aria-label={t("breadcrumbs")}>
      <ol>
        {items.map((each, at) => (
          <li key={each.title}>
            {at > 0 ? <Icon name="chevronRight" size={12} /> : null}
            {each.href === undefined ? (
              <span aria-current="page">{each.title}</span>
            ) : (
              <a href={each.href}>{each.title}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
