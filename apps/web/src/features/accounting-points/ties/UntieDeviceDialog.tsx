import { pointDevices, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { NumberField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { ConfirmedReadings, confirmation, useDoubted } from "./ConfirmedReadings.tsx";
import { MomentField } from "../MomentField.tsx";
import { refreshed } from "../points.ts";
import { useRegisters } from "../registers.tsx";

/** The device measures the point no longer; its readings stay with the point. */
export function UntieDeviceDialog(props: { readonly point: AccountingPoint; readonly onClose: () => void }) {
  const { point, onClose } = props;
  const { t } = useTranslation("accountingPoints");
  const known = useRegisters(point.id, point.device?.id ?? null);
  const register = known.find(point.device?.field ?? "");
  const { isDoubted, onRefused } = useDoubted();
  const form = useForm({
    stored: { to: null as number | null, last_value: null as number | null, note: "", confirm_reason: "" },
    names: { closing: "last_value" },
    send: ({ to, last_value, note, confirm_reason }, options) =>
      exchange(
        pointDevices.untieDevice,
        {
          body: {
            accounting_point_id: point.id,
            device_id: point.device?.id ?? 0,
            ...(to === null ? {} : { to }),
            ...(last_value === null ? {} : { last_value }),
            ...(note === "" ? {} : { note }),
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
  return (
    <FormDialog
      form={form}
      title={t("untieDevice.title", { device: point.device?.name ?? "", name: point.name })}
      size={450}
      action={t("untieDevice.action")}
      onClose={onClose}
    >
      <p>{t("untieDevice.text")}</p>
      <MomentField
        label={t("untieDevice.to")}
        hint={t("tieDevice.fromHint")}
        zone={point.timezone}
        {...form.field("to")}
      />
      <NumberField
        label={t("untieDevice.value")}
        hint={register === undefined ? t("untieDevice.valueHint") : known.lastText(register)}
        {...(register === undefined ? {} : { unit: known.unitOf(register) })}
        {...form.field("last_value")}
      />
      <ConfirmedReadings isDoubted={isDoubted} field={form.field("confirm_reason")} />
      <TextField label={t("form.note")} {...form.field("note")} maxLength={1000} autoComplete="off" />
    </FormDialog>
  );
}
