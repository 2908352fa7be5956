import { models } from "@metrum/contract/metering";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { SearchBox } from "#ui/search";
import { SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { partsOf, type Listed } from "./directory.ts";
import { interfaceTitles } from "./modelWords.ts";
import { modelHref } from "./modelHref.ts";
import "./models.css";

interface Carrier {
  readonly id: number;
  readonly title: string;
  readonly brand_id: number;
  readonly interface_ids: readonly number[];
}

const lasting = { freshMs: 3_600_000, isQuiet: true };
const all = { body: {} };

/** Models of every kind with their brands; undefined until all lists are loaded. */
function useModels() {
  const meters = useCall(models.devices, all, lasting);
  const gateways = useCall(models.gateways, all, lasting);
  const stations = useCall(models.baseStations, all, lasting);
  const brands = useCall(models.brands, all, lasting);
  const lists = [meters, gateways, stations, brands];
  const listed = useMemo((): readonly Listed[] | undefined => {
    if (!meters.data || !gateways.data || !stations.data || !brands.data) return undefined;
    const names = new Map(brands.data.brands.map(({ id, title }) => [id, title]));
    const carrier = (kind: "gateway" | "base_station") => (each: Carrier) => ({
      ...each,
      kind,
      brand: names.get(each.brand_id) ?? "",
      device_group_id: null,
    });
    return [
      ...meters.data.metering_devices.map((each) => ({ ...each, kind: "meter" as const })),
      ...gateways.data.gateways.map(carrier("gateway")),
      ...stations.data.base_stations.map(carrier("base_station")),
    ];
  }, [meters.data, gateways.data, stations.data, brands.data]);
  return {
    listed,
    error: lists.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => lists.forEach((list) => void list.refetch()),
  };
}

/** The directory of supported models, by resource. */
export function ModelsPage() {
  const { t } = useTranslation("models");
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { listed, error, refetch } = useModels();
  const text = typeof search["q"] === "string" ? search["q"] : "";
  const onSearch = (q: string) => void navigate({ to: ".", search: q === "" ? {} : { q }, replace: true });
  return (
    <section className="models">
      <Breadcrumbs items={[{ title: t("devices"), href: "#/cloud/devices" }, { title: t("title") }]} />
      <div className="models-head">
        <h1>{t("title")}</h1>
        <span className="quiet">{listed === undefined ? "" : t("count", { count: listed.length })}</span>
        <SearchBox label={t("search")} value={text} onSearch={onSearch} size="m" />
      </div>
      {listed ? (
        <Parts listed={listed} search={text} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={refetch} />
      ) : (
        <Skeleton height={400} />
      )}
    </section>
  );
}

function Parts({ listed, search }: { readonly listed: readonly Listed[]; readonly search: string }) {
  const { t } = useTranslation("models");
  const { language } = useFormat();
  const words = { gateway: t("kind.gateways"), base_station: t("kind.base_stations") };
  const parts = partsOf(listed, { search, language, words });
  if (parts.length === 0) return <EmptyState title={t("nothing")} />;
  return parts.map((part) => (
    <SettingsSection key={part.key} title={part.title}>
      <ul className="models-list">
        {part.models.map((model) => (
          <li key={model.id}>
            <a href={modelHref(model.id)}>
              {model.brand} {model.title}
            </a>
            <span className="quiet">{interfaceTitles(model.interface_ids, language)}</span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  ));
}
