import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { menuOf, useSession } from "#lib/session";
import { Icon } from "#ui/icon";
import { Menu, type MenuEntry } from "#ui/menu";
import { Boundary } from "#ui/states";

/** Few sessions are in an entered company. */
const Entered = lazily(async () => ({ default: (await import("./EnteredCompany.tsx")).EnteredCompany }));

/**
 * The current company with its actions. Inside an entered company it shows that instead, with a button to
 * leave.
 */
export function CompanyMenu({ section }: { readonly section: string }) {
  const { t } = useTranslation("shell");
  const { access, company } = useSession();
  const items: MenuEntry[] = [
    ...(menuOf(access, company.is_dealer).some(({ slug }) => slug === "companies")
      ? [
          {
            id: "companies",
            title: t("menu.companies"),
            icon: "companies" as const,
            href: "#/cloud/companies",
          },
        ]
      : []),
    ...(access.is_admin && access.rules_belong_to_company_id !== null
      ? [
          {
            id: "settings",
            title: t("menu.company-settings"),
            icon: "settings" as const,
            href: "#/cloud/company-settings",
          },
        ]
      : []),
  ];
  if (access.entered !== null)
    return (
      <Boundary>
        <Suspense fallback={<div className="shell-company" />}>
          <Entered section={section} />
        </Suspense>
      </Boundary>
    );
  const name = (
    <>
      <Icon name="companies" />
      <strong aria-hidden="true">{section}</strong>
      <span>{company.name}</span>
    </>
  );
  return (
    <div className="shell-company">
      {items.length === 0 ? (
        <p title={t("company")}>{name}</p>
      ) : (
        <Menu
          label={t("company")}
          align="start"
          items={items}
          trigger={(props) => (
            <button {...props} type="button" className="shell-company-button">
              <span className="visually-hidden">{t("company")}: </span>
              {name}
              <Icon name="chevronDown" size={12} />
            </button>
          )}
        />
      )}
    </div>
  );
}
