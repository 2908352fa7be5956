import { pointDevices, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { NumberField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import type { Picked } from "#ui/picker";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import { ConfirmedReadings, confirmation, useDoubted } from "./ConfirmedReadings.tsx";
import { MomentField } from "../MomentField.tsx";
import { DevicePicker } from "../pickers.tsx";
import { refreshed } from "../points.ts";
import { RegisterField, useRegisters } from "../registers.tsx";

interface Props {
  readonly point: AccountingPoint;
  readonly onClose: () => void;
}

/** A register of a device measures the point from a moment on, with the reading it had then. */
export function TieDeviceDialog({ point, onClose }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { isDoubted, onRefused } = useDoubted();
  const form = useForm({
    stored: {
      device: null as Picked | null,
      field: "",
      from: null as number | null,
      starting_value: null as number | null,
      note: "",
      confirm_reason: "",
    },
    required: ["device"],
    names: { device_id: "device", opening: "starting_value" },
    send: ({ device, field, from, starting_value, note, confirm_reason }, options) =>
      exchange(
        pointDevices.tieDevice,
        {
          body: {
            accounting_point_id: point.id,
            device_id: Number(device?.id ?? 0),
            ...(from === null ? {} : { from }),
            ...(field === "" ? {} : { field }),
            ...(starting_value === null ? {} : { starting_value }),
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
  const { device } = form.values;
  const known = useRegisters(point.id, device === null ? null : Number(device.id));
  const register = known.find(form.values.field);
  return (
    <FormDialog
      form={form}
      title={t("tieDevice.title", { name: point.name })}
      size={450}
      action={t("tieDevice.action")}
      onClose={onClose}
    >
      <DevicePicker
        label={t("tieDevice.device")}
        hint={t("tieDevice.deviceHint")}
        group={point.device_group_id}
        data-autofocus
        {...form.field("device")}
      />
      <RegisterField known={known} pointId={point.id} {...form.field("field")} />
      <MomentField
        label={t("tieDevice.from")}
        hint={t("tieDevice.fromHint")}
        zone={point.timezone}
        {...form.field("from")}
      />
      <NumberField
        label={t("tieDevice.value")}
        hint={register === undefined ? t("tieDevice.valueHint") : known.lastText(register)}
        {...(register === undefined ? {} : { unit: known.unitOf(register) })}
        {...form.field("starting_value")}
      />
      <ConfirmedReadings isDoubted={isDoubted} field={form.field("confirm_reason")} />
      <TextField label={t("form.note")} {...form.field("note")} maxLength={1000} autoComplete="off" />
    </FormDialog>
  );
}
