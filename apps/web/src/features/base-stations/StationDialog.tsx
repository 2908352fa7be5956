import {
  baseStations,
  models,
  mostPollPause,
  type BaseStation,
  type NewBaseStation,
} from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { isPermitted, refreshed } from "#carriers";
import { exchange, refetch, useCall, type SendOptions } from "#lib/call";
import { NumberField, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";

interface Props {
  /** The base station to change; null makes a new one. */
  readonly station: BaseStation | null;
  readonly onClose: () => void;
}

const mostRadiusM = 200_000;
const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Makes or changes a base station. */
export function StationDialog({ station, onClose }: Props) {
  const { t } = useTranslation("baseStations");
  const known = useCall(models.baseStations, { body: {} }, lasting).data?.base_stations ?? [];
  const form = useForm({
    stored: valuesOf(station),
    required: ["name"],
    send: (values, options) => store(station, values, options),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  return (
    <FormDialog
      form={form}
      title={station ? t("form.edit", { name: station.name }) : t("form.new")}
      size={450}
      action={t(station ? "form.save" : "form.create")}
      onClose={onClose}
    >
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <NumberField
        label={t("form.radius")}
        {...form.field("radius")}
        min={0}
        max={mostRadiusM}
        decimals={0}
        unit={t("form.metre")}
      />
      <SelectField
        label={t("form.model")}
        {...form.field("model_id")}
        options={[
          { value: "", title: t("form.noModel") },
          ...known.map(({ id, title }) => ({ value: String(id), title })),
        ]}
      />
      <TextField
        label={t("form.number")}
        hint={t("form.numberHint")}
        {...form.field("device_id")}
        maxLength={100}
        autoComplete="off"
      />
      <NumberField
        label={t("form.poll_pause")}
        hint={t("form.pauseHint")}
        {...form.field("poll_pause")}
        min={0}
        max={mostPollPause}
        decimals={0}
        unit={t("form.second")}
      />
      <TextField label={t("form.desc")} {...form.field("desc")} maxLength={1000} autoComplete="off" />
    </FormDialog>
  );
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf(station: BaseStation | null) {
  return {
    name: station?.name ?? "",
    radius: station === null ? null : station.radius,
    poll_pause: (station?.poll_pause ?? 0) as number | null,
    model_id: String(station?.model_id ?? ""),
    device_id: station?.device_id ?? "",
    desc: station?.desc ?? "",
  };
}

/** Undefined without the right; the missing right has been reported. */
async function store(station: BaseStation | null, values: Values, options: SendOptions) {
  if (!isPermitted(station === null ? baseStations.create : baseStations.edit)) return undefined;
  const body: NewBaseStation = {
    ...values,
    radius: values.radius ?? 0,
    poll_pause: values.poll_pause ?? 0,
    model_id: values.model_id === "" ? null : Number(values.model_id),
  };
  return station === null
    ? exchange(baseStations.create, { body }, options)
    : exchange(baseStations.edit, { body: { ...body, id: station.id } }, options);
}
