import { archiveTypes } from "@metrum/vocabulary";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { DateField } from "#ui/dateField";
import { SelectField } from "#ui/field";
import type { FormState } from "#ui/form";
import { TimePicker } from "#ui/timePicker";
import { archiveId, asksTime, withType, type ArchiveValues, type offeredArchives } from "./archive.ts";
import "./requests.css";

interface Props {
  readonly form: FormState<ArchiveValues>;
  readonly offered: ReturnType<typeof offeredArchives>;
  /** Whose clock the date is of. */
  readonly clock: string;
  readonly children?: ReactNode;
}

/** Type, date, time and last date of an archive; the date appears once a type is chosen. */
export function ArchiveFields({ form, offered, clock, children }: Props) {
  const { t } = useTranslation("requests");
  const { language } = useFormat();
  const id = archiveId(form.values);
  const days = offered.find((each) => each.id === id)?.days ?? null;
  return (
    <fieldset className="request-fields" disabled={form.isBusy}>
      <SelectField
        label={t("archive.type")}
        {...form.field("type")}
        onValue={(type) => form.set(withType(type))}
        placeholder={t("archive.choose")}
        options={offered.map((each) => ({
          value: String(each.id),
          title: archiveTypes[each.id].title[language],
        }))}
        hint={days === null ? undefined : t("archive.depth", { count: days })}
      />
      {id === undefined ? null : (
        <div className="request-pair">
          <DateField label={t("archive.date")} {...form.field("date")} hint={clock} />
          {asksTime(form.values) ? <TimePicker label={t("archive.time")} {...form.field("time")} /> : null}
          <DateField
            label={t("archive.until")}
            {...form.field("until")}
            hint={t("archive.untilHint", { count: archiveTypes[id].maxDays })}
          />
        </div>
      )}
      {children}
    </fieldset>
  );
}
