import { baseStations, gateways, models, mostPollPause, type Gateway } from "@metrum/contract/metering";
import { signInInterface } from "@metrum/vocabulary";
import { interfaceTitle, isPermitted, refreshed } from "#carriers";
import { refetch, useCall } from "#lib/call";
import { defineRecord, filled, RecordDialog, rowsOf } from "#ui/record";

interface Props {
  /** The gateway to change; null makes a new one. */
  readonly gateway: Gateway | null;
  readonly onClose: () => void;
}

/** Makes or changes a gateway. Its model decides on the interfaces, and those on login and password. */
export const GatewayDialog = ({ gateway, onClose }: Props) => (
  <RecordDialog
    form={gatewayForm}
    record={gateway}
    given={{ hasPassword: gateway?.has_password === true }}
    onClose={onClose}
  />
);

/** A new gateway: reports hourly, and a day without contact is too long. */
const fresh = {
  ...{ name: "", device_id: "", desc: "", phone_number: "", timezone_name: "", login: "", password: "" },
  ...{ report_period_update: 3600, warning_report_period: 86_400, dlms_wrapper: false },
  model_id: null as number | null,
  interface_id: null as number | null,
  base_station_id: null as number | null,
  poll_pause: 0 as number | null,
};
type Values = typeof fresh;
type Asked = ReturnType<typeof useAsked>;
interface Given {
  readonly hasPassword: boolean;
}

const periods = [
  60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
];
const signsIn = ({ interface_id }: Values): boolean => interface_id === signInInterface;

function useAsked({ model_id }: Values) {
  const catalogue = useCall(models.gateways, { body: {} }, { freshMs: 3_600_000, isQuiet: true });
  const stations = useCall(
    baseStations.list,
    { body: { paginate: false } },
    { isQuiet: true, freshMs: 60_000 },
  );
  const known = catalogue.data?.gateways ?? [];
  const interfacesOf = (id: number | null) => known.find((each) => each.id === id)?.interface_ids ?? [];
  return {
    ...{ catalogue, known, interfacesOf, stations: stations.data?.base_stations.data ?? [] },
    model: known.find(({ id }) => id === model_id),
  };
}

const { text, secret, number, select, period, phone, zone, failure, group, where } = rowsOf<
  Values,
  Given & Asked
>();

const gatewayForm = defineRecord<Gateway, Values, Given, Asked>()({
  texts: ["gateways", "messages"],
  titles: "form",
  size: 618,
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.new")),
  values: (of) => filled(fresh, of),
  useAsked,
  required: (values, of) => [
    ...(["name", "device_id", "model_id"] as const),
    ...(signsIn(values) ? (["login"] as const) : []),
    ...(signsIn(values) && of?.has_password !== true ? (["password"] as const) : []),
  ],
  words: (code, name, t) =>
    code === "required" && (name === "login" || name === "password") ? t("messages:msg_144") : undefined,
  rows: [
    failure("form.noModels", ({ catalogue }) => catalogue),
    text("name", { most: 255, isFirst: true }),
    group(
      "gateway-pair",
      select("model_id", ({ known }) => known.map(({ id, title }) => ({ of: id, title })), {
        placeholder: "form.chooseModel",
        sets: (model, { interface_id }, { interfacesOf }) => {
          const offered = interfacesOf(model);
          return offered.includes(interface_id ?? 0) ? {} : { interface_id: offered[0] ?? null };
        },
      }),
      select(
        "interface_id",
        ({ model, language }) =>
          (model?.interface_ids ?? []).map((of) => ({ of, title: interfaceTitle(of, language) })),
        { isDisabled: (_, { model }) => model === undefined },
      ),
    ),
    text("device_id", {
      most: 100,
      hint: (_, { model }) => model && `form.numberHint.${model.connection}`,
    }),
    ...where(
      signsIn,
      group(
        "gateway-pair",
        text("login", { most: 64 }),
        secret("password", {
          most: 128,
          hint: (_, { hasPassword }) => (hasPassword ? "form.passwordKept" : undefined),
        }),
      ),
    ),
    text("desc", { most: 1000 }),
    group(
      "gateway-pair",
      phone("phone_number"),
      select("base_station_id", ({ t, stations }) => [
        { of: null, title: t("form.noStation") },
        ...stations.map(({ id, name }) => ({ of: id, title: name })),
      ]),
      period("report_period_update", periods),
      period("warning_report_period", periods),
      number("poll_pause", {
        ...{ min: 0, max: mostPollPause, decimals: 0 },
        unit: "form.second",
        hint: "form.pauseHint",
      }),
      zone("timezone_name", { ofCompany: "form.companyZone" }),
      select(
        "dlms_wrapper",
        ({ t }) => [
          { of: false, title: t("framing.hdlc") },
          { of: true, title: t("framing.wrapper") },
        ],
        { hint: "form.framingHint" },
      ),
    ),
  ],
  isPermitted,
  body: ({ login, password, model_id, interface_id, poll_pause, ...values }) => ({
    ...values,
    ...{ model_id: model_id ?? 0, poll_pause: poll_pause ?? 0 },
    ...(interface_id === null ? {} : { interface_id }),
    ...(signsIn({ ...fresh, interface_id }) ? { login, ...(password === "" ? {} : { password }) } : {}),
  }),
  add: (body, ask) => ask(gateways.create, { body }),
  change: (of, changed, ask) => ask(gateways.edit, { body: { ...changed, id: of.id } }),
  refresh: () => refetch(...refreshed),
});
