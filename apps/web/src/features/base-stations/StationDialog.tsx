import {
  baseStations,
  models,
  mostPollPause,
  type BaseStation,
  type NewBaseStation,
} from "@metrum/contract/metering";
import { isPermitted, refreshed } from "#carriers";
import { refetch, useCall } from "#lib/call";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";

interface Props {
  /** The base station to change; null makes a new one. */
  readonly station: BaseStation | null;
  readonly onClose: () => void;
}

/** Makes or changes a base station. */
export const StationDialog = ({ station, onClose }: Props) => (
  <RecordDialog form={stationForm} record={station} given={{}} onClose={onClose} />
);

type Values = ReturnType<typeof valuesOf>;

const lasting = { freshMs: 3_600_000, isQuiet: true };
const useAsked = () => ({
  known: useCall(models.baseStations, { body: {} }, lasting).data?.base_stations ?? [],
});
const { text, number, select } = rowsOf<Values, ReturnType<typeof useAsked>>();
const mostRadiusM = 200_000;

const stationForm = defineRecord<BaseStation, Values, object, ReturnType<typeof useAsked>>()({
  texts: ["baseStations"],
  titles: "form",
  size: 450,
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.new")),
  values: valuesOf,
  useAsked,
  required: ["name"],
  rows: [
    text("name", { most: 255, isFirst: true }),
    number("radius", { min: 0, max: mostRadiusM, decimals: 0, unit: "form.metre" }),
    select(
      "model_id",
      ({ t, known }) => [
        { of: null, title: t("form.noModel") },
        ...known.map(({ id, title }) => ({ of: id, title })),
      ],
      { title: "form.model" },
    ),
    text("device_id", { most: 100, title: "form.number", hint: "form.numberHint" }),
    number("poll_pause", {
      ...{ min: 0, max: mostPollPause, decimals: 0 },
      unit: "form.second",
      hint: "form.pauseHint",
    }),
    text("desc", { most: 1000 }),
  ],
  isPermitted,
  body: (values): NewBaseStation => ({
    ...values,
    radius: values.radius ?? 0,
    poll_pause: values.poll_pause ?? 0,
  }),
  add: (body, ask) => ask(baseStations.create, { body }),
  change: (of, changed, ask) => ask(baseStations.edit, { body: { ...changed, id: of.id } }),
  refresh: () => refetch(...refreshed),
});

function valuesOf(of: BaseStation | null) {
  return {
    name: of?.name ?? "",
    radius: of === null ? null : of.radius,
    poll_pause: (of?.poll_pause ?? 0) as number | null,
    model_id: of?.model_id ?? null,
    device_id: of?.device_id ?? "",
    desc: of?.desc ?? "",
  };
}
