import { modelSheets, type ModelSheet } from "@metrum/contract/metering";
import { resourceOfGroup } from "@metrum/vocabulary";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import {
  commandTitles,
  interfaceTitles,
  measuredOf,
  messageTitle,
  protocolName,
  tabTitles,
} from "./modelWords.ts";
import "./models.css";

const evidenceKinds = ["simulator", "document", "software", "telegram", "meter"] as const;

/** The data sheet of one model: measured values, archives and commands, and how its decoding was verified. */
export function ModelPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation("models");
  const { data, error, refetch } = useCall(
    modelSheets.get,
    { params: { model_id: id ?? "" } },
    { isQuiet: true, freshMs: 3_600_000 },
  );
  const model = data?.model;
  return (
    <section className="models">
      <Breadcrumbs
        items={[
          { title: t("devices"), href: "#/cloud/devices" },
          { title: t("title"), href: "#/cloud/devices/models" },
          { title: model ? `${model.brand} ${model.title}` : "…" },
        ]}
      />
      {model ? (
        <Sheet model={model} />
      ) : error?.status === 404 ? (
        <EmptyState title={t("notFound")} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

function Sheet({ model }: { readonly model: ModelSheet }) {
  return (
    <>
      <div className="models-head">
        <h1>
          {model.brand} {model.title}
        </h1>
      </div>
      <Connection model={model} />
      {model.kind === "meter" ? (
        <>
          <Evidence model={model} />
          <Measures model={model} />
          <Abilities model={model} />
        </>
      ) : null}
    </>
  );
}

function Row({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <SettingsRow title={title}>
      <span className="models-value">{children}</span>
    </SettingsRow>
  );
}

function Connection({ model }: { readonly model: ModelSheet }) {
  const { t } = useTranslation("models");
  const { language, number } = useFormat();
  return (
    <SettingsSection title={t("connection")}>
      <Row title={t(model.device_group_id === null ? "kind.title" : "kind.resource")}>
        {model.device_group_id === null
          ? t(`kind.${model.kind}`)
          : resourceOfGroup(model.device_group_id).title[language]}
      </Row>
      <Row title={t("interfaces")}>{interfaceTitles(model.interface_ids, language)}</Row>
      {model.protocol === null ? null : <Row title={t("protocol")}>{protocolName(model.protocol)}</Row>}
      {model.connection === null ? null : <Row title={t("way")}>{t(`wayOf.${model.connection}`)}</Row>}
      {model.counter_capacity === null ? null : (
        <Row title={t("capacity")}>{number(model.counter_capacity, 0)}</Row>
      )}
      {model.rules.map((rule) => (
        <Row key={rule} title={t("rule")}>
          {t(`rules.${rule}`)}
        </Row>
      ))}
    </SettingsSection>
  );
}

/** Each kind of verification and whether it was done; sources as given with the recorded exchanges. */
function Evidence({ model }: { readonly model: ModelSheet }) {
  const { t } = useTranslation("models");
  const isRead = model.evidence.includes("meter");
  return (
    <SettingsSection title={t("checked")} text={isRead ? undefined : t("notRead")}>
      {evidenceKinds.map((kind) => {
        const isChecked = model.evidence.includes(kind);
        return (
          <SettingsRow key={kind} title={t(`evidence.${kind}`)}>
            <Status kind={isChecked ? "ok" : "off"}>{t(isChecked ? "isChecked" : "isNotChecked")}</Status>
          </SettingsRow>
        );
      })}
      {model.comparisons.map(({ kind, source, compared }) => (
        <Row key={`${kind} ${source}`} title={t("compared")}>
          <span lang="en">{compared}</span>
          <span lang="en" className="quiet">
            {source}
          </span>
        </Row>
      ))}
      <Row title={t("sources")}>
        {model.sources.map((source) => (
          <SourceLine key={source} source={source} />
        ))}
      </Row>
    </SettingsSection>
  );
}

/** Internal sources in words; cited documents are shown as cited. */
function SourceLine({ source }: { readonly source: string }) {
  const { t } = useTranslation("models");
  const [, own, year = "", month = ""] = /^our (simulator|encoder), (\d{4})-(\d\d)$/.exec(source) ?? [];
  if (own === undefined) return <span lang="en">{source}</span>;
  return (
    <span>{t(own === "simulator" ? "source.simulator" : "source.encoder", { at: `${month}.${year}` })}</span>
  );
}

function Measures({ model }: { readonly model: ModelSheet }) {
  const { t } = useTranslation("models");
  const { language } = useFormat();
  const measured = measuredOf(model.fields, model.device_group_id, language);
  return (
    <SettingsSection title={t("measures")}>
      <ul className="models-list">
        {measured.map(({ name, title, unit }) => (
          <li key={name}>
            <span>{title}</span>
            <span className="quiet">{unit === "" ? "—" : unit}</span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}

function Abilities({ model }: { readonly model: ModelSheet }) {
  const { t } = useTranslation("models");
  const { language } = useFormat();
  const none = t("none");
  const controls = commandTitles(model.controls, language);
  const [counter] = measuredOf(
    model.profile_from === null ? [] : [model.profile_from],
    model.device_group_id,
    language,
  );
  const period = (each: ModelSheet["archives"][number]["period"]) =>
    typeof each === "number" ? t("minutes", { count: Math.round(each / 60) }) : t(`period.${each}`);
  return (
    <SettingsSection title={t("abilities")}>
      <Row title={t("tabs")}>{tabTitles(Object.keys(model.tabs), language).join(", ")}</Row>
      <Row title={t("controls")}>{controls.length === 0 ? none : controls.join(", ")}</Row>
      {model.archives.length === 0 ? <Row title={t("archives")}>{none}</Row> : null}
      {model.archives.map((archive) => (
        <Row key={archive.msg_type} title={messageTitle(archive.msg_type, language)}>
          {t("kept", { period: period(archive.period), days: archive.depth_days })}
        </Row>
      ))}
      {counter === undefined ? null : (
        <Row title={t("profile")}>{t("profileFrom", { counter: counter.title })}</Row>
      )}
    </SettingsSection>
  );
}
