import { services, type Service } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";

/** Services offered by the provider, by group. */
export function ServicesSection() {
  const { t } = useTranslation("administration");
  const { data, error, refetch } = useCall(services.groups, {}, { isQuiet: true, freshMs: 0 });
  if (data && data.service_groups.length > 0)
    return data.service_groups.map((group) => (
      <SettingsSection key={group.id} title={group.title}>
        <div className="administration-facts">
          {group.services.map((each) => (
            <Line key={each.id} service={each} />
          ))}
        </div>
      </SettingsSection>
    ));
  return (
    <SettingsSection title={t("section.services")}>
      {error ? (
        <ErrorState title={t("service.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <EmptyState title={t("service.empty")} />
      ) : (
        <Skeleton height={160} />
      )}
    </SettingsSection>
  );
}

function Line({ service }: { readonly service: Service }) {
  const { t } = useTranslation("administration");
  const { number } = useFormat();
  const { title, price, currency, is_available } = service;
  return (
    <SettingsRow title={title}>
      <span className="administration-price">
        {price === null
          ? t("service.agreed")
          : t("service.monthly", { price: `${number(price)} ${currency ?? ""}`.trim() })}
      </span>
      <Status kind={is_available ? "ok" : "off"}>{t(is_available ? "service.on" : "service.off")}</Status>
    </SettingsRow>
  );
}
