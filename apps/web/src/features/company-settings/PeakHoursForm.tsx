import type { Company } from "@metrum/contract/access";
import { isSameContent } from "@metrum/contract/core";
import { peakHours } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { reasonOf, send, useCall, type SendOptions } from "#lib/call";
import { useSession } from "#lib/session";
import { Segmented, SelectField } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { HoursGrid } from "./HoursGrid.tsx";
import { listOf, overfull, paintingOf } from "./hours.ts";
import { companySaved, saveCompany } from "./saveCompany.ts";

const zones = ["price_0", "price_1", "manual"] as const;

/** Peak hours of a working day: those of a price zone of the region, or painted manually. */
export function PeakHoursForm() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const form = useForm({
    stored: {
      zone: company.options.peak_hours_zone,
      region: company.options.peak_hours_region,
      painting: paintingOf(company.peak_hours),
    },
    check: ({ zone, painting }) =>
      zone === "manual" && overfull(painting).length > 0 ? { painting: "tooMany" } : {},
    send: (values, options) => save(company, { ...values, list: listOf(values.painting) }, options),
    onSaved: companySaved,
  });
  const draft = form.values;
  const isOverfull = draft.zone === "manual" && overfull(draft.painting).length > 0;
  return (
    <SettingsForm title={t("section.peak-hours")} text={t("peak.text")} form={form}>
      <Segmented
        name="peak-zone"
        label={t("peak.zone")}
        value={draft.zone}
        onValue={(zone) => form.set({ zone })}
        options={zones.map((value) => ({ value, title: t(`peak.${value}`) }))}
      />
      {draft.zone === "manual" ? (
        <>
          <HoursGrid
            label={t("peak.grid")}
            painting={draft.painting}
            onPaint={(painting) => form.set({ painting })}
          />
          {isOverfull ? (
            <p className="field-error" role="alert">
              <StatusGlyph kind="alarm" />
              {t("peak.tooMany")}
            </p>
          ) : (
            <p className="hours-note">{t("peak.how")}</p>
          )}
        </>
      ) : (
        <Defaults zone={draft.zone} region={draft.region} onRegion={(region) => form.set({ region })} />
      )}
    </SettingsForm>
  );
}

interface DefaultsProps {
  readonly zone: "price_0" | "price_1";
  readonly region: number;
  readonly onRegion: (id: number) => void;
}

/** The predefined hours of a price zone, with their source. */
function Defaults({ zone, region: wanted, onRegion }: DefaultsProps) {
  const { t } = useTranslation("companySettings");
  const query = useCall(peakHours.default, {}, { isQuiet: true, freshMs: 3_600_000 });
  const regions = query.data?.regions ?? [];
  const region = regions.find(({ id }) => id === wanted) ?? regions[0];
  const table = query.data?.peak_hours_each_month_by_regions_id[String(region?.id)];
  if (query.isPending) return <Skeleton height={300} />;
  if (!region || !table)
    return (
      <ErrorState
        title={t("peak.failed")}
        message={reasonOf(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <>
      {regions.length > 1 ? (
        <SelectField
          label={t("peak.region")}
          value={String(region.id)}
          onChange={(event) => onRegion(Number(event.currentTarget.value))}
          options={regions.map(({ id, title }) => ({ value: String(id), title }))}
        />
      ) : null}
      <HoursGrid label={t("peak.grid")} painting={paintingOf(table[zone])} />
      <p className="hours-note">{region.source}</p>
    </>
  );
}

interface Chosen {
  readonly zone: Company["options"]["peak_hours_zone"];
  readonly region: number;
  readonly list: Company["peak_hours"];
}

/** The list first: a chosen zone determines the hours. */
async function save(company: Company, { zone, region, list }: Chosen, options: SendOptions) {
  if (!isSameContent(list, company.peak_hours))
    await send(peakHours.set, { params: { id: String(company.id) }, body: { peak_hours: list } }, options);
  return saveCompany({ options: { peak_hours_zone: zone, peak_hours_region: region } }, options);
}
