import { useTranslation } from "react-i18next";
import { formatTime } from "#lib/format";
import { leaveEntered, menuOf, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Icon } from "#ui/icon";
import { Menu, type MenuEntry } from "#ui/menu";
import { StatusGlyph } from "#ui/status";

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
  if (access.entered !== null) return <Entered section={section} />;
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

/** Shows that the user acts as another user: where, since when, as whom, and how to leave. */
function Entered({ section }: { readonly section: string }) {
  const { t } = useTranslation("shell");
  const { access, company, zone } = useSession();
  const { entered } = access;
  if (entered === null) return null;
  const time = formatTime(entered.since, zone);
  const how =
    entered.user_name === null
      ? t("entered.since", { time })
      : t("entered.as", { time, name: entered.user_name });
  return (
    <div className="shell-company">
      <div className="shell-entered" role="group" aria-label={t("entered.label")}>
        <StatusGlyph kind="warn" />
        <span className="visually-hidden">{section}</span>
        <span className="shell-entered-words">
          <span className="shell-entered-lead">{t("entered.inside")} </span>
          <strong>{company.name}</strong> <small>{how}</small>
        </span>
        <Button size="small" onClick={() => void leaveEntered().catch(() => undefined)}>
          {t("entered.leave")}
        </Button>
      </div>
    </div>
  );
}
