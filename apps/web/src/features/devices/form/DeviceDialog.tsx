import {
  baseStations,
  baudRates,
  deviceRecord,
  devices,
  models,
  modelSheets,
  type DeviceModel,
} from "@metrum/contract/metering";
import { interfaces } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { GatewayField, isPermitted } from "#carriers";
import { exchange, reasonOf, refetch, send, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Checkbox, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { ZoneField } from "#ui/zone";
import {
  bodyOf,
  changeOf,
  fieldNames,
  partsOf,
  periods,
  valuesOf,
  type DeviceValues,
  type OpenedDevice,
} from "./deviceForm.ts";
import { ModelFields } from "./ModelFields.tsx";
import { VirtualFields } from "./VirtualFields.tsx";
import { isWhole } from "./virtualForm.ts";
import "./deviceForm.css";

interface Props {
  /** The device to change; null adds a new one. */
  readonly id: number | null;
  readonly onClose: () => void;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Adds a device or changes one: the form opens when the device and the models are known. */
export function DeviceDialog({ id, onClose }: Props) {
  const { t } = useTranslation("deviceForm");
  const opened = useCall(
    devices.get,
    { params: { id: String(id ?? 0) } },
    { isQuiet: true, isEnabled: id !== null },
  );
  const known = useCall(models.devices, { body: {} }, lasting);
  const failed = [opened, known].find((each) => each.isError && !each.data);
  const list = known.data?.metering_devices;
  const device = opened.data?.metering_device;
  if (list && (id === null || device))
    return <DeviceForm device={device ?? null} models={list} reload={opened.refetch} onClose={onClose} />;
  return (
    <Dialog title={t(id === null ? "title.new" : "title.edit")} size={618} onClose={onClose}>
      {failed ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(failed.error)}
          onRetry={() => void failed.refetch()}
        />
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly device: OpenedDevice | null;
  readonly models: readonly DeviceModel[];
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
}

function DeviceForm({ device, models: list, reload, onClose }: FormProps) {
  const { t } = useTranslation("deviceForm");
  const { company } = useSession();
  const now = useNow();
  const form = useForm({
    stored: valuesOf(device, company.timezone_name),
    required: ["model_id", "name", "deviceID"],
    names: fieldNames,
    check: ({ sums }) => (sums.every(isWhole) ? {} : { sums: "incomplete" }),
    words: (code, name) =>
      code === "required"
        ? t("needed")
        : name === "sums" && code === "incomplete"
          ? t("virtual.incomplete")
          : undefined,
    send: async (values: DeviceValues, options) => {
      if (!isPermitted(device ? deviceRecord.edit : deviceRecord.create)) return undefined;
      const parts = partsOf(modelOf(values), sheet);
      return device
        ? exchange(deviceRecord.edit, { body: changeOf(values, parts, device) }, options)
        : exchange(deviceRecord.create, { body: bodyOf(values, parts, null) }, options);
    },
    onSaved: async () => {
      onClose();
      await refetch(devices.list, devices.get);
    },
    onConflict: reload,
  });
  const { values, set } = form;
  const modelOf = ({ model_id }: DeviceValues) => list.find(({ id }) => String(id) === model_id);
  const model = modelOf(values);
  const opened = useCall(
    modelSheets.get,
    { params: { model_id: values.model_id } },
    { ...lasting, isEnabled: values.model_id !== "" },
  );
  const sheet = opened.data?.model;
  const choose = (model_id: string) => {
    const chosen = list.find(({ id }) => String(id) === model_id);
    set({ model_id, interface_id: String(chosen?.interface_ids[0] ?? "") });
  };
  return (
    <FormDialog
      form={form}
      title={device ? t("title.named", { name: device.name }) : t("title.new")}
      size={618}
      action={t(device ? "save" : "add")}
      isDisabled={values.model_id !== "" && sheet === undefined}
      onClose={onClose}
      className="device-form"
    >
      <SelectField
        label={t("field.model_id")}
        {...form.field("model_id")}
        onValue={choose}
        placeholder={t("chooseModel")}
        options={list.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` }))}
        data-autofocus={device === null}
      />
      <TextField label={t("field.name")} {...form.field("name")} maxLength={255} autoComplete="off" />
      <div className="device-form-pair is-number">
        <TextField
          label={t("field.deviceID")}
          hint={t("hint.deviceID")}
          {...form.field("deviceID")}
          maxLength={255}
          autoComplete="off"
        />
        <NewNumber onNumber={(deviceID) => set({ deviceID })} />
      </div>
      <TextField label={t("field.place")} {...form.field("place")} maxLength={255} autoComplete="off" />
      {model ? <Connection form={form} model={model} now={now} /> : null}
      {model && sheet ? (
        <>
          <ModelFields form={form} parts={partsOf(model, sheet)} stored={device?.secrets ?? []} />
          <VirtualFields form={form} own={device?.id} deviceGroupId={model.device_group_id} />
        </>
      ) : opened.isError ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(opened.error)}
          onRetry={() => void opened.refetch()}
        />
      ) : null}
    </FormDialog>
  );
}

/** A number for a device without a factory number. */
function NewNumber({ onNumber }: { readonly onNumber: (number: string) => void }) {
  const { t } = useTranslation("deviceForm");
  // The call itself reports a failure.
  const make = () =>
    send(deviceRecord.uuid, {}).then(
      ({ uuid }) => onNumber(uuid),
      () => undefined,
    );
  return <Button onClick={() => void make()}>{t("uuid")}</Button>;
}

type DeviceFormState = ReturnType<typeof useForm<DeviceValues, unknown>>;

/** Address and peculiarities of the line of a polled device. */
function OnLine({ form }: { readonly form: DeviceFormState }) {
  const { t } = useTranslation("deviceForm");
  return (
    <>
      <TextField
        label={t("field.inside_addr")}
        hint={t("hint.inside_addr")}
        {...form.field("inside_addr")}
        maxLength={255}
        autoComplete="off"
      />
      <SelectField
        label={t("field.fixed_baud")}
        hint={t("hint.fixed_baud")}
        {...form.field("fixed_baud")}
        options={[
          { value: "", title: t("meterDecides") },
          ...baudRates.map((speed) => ({ value: String(speed), title: String(speed) })),
        ]}
      />
      <Checkbox
        checked={form.values.echo}
        onChange={({ currentTarget }) => form.set({ echo: currentTarget.checked })}
      >
        {t("field.echo")}
      </Checkbox>
    </>
  );
}

const everyStation = { body: { paginate: false } };

function Station({ form }: { readonly form: DeviceFormState }) {
  const { t } = useTranslation("deviceForm");
  const { data } = useCall(baseStations.list, everyStation, { isQuiet: true, freshMs: 60_000 });
  const known = data?.base_stations.data ?? [];
  return (
    <SelectField
      label={t("field.base_station_id")}
      {...form.field("base_station_id")}
      options={[
        { value: "", title: t("noStation") },
        ...known.map(({ id, name }) => ({ value: String(id), title: name })),
      ]}
    />
  );
}

interface ConnectionProps {
  readonly form: DeviceFormState;
  readonly model: DeviceModel;
  readonly now: number;
}

function Connection({ form, model, now }: ConnectionProps) {
  const { t } = useTranslation("deviceForm");
  const { age, language } = useFormat();
  const { values } = form;
  const ways = interfaces.filter(({ id }) => model.interface_ids.includes(id));
  const periodsWith = (value: string) =>
    [...new Set([...periods, Number(value)])]
      .sort((a, b) => a - b)
      .map((seconds) => ({ value: String(seconds), title: age(seconds) }));
  return (
    <div className="device-form-pair">
      <SelectField
        label={t("field.interface_id")}
        {...form.field("interface_id")}
        options={ways.map(({ id, title }) => ({ value: String(id), title: title[language] }))}
      />
      <GatewayField
        label={t("field.gateway")}
        hint={t("hint.gateway")}
        {...form.field("gateway")}
        carries={model.id}
      />
      <Station form={form} />
      {model.options.virtual_bridge.active ? <OnLine form={form} /> : null}
      <SelectField
        label={t("field.report_period_update")}
        {...form.field("report_period_update")}
        options={periodsWith(values.report_period_update)}
      />
      <SelectField
        label={t("field.warning_report_period")}
        hint={t("hint.warning_report_period")}
        {...form.field("warning_report_period")}
        options={periodsWith(values.warning_report_period)}
      />
      <ZoneField label={t("field.timezone_name")} {...form.field("timezone_name")} at={now} />
    </div>
  );
}
