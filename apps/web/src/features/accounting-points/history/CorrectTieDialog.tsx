import { pointDevices, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { NumberField, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { useFormat } from "#lib/format";
import { correctionInput, gapChoices, storedValues, type Interval } from "./correction.ts";
import { ConfirmedReadings, confirmation, useDoubted } from "../ties/ConfirmedReadings.tsx";
import { CorrectionOutcome } from "./CorrectionOutcome.tsx";
import { MomentField } from "../MomentField.tsx";
import { intervalTitle, refreshed, unitTitle } from "../points.ts";

interface Props {
  readonly point: AccountingPoint;
  readonly interval: Interval;
  /** Other meters measured before or after it: the time between is without a meter. */
  readonly hasNeighbour: boolean;
  readonly onClose: () => void;
}

/** Corrects when a meter measured the point and its readings; what that does to the months is shown first. */
export function CorrectTieDialog({ point, interval, hasNeighbour, onClose }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { language } = useFormat();
  const { isDoubted, onRefused } = useDoubted();
  const form = useForm({
    stored: { ...storedValues(interval), confirm_reason: "" },
    required: ["from", "reason", ...(interval.to === null ? [] : (["to"] as const))],
    send: ({ reason, confirm_reason, ...values }, options) =>
      exchange(
        pointDevices.correctTie,
        {
          body: {
            accounting_point_id: point.id,
            tie_number: interval.id,
            ...correctionInput(point.id, interval, { reason, ...values }),
            reason: reason.trim(),
            ...confirmation(confirm_reason),
          },
        },
        options,
      ),
    onRefused,
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const input = correctionInput(point.id, interval, form.values);
  const isMoved = input !== null && (input.from !== undefined || input.to !== undefined);
  const unit = unitTitle(interval.unit, language);
  return (
    <FormDialog
      form={form}
      title={t("correct.title", { device: intervalTitle(interval), name: point.name })}
      size={618}
      action={t("correct.action")}
      isDisabled={input === null}
      onClose={onClose}
    >
      <p>{t("correct.text")}</p>
      <div className="points-correct">
        <MomentField label={t("correct.from")} zone={point.timezone} {...form.field("from")} />
        <NumberField label={t("correct.opening")} unit={unit} {...form.field("opening")} />
        {interval.to === null ? null : (
          <>
            <MomentField label={t("correct.to")} zone={point.timezone} {...form.field("to")} />
            <NumberField label={t("correct.closing")} unit={unit} {...form.field("closing")} />
          </>
        )}
        {isMoved && hasNeighbour ? (
          <>
            <SelectField
              label={t("correct.meterless")}
              {...form.field("meterless")}
              options={gapChoices.map((value) => ({ value, title: t(`correct.gap.${value}`) }))}
            />
            <NumberField
              label={t("correct.amount")}
              hint={t("correct.amountHint")}
              unit={unitTitle(point.unit, language)}
              {...form.field("meterless_amount")}
            />
          </>
        ) : null}
      </div>
      <ConfirmedReadings isDoubted={isDoubted} field={form.field("confirm_reason")} />
      <CorrectionOutcome input={input} pointId={point.id} />
      <TextField
        label={t("correct.reason")}
        hint={t("correct.reasonHint")}
        {...form.field("reason")}
        maxLength={255}
        autoComplete="off"
      />
    </FormDialog>
  );
}
