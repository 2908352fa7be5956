import { administration, leastFreeBytes, type Health } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { bytesText, factsOf, silentSec, type Fact } from "./health.ts";

const everyMs = 15_000;

/** Health of the installation, refreshed every quarter of a minute. */
export function HealthSection() {
  const { t } = useTranslation("administration");
  const { number, age } = useFormat();
  const { data, error, refetch, dataUpdatedAt } = useCall(
    administration.health,
    {},
    { isQuiet: true, freshMs: 0, everyMs },
  );
  if (!data)
    return (
      <SettingsSection title={t("section.health")}>
        {error ? (
          <ErrorState title={t("health.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={240} />
        )}
      </SettingsSection>
    );
  const nowSec = Math.floor(dataUpdatedAt / 1000);
  const bytes = (value: number) => bytesText(value, number);
  const { queues, store, versions } = factsOf(data, nowSec, { number, age, bytes, never: t("health.never") });
  return (
    <>
      <SettingsSection title={t("health.queues")} text={error ? t("health.old") : t("health.text")}>
        <Facts facts={queues} />
      </SettingsSection>
      <SettingsSection title={t("health.store")}>
        <Facts facts={store} />
      </SettingsSection>
      <SettingsSection title={t("health.versions")}>
        <Facts facts={versions} />
      </SettingsSection>
      <Processes health={data} nowSec={nowSec} />
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const { t } = useTranslation("administration");
  const { number } = useFormat();
  const limit = bytesText(leastFreeBytes, number);
  return (
    <div className="administration-facts">
      {facts.map(({ id, value, kind }) => (
        <SettingsRow key={id} title={t(`health.${id}`, { limit })}>
          {kind === null ? <span>{value}</span> : <Status kind={kind}>{value}</Status>}
        </SettingsRow>
      ))}
    </div>
  );
}

/** Each process of the installation with its roles; one without a heartbeat has crashed. */
function Processes({ health, nowSec }: { readonly health: Health; readonly nowSec: number }) {
  const { t } = useTranslation("administration");
  const { age } = useFormat();
  return (
    <SettingsSection title={t("health.processes")}>
      <div className="administration-facts">
        {health.processes.map(({ host, pid, roles, version, started_at, seen_at }) => {
          const silent = Math.max(0, nowSec - seen_at);
          return (
            <SettingsRow
              key={`${host}/${String(pid)}/${String(started_at)}`}
              title={`${host}, ${String(pid)}`}
              text={t("health.process", {
                roles: roles.join(", "),
                version,
                up: age(Math.max(0, nowSec - started_at)),
              })}
            >
              {silent > silentSec ? (
                <Status kind="silent">{t("health.silent", { age: age(silent) })}</Status>
              ) : (
                <Status kind="ok">{t("health.alive")}</Status>
              )}
            </SettingsRow>
          );
        })}
      </div>
    </SettingsSection>
  );
}
