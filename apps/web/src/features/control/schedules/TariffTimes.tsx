import type { TariffKey, TariffSchedule } from "@metrum/vocabulary";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { FormState } from "#ui/form";
import { Segmented } from "#ui/field";
import { TimeField } from "#ui/timeField";
import { DayBars } from "./DayBars.tsx";
import {
  minutesOf,
  mostTariffs,
  scheduleOf,
  shownTariffs,
  withCount,
  type TariffValues,
} from "./tariffForm.ts";

const counts = Array.from({ length: mostTariffs }, (_, at) => {
  const title = String(at + 1);
  return { value: title, title };
});

interface Props<Values extends TariffValues> {
  readonly form: Pick<FormState<Values>, "values" | "field"> & {
    readonly set: (change: Partial<TariffValues>) => void;
  };
  readonly present?: TariffSchedule | undefined;
  readonly disabled?: boolean | undefined;
}

/** Number of tariffs and the ends of their intervals, with the day that follows from them. */
export function TariffTimes({ form, present, disabled = false }: Props<TariffValues>) {
  const { t } = useTranslation("control");
  const name = useId();
  const { values } = form;
  const schedule = scheduleOf(values);
  return (
    <fieldset className="control-tariffs" disabled={disabled}>
      <div className="control-count">
        <span aria-hidden="true">{t("tariffs.count")}</span>
        <Segmented
          label={t("tariffs.count")}
          name={name}
          options={counts}
          value={String(values.count)}
          onValue={(count) => form.set(withCount(Number(count)))}
        />
      </div>
      <div className="control-times">
        {shownTariffs(values.count).map((key, at) => (
          <Tariff key={key} form={form} name={key} tariff={at + 1} minutes={minutesOf(schedule, at + 1)} />
        ))}
      </div>
      {values.count === 0 ? (
        <p className="control-note" role="status">
          {t("tariffs.none")}
        </p>
      ) : (
        <DayBars wanted={schedule} present={present} />
      )}
    </fieldset>
  );
}

function Tariff({
  form,
  name,
  tariff,
  minutes,
}: {
  readonly form: Props<TariffValues>["form"];
  readonly name: TariffKey;
  readonly tariff: number;
  readonly minutes: number;
}) {
  const { t } = useTranslation("control");
  const { number } = useFormat();
  return (
    <div className="control-tariff">
      <p>
        <i data-tariff={tariff} aria-hidden="true" />
        <b>{t("tariffs.short", { tariff })}</b>
        <span>{t("tariffs.lasts", { hours: number(minutes / 60) })}</span>
      </p>
      <TimeField label={t("tariffs.until", { tariff })} {...form.field(`${name}.0`)} isRequired />
      <TimeField label={t("tariffs.alsoUntil", { tariff })} {...form.field(`${name}.1`)} />
    </div>
  );
}
