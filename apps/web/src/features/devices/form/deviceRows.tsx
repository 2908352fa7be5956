import {
  baseStations,
  baudRates,
  deviceRecord,
  devices,
  modelSheets,
  type DeviceModel,
} from "@metrum/contract/metering";
import { interfaces, secretKinds } from "@metrum/vocabulary";
import { GatewayField, isPermitted } from "#carriers";
import { refetch, useCall } from "#lib/call";
import { TextField } from "#ui/field";
import { defineRecord, rowsOf } from "#ui/record";
import {
  bodyOf,
  fieldNames,
  partsOf,
  periods,
  valuesOf,
  type DeviceValues,
  type OpenedDevice,
} from "./deviceForm.ts";
import { NewNumber } from "./NewNumber.tsx";
import { SecretField } from "./SecretField.tsx";
import { VirtualFields } from "./VirtualFields.tsx";
import { isWhole } from "./virtualForm.ts";

interface Given {
  readonly models: readonly DeviceModel[];
  /** Zone of the company. */
  readonly zone: string;
  /** The device that is changed. */
  readonly ofId: number | undefined;
  /** Names of the secrets that the device has. */
  readonly stored: readonly string[];
}

/** The model, and what the form shows of it. */
function useAsked({ model_id }: DeviceValues, { models }: Given) {
  const model = models.find(({ id }) => id === model_id);
  const sheet = useCall(
    modelSheets.get,
    { params: { model_id: String(model_id ?? 0) } },
    { freshMs: 3_600_000, isQuiet: true, isEnabled: model_id !== null },
  );
  const everyStation = { body: { paginate: false } };
  const stations = useCall(baseStations.list, everyStation, { isQuiet: true, freshMs: 60_000 });
  const isKnown = model !== undefined && sheet.data !== undefined;
  return {
    ...{ model, sheet, isKnown, parts: partsOf(model, sheet.data?.model) },
    stations: stations.data?.base_stations.data ?? [],
  };
}
type Own = Given & ReturnType<typeof useAsked>;

const rows = rowsOf<DeviceValues, Own>();
const { text, number, select, period, zone, tick, own, part, group, section, where, failure } = rows;

/** How a device of the chosen model is reached, and when it is missed. */
const connection = group(
  "device-form-pair",
  select("interface_id", ({ model, language }) =>
    interfaces
      .filter(({ id }) => model?.interface_ids.includes(id))
      .map(({ id, title }) => ({ of: id, title: title[language] })),
  ),
  own("gateway", (bound, _, { model }) => <GatewayField {...bound} carries={model?.id} />, {
    hint: "hint.gateway",
  }),
  select("base_station_id", ({ t, stations }) => [
    { of: null, title: t("noStation") },
    ...stations.map(({ id, name }) => ({ of: id, title: name })),
  ]),
  ...where(
    (_, { parts }) => parts.hasAddress,
    text("inside_addr", { most: 255, hint: "hint.inside_addr" }),
    select(
      "fixed_baud",
      ({ t }) => [
        { of: null, title: t("meterDecides") },
        ...baudRates.map((of) => ({ of, title: String(of) })),
      ],
      { hint: "hint.fixed_baud" },
    ),
    tick("echo"),
  ),
  period("report_period_update", periods),
  period("warning_report_period", periods, { hint: "hint.warning_report_period" }),
  zone("timezone_name"),
);

/** Fields that only some models have. */
const ofModel = [
  group(
    "device-form-pair",
    ...(["impulse_weight", "starting_value", "transformation_ratio"] as const).flatMap((name) =>
      where((_, { parts }) => parts.settings.includes(name), number(name, { hint: `hint.${name}` })),
    ),
    ...where(
      (_, { parts }) => parts.hasKind,
      select("type_water_meter", ({ t }) =>
        ([0, 1] as const).map((of) => ({ of, title: t(`kind.${String(of)}`) })),
      ),
    ),
    ...where(
      (_, { parts }) => parts.hasBounds,
      number("min_value", { hint: "hint.min_value" }),
      number("max_value", { hint: "hint.max_value" }),
    ),
    ...where(
      (_, { parts }) => parts.hasLogin,
      own("login", (bound) => <TextField {...bound} isRequired maxLength={64} autoComplete="off" />),
    ),
  ),
  ...where(
    (_, { parts }) => parts.secrets.length > 0,
    section(
      "secrets",
      "device-form-secrets",
      ...secretKinds.flatMap((name) =>
        where(
          (_, { parts }) => parts.secrets.includes(name),
          part(name, (form, { stored }) => (
            <SecretField {...{ name, form }} isStored={stored.includes(name)} />
          )),
        ),
      ),
    ),
  ),
  text("note", { most: 1000, hint: "hint.note" }),
  part("sums", (form, { model, ofId }) => (
    <VirtualFields form={form} own={ofId} deviceGroupId={model?.device_group_id ?? 0} />
  )),
];

export const deviceRows = defineRecord<OpenedDevice, DeviceValues, Given, ReturnType<typeof useAsked>>()({
  texts: ["deviceForm"],
  titles: "field",
  size: 618,
  className: "device-form",
  title: (of, t) => (of ? t("title.named", { name: of.name }) : t("title.new")),
  action: ["add", "save"],
  values: (of, given) => valuesOf(of, given.zone),
  useAsked,
  isReady: ({ model_id }, { sheet }) => model_id === null || sheet.data !== undefined,
  required: ["model_id", "name", "deviceID"],
  names: fieldNames,
  check: ({ sums }) => (sums.every(isWhole) ? {} : { sums: "incomplete" }),
  words: (code, _, t) =>
    code === "required" ? t("needed") : code === "incomplete" ? t("virtual.incomplete") : undefined,
  rows: [
    select(
      "model_id",
      ({ models }) => models.map(({ id, brand, title }) => ({ of: id, title: `${brand} ${title}` })),
      {
        placeholder: "chooseModel",
        isFirst: ({ isNew }) => isNew,
        sets: (chosen, _, { models }) => ({
          interface_id: models.find(({ id }) => id === chosen)?.interface_ids[0] ?? null,
        }),
      },
    ),
    text("name", { most: 255 }),
    group(
      "device-form-pair is-number",
      text("deviceID", { most: 255, hint: "hint.deviceID" }),
      part("newNumber", ({ set }) => <NewNumber onNumber={(deviceID) => set({ deviceID })} />),
    ),
    text("place", { most: 255 }),
    ...where((_, { model }) => model !== undefined, connection),
    ...where((_, { isKnown }) => isKnown, ...ofModel),
    failure("failed", ({ sheet }) => sheet),
  ],
  isPermitted,
  body: (values, of, { parts }) => bodyOf(values, parts, of),
  add: (body, ask) => ask(deviceRecord.create, { body }),
  change: ({ id, version }, _, ask, whole) => ask(deviceRecord.edit, { body: { ...whole, id, version } }),
  refresh: () => refetch(devices.list, devices.get),
});
