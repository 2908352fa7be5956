import type { AccessRules } from "@metrum/contract/access";
import { modules } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { mayEnter, menuOf, useSession } from "#lib/session";
import { Icon, type IconName } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { allowed, capabilities, changedBetween, type Capability } from "./capabilities.ts";
import { accessOf } from "./rights.ts";

const icons: Readonly<Record<string, IconName>> = {
  dashboard: "dashboard",
  devices: "devices",
  objects: "objects",
  directories: "directories",
  reports: "reports",
  events: "events",
  companies: "companies",
  users: "users",
};

/** Screens and actions of a user of the group, by the same rules as the calls themselves. */
export function GroupPreview({
  before,
  rules,
}: {
  readonly before: AccessRules;
  readonly rules: AccessRules;
}) {
  const { t } = useTranslation("users");
  const { language } = useFormat();
  const { access, company } = useSession();
  const answer = {
    ...access,
    is_admin: false,
    is_platform: false,
    entered_company: false,
    access_group: { access_rules: rules },
  };
  const menu = menuOf(answer, company.is_dealer);
  const able = new Set(allowed(accessOf(rules)));
  const { gained, lost } = changedBetween(accessOf(before), accessOf(rules));
  const isKnown = ({ module }: Capability) => module !== 2 || company.is_dealer;
  const isNew = (slug: string) =>
    !menuOf({ ...answer, access_group: { access_rules: before } }, company.is_dealer).some(
      (each) => each.slug === slug,
    );
  return (
    <aside className="panel preview" aria-label={t("preview.title")}>
      <h3>{t("preview.title")}</h3>
      {mayEnter(answer) ? (
        <ul className="preview-menu">
          {menu.map(({ slug }) => (
            <li key={slug} data-changed={isNew(slug) ? "" : undefined}>
              <Icon name={icons[slug] ?? "info"} size={14} />
              {modules.find((each) => each.slug === slug)?.title[language]}
            </li>
          ))}
        </ul>
      ) : (
        <p className="preview-nothing">
          <StatusGlyph kind="warn" />
          {t("preview.nothing")}
        </p>
      )}
      {gained.length + lost.length > 0 ? (
        <section>
          <h4>{t("preview.compared")}</h4>
          <ul className="preview-list is-changed">
            {gained.map((each) => (
              <Ability key={each.key} ability={each} icon="plus" />
            ))}
            {lost.map((each) => (
              <Ability key={each.key} ability={each} sign="−" />
            ))}
          </ul>
        </section>
      ) : null}
      {able.size === 0 ? null : (
        <section>
          <h4>{t("preview.can")}</h4>
          <ul className="preview-list">
            {capabilities
              .filter((each) => able.has(each))
              .map((each) => (
                <Ability key={each.key} ability={each} icon="check" />
              ))}
          </ul>
        </section>
      )}
      <section>
        <h4>{t("preview.cannot")}</h4>
        <ul className="preview-list is-denied">
          {capabilities
            .filter((each) => !able.has(each) && isKnown(each))
            .map((each) => (
              <Ability key={each.key} ability={each} icon="close" isQuiet />
            ))}
        </ul>
      </section>
      <footer>{t("preview.atOnce")}</footer>
    </aside>
  );
}

function Ability(props: {
  readonly ability: Capability;
  readonly icon?: IconName;
  readonly sign?: string;
  /** Only granted capabilities can be harmful. */
  readonly isQuiet?: boolean;
}) {
  const { ability, icon, sign, isQuiet = false } = props;
  const { t } = useTranslation("users");
  const isHarmful = ability.isHarmful === true && !isQuiet;
  return (
    <li data-harmful={isHarmful ? "" : undefined}>
      {icon === undefined ? <i aria-hidden="true">{sign}</i> : <Icon name={icon} size={14} />}
      {t(`can.${ability.key}`)}
      {isHarmful ? <StatusGlyph kind="alarm" /> : null}
    </li>
  );
}
