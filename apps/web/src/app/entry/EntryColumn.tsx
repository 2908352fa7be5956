import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteOffer } from "#auth";
import { pageTitle } from "#lib/design";
import { BrandMark } from "#ui/brand";
import { Languages } from "../../features/auth/Languages.tsx";
import "../../features/auth/login.css";

interface Props {
  readonly site: Pick<SiteOffer, "title" | "logo">;
  /** Title of the tab. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The column of the sign-in pages: brand above, back link and languages below. */
export function EntryColumn({ site, title, children }: Props) {
  const { t } = useTranslation("registration");
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
  return (
    <main className="login">
      <div className="login-brand">
        {site.logo === null ? (
          <>
            <BrandMark size={28} />
            <span>{site.title}</span>
          </>
        ) : (
          <img src={site.logo} alt={site.title} />
        )}
      </div>
      {children}
      <a className="entry-back" href="#/auth/login">
        {t("back")}
      </a>
      <Languages />
    </main>
  );
}
