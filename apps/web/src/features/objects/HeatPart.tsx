import { objectHeat } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { wholeDays } from "#ui/dateRange";
import { FactLines } from "#ui/facts";
import { Segmented } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { Status } from "#ui/status";

const periods = ["7", "30", "365"] as const;

/** Heat of the branch in the last days, by point; asked only when it is unfolded. */
export function HeatPart({ id }: { readonly id: string }) {
  const { t } = useTranslation("objects");
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="objects-heat" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("consumption.heat")}</summary>
      {isOpen ? <Heat id={id} /> : null}
    </details>
  );
}

function Heat({ id }: { readonly id: string }) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const [days, setDays] = useState<(typeof periods)[number]>("30");
  const zone = useSession().company.timezone_name;
  const [now] = useState(() => Math.floor(Date.now() / 1000));
  // Until yesterday: the present day is never complete.
  const { start, end } = wholeDays(Number(days), zone, now);
  const { data } = useCall(
    objectHeat.calculate,
    { body: { object_id: id, startDate: start, stopDate: end } },
    { isQuiet: true, keepsPrevious: true },
  );
  if (!data) return <Skeleton height={80} />;
  if (data.is_too_large) return <Status kind="warn">{t("heat.tooLarge")}</Status>;
  const isWhole = data.incomplete_count === 0;
  return (
    <section aria-label={t("heat.title")}>
      <Segmented
        name="heat-days"
        label={t("heat.period")}
        value={days}
        onValue={setDays}
        options={periods.map((value) => ({ value, title: t("heat.days", { count: Number(value) }) }))}
      />
      <FactLines
        facts={[
          {
            name: "heat",
            title: t("heat.amount"),
            value:
              data.amount === null ? "—" : `${number(Number(data.amount), amountDecimals)} ${t("heat.unit")}`,
          },
          {
            name: "heat-covered",
            title: t("heat.covered"),
            value: (
              <Status kind={isWhole ? "ok" : "warn"}>
                {isWhole
                  ? t("heat.whole")
                  : t("heat.incomplete", { count: data.incomplete_count, of: data.point_count })}
              </Status>
            ),
          },
        ]}
      />
      {isWhole ? null : (
        <ul>
          {data.points
            .filter(({ covered_sec, length_sec }) => covered_sec < length_sec)
            .slice(0, 10)
            .map((point) => (
              <li key={point.accounting_point_id}>
                {t("heat.missing", {
                  name: point.name,
                  object: point.object_name,
                  hours: number((point.length_sec - point.covered_sec) / 3600, 0),
                })}
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
