import {
  baseStations,
  gateways,
  models,
  mostPollPause,
  type Gateway,
  type NewGateway,
} from "@metrum/contract/metering";
import { signInInterface } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { interfaceTitle, isPermitted, refreshed } from "#carriers";
import { exchange, reasonOf, refetch, useCall, type SendOptions } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { NumberField, PasswordField, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm, type FormState } from "#ui/form";
import { PhoneField } from "#ui/phoneField";
import { ErrorState } from "#ui/states";
import { zoneChoices } from "#ui/zone";
import type { GatewayModel } from "./gateways.ts";

interface Props {
  /** The gateway to change; null makes a new one. */
  readonly gateway: Gateway | null;
  readonly onClose: () => void;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };
const everyStation = { body: { paginate: false } };
const noModels: readonly GatewayModel[] = [];

/** Makes or changes a gateway. Its model decides on the interfaces, and those on login and password. */
export function GatewayDialog({ gateway, onClose }: Props) {
  const { t } = useTranslation(["gateways", "messages"]);
  const catalogue = useCall(models.gateways, { body: {} }, lasting);
  const known = catalogue.data?.gateways ?? noModels;
  const stations =
    useCall(baseStations.list, everyStation, { isQuiet: true, freshMs: 60_000 }).data?.base_stations.data ??
    [];
  const form = useForm({
    stored: valuesOf(gateway),
    required: ["name", "device_id", "model_id"],
    check: (values) => signInFaults(values, gateway),
    words: (code, field) =>
      code === "required" && (field === "login" || field === "password") ? t("messages:msg_144") : undefined,
    send: (values, options) => store(gateway, values, options),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const { values } = form;
  const model = known.find(({ id }) => String(id) === values.model_id);
  const chooseModel = (model_id: string) => {
    const offered = known.find(({ id }) => String(id) === model_id)?.interface_ids ?? [];
    const keeps = offered.includes(Number(values.interface_id));
    form.set({ model_id, ...(keeps ? {} : { interface_id: String(offered[0] ?? "") }) });
  };
  return (
    <FormDialog
      form={form}
      title={gateway ? t("form.edit", { name: gateway.name }) : t("form.new")}
      size={618}
      action={t(gateway ? "form.save" : "form.create")}
      onClose={onClose}
      className="gateway-form"
    >
      {catalogue.isError && !catalogue.data ? (
        <ErrorState
          title={t("form.noModels")}
          message={reasonOf(catalogue.error)}
          onRetry={() => void catalogue.refetch()}
        />
      ) : null}
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="gateway-pair">
        <SelectField
          label={t("form.model")}
          {...form.field("model_id")}
          onValue={chooseModel}
          placeholder={t("form.chooseModel")}
          options={known.map(({ id, title }) => ({ value: String(id), title }))}
        />
        <Interfaces form={form} offered={model?.interface_ids ?? []} />
      </div>
      <TextField
        label={t("form.number")}
        hint={model ? t(`form.numberHint.${model.connection}`) : undefined}
        {...form.field("device_id")}
        maxLength={100}
        autoComplete="off"
      />
      <SignIn form={form} gateway={gateway} />
      <TextField label={t("form.desc")} {...form.field("desc")} maxLength={1000} autoComplete="off" />
      <div className="gateway-pair">
        <PhoneField label={t("form.phone")} {...form.field("phone_number")} autoComplete="off" />
        <SelectField
          label={t("form.station")}
          {...form.field("base_station_id")}
          options={[
            { value: "", title: t("form.noStation") },
            ...stations.map(({ id, name }) => ({ value: String(id), title: name })),
          ]}
        />
        <Periods form={form} />
        <NumberField
          label={t("form.poll_pause")}
          hint={t("form.pauseHint")}
          {...form.field("poll_pause")}
          min={0}
          max={mostPollPause}
          decimals={0}
          unit={t("form.second")}
        />
        <Zone form={form} />
        <SelectField
          label={t("form.framing")}
          hint={t("form.framingHint")}
          {...form.field("framing")}
          options={(["hdlc", "wrapper"] as const).map((value) => ({ value, title: t(`framing.${value}`) }))}
        />
      </div>
    </FormDialog>
  );
}

interface PartProps {
  readonly form: FormState<Values>;
}

function Interfaces({ form, offered }: PartProps & { readonly offered: readonly number[] }) {
  const { t } = useTranslation("gateways");
  const { language } = useFormat();
  return (
    <SelectField
      label={t("form.interface")}
      {...form.field("interface_id")}
      disabled={offered.length === 0}
      options={offered.map((id) => ({ value: String(id), title: interfaceTitle(id, language) }))}
    />
  );
}

/** Only on an interface on which the gateway signs in. The stored password is never shown. */
function SignIn({ form, gateway }: PartProps & Pick<Props, "gateway">) {
  const { t } = useTranslation("gateways");
  if (!signsIn(form.values)) return null;
  return (
    <div className="gateway-pair">
      <TextField
        label={t("form.login")}
        {...form.field("login")}
        isRequired
        maxLength={64}
        autoComplete="off"
      />
      <PasswordField
        label={t("form.password")}
        {...form.field("password")}
        isRequired={gateway?.has_password !== true}
        hint={gateway?.has_password ? t("form.passwordKept") : undefined}
        maxLength={128}
        autoComplete="new-password"
      />
    </div>
  );
}

/** Seconds offered for both periods. */
const periods = [
  60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
];

function Periods({ form }: PartProps) {
  const { t } = useTranslation("gateways");
  const { age } = useFormat();
  return (["report_period_update", "warning_report_period"] as const).map((name) => {
    const offered = [...new Set([...periods, Number(form.values[name])])].sort((a, b) => a - b);
    return (
      <SelectField
        key={name}
        label={t(`form.${name}`)}
        {...form.field(name)}
        options={offered.map((seconds) => ({ value: String(seconds), title: age(seconds) }))}
      />
    );
  });
}

function Zone({ form }: PartProps) {
  const { t } = useTranslation("gateways");
  const { zone } = useSession();
  const { value } = form.field("timezone_name");
  const [zones] = useState(() => zoneChoices(value || zone, Math.floor(Date.now() / 1000)));
  return (
    <SelectField
      label={t("form.zone")}
      {...form.field("timezone_name")}
      options={[{ value: "", title: t("form.companyZone") }, ...zones]}
    />
  );
}

const signsIn = ({ interface_id }: Pick<Values, "interface_id">): boolean =>
  Number(interface_id) === signInInterface;

/** The rule of the server: both are needed, a stored password counts. */
function signInFaults(values: Values, gateway: Gateway | null) {
  if (!signsIn(values)) return {};
  return {
    login: values.login.trim() === "" ? "required" : undefined,
    password: values.password === "" && gateway?.has_password !== true ? "required" : undefined,
  };
}

/** A new gateway: reports hourly, and a day without contact is too long. */
const fresh = {
  name: "",
  device_id: "",
  model_id: "",
  interface_id: "",
  desc: "",
  phone_number: "",
  base_station_id: "",
  report_period_update: "3600",
  warning_report_period: "86400",
  poll_pause: 0 as number | null,
  framing: "hdlc",
  timezone_name: "",
  login: "",
  password: "",
};
type Values = typeof fresh;

function valuesOf(gateway: Gateway | null): Values {
  if (gateway === null) return fresh;
  const { name, device_id, desc, phone_number, timezone_name, login = "" } = gateway;
  return {
    ...{ name, device_id, desc, phone_number, timezone_name, login, password: "" },
    model_id: String(gateway.model_id),
    interface_id: String(gateway.interface_id),
    base_station_id: String(gateway.base_station_id ?? ""),
    report_period_update: String(gateway.report_period_update),
    warning_report_period: String(gateway.warning_report_period),
    poll_pause: gateway.poll_pause,
    framing: gateway.dlms_wrapper ? "wrapper" : "hdlc",
  };
}

/** Undefined without the right; the missing right has been reported. */
async function store(gateway: Gateway | null, values: Values, options: SendOptions) {
  const body = bodyOf(values, gateway);
  const call = gateway === null ? gateways.create : gateways.edit;
  if (!isPermitted(call)) return undefined;
  return gateway === null
    ? exchange(gateways.create, { body }, options)
    : exchange(gateways.edit, { body: { ...body, id: gateway.id } }, options);
}

/** An untouched password is not sent, nor is a zone: it may be that of the company. */
function bodyOf(values: Values, gateway: Gateway | null): NewGateway {
  const { password, login, base_station_id, interface_id, timezone_name, framing, ...rest } = values;
  return {
    ...rest,
    ...(timezone_name === gateway?.timezone_name ? {} : { timezone_name }),
    model_id: Number(values.model_id),
    ...(interface_id === "" ? {} : { interface_id: Number(interface_id) }),
    base_station_id: base_station_id === "" ? null : Number(base_station_id),
    report_period_update: Number(values.report_period_update),
    warning_report_period: Number(values.warning_report_period),
    poll_pause: values.poll_pause ?? 0,
    dlms_wrapper: framing === "wrapper",
    ...(signsIn(values) ? { login, ...(password === "" ? {} : { password }) } : {}),
  };
}
