import { pollIntervals, timeShifts } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Checkbox, SelectField } from "#ui/field";
import type { FormState } from "#ui/form";
import type { GroupValues } from "./groupForm.ts";
import { Step } from "./Step.tsx";

/** Interval and shift of the specification, and when silence is reported. */
export function ScheduleStep({ form }: { readonly form: FormState<GroupValues> }) {
  const { t } = useTranslation("pollGroups");
  const { age } = useFormat();
  const { poll_one, is_active, warning_report_period } = form.values;
  const shown = warning_report_period === "" ? [] : [Number(warning_report_period)];
  const periods = [...new Set([...pollIntervals, ...shown])].sort((a, b) => a - b);
  const optionOf = (seconds: number) => ({ value: String(seconds), title: age(seconds) });
  return (
    <Step at={4} title={t("step.schedule")}>
      <div className="group-pair">
        <SelectField
          label={t("form.interval")}
          {...form.field("report_period_update")}
          options={pollIntervals.map(optionOf)}
        />
        <SelectField
          label={t("form.shift")}
          hint={t("form.shiftHint")}
          {...form.field("time_shift")}
          options={[
            { value: "0", title: t("form.noShift") },
            ...timeShifts.map((minutes) => ({ value: String(minutes), title: age(minutes * 60) })),
          ]}
        />
        <SelectField
          label={t("form.warning")}
          hint={t("form.warningHint")}
          {...form.field("warning_report_period")}
          onChange={({ currentTarget: { value } }) => form.set({ warning_report_period: value })}
          placeholder={t("form.usualWarning")}
          options={periods.map(optionOf)}
        />
      </div>
      <div className="group-ticks">
        <Checkbox name="poll_one" checked={poll_one} onChange={() => form.set({ poll_one: !poll_one })}>
          {t("form.once")}
        </Checkbox>
        <Checkbox name="is_active" checked={is_active} onChange={() => form.set({ is_active: !is_active })}>
          {t("form.active")}
        </Checkbox>
      </div>
    </Step>
  );
}
