import {
  baseStations,
  models,
  mostPollPause,
  type BaseStation,
  type NewBaseStation,
} from "@metrum/contract/metering";
import { isPermitted, refreshed } from "#carriers";
import { exchange, refetch, useCall } from "#lib/call";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";

interface Props {
  /** The base station to change; null makes a new one. */
  readonly station: BaseStation | null;
  readonly onClose: () => void;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Makes or changes a base station. */
export function StationDialog({ station, onClose }: Props) {
  const known = useCall(models.baseStations, { body: {} }, lasting).data?.base_stations ?? [];
  return <RecordDialog form={stationForm} record={station} own={{ known }} onClose={onClose} />;
}

interface Own {
  readonly known: readonly { readonly id: number; readonly title: string }[];
}
type Values = ReturnType<typeof valuesOf>;

const { text, number, select } = rowsOf<Values, Own>();
const mostRadiusM = 200_000;

const stationForm = defineRecord({
  texts: ["baseStations"],
  titles: "form",
  size: 450,
  title: (of: BaseStation | null, t) => (of ? t("form.edit", { name: of.name }) : t("form.new")),
  values: valuesOf,
  required: ["name"],
  rows: [
    text("name", { most: 255, isFirst: true }),
    number("radius", { min: 0, max: mostRadiusM, decimals: 0, unit: () => "form.metre" }),
    select(
      "model_id",
      ({ t, known }) => [
        { value: "", title: t("form.noModel") },
        ...known.map(({ id, title }) => ({ value: String(id), title })),
      ],
      { title: "form.model" },
    ),
    text("device_id", { most: 100, title: "form.number", hint: "form.numberHint" }),
    number("poll_pause", {
      ...{ min: 0, max: mostPollPause, decimals: 0 },
      unit: () => "form.second",
      hint: "form.pauseHint",
    }),
    text("desc", { most: 1000 }),
  ],
  send: async (of, values, options) => {
    if (!isPermitted(of === null ? baseStations.create : baseStations.edit)) return undefined;
    const body = bodyOf(values);
    return of === null
      ? exchange(baseStations.create, { body }, options)
      : exchange(baseStations.edit, { body: { ...body, id: of.id } }, options);
  },
  refresh: () => refetch(...refreshed),
});

function valuesOf(of: BaseStation | null) {
  return {
    name: of?.name ?? "",
    radius: of === null ? null : of.radius,
    poll_pause: (of?.poll_pause ?? 0) as number | null,
    model_id: String(of?.model_id ?? ""),
    device_id: of?.device_id ?? "",
    desc: of?.desc ?? "",
  };
}

const bodyOf = (values: Values): NewBaseStation => ({
  ...values,
  radius: values.radius ?? 0,
  poll_pause: values.poll_pause ?? 0,
  model_id: values.model_id === "" ? null : Number(values.model_id),
});
