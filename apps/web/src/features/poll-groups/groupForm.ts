import type { InputOf } from "@metrum/contract/core";
import type { PollGroup, pollGroups } from "@metrum/contract/headend";

/** Values of the form; the choices of its lists are texts. */
export interface GroupValues {
  readonly name: string;
  readonly model_id: string;
  readonly device_interface_id: string;
  readonly now_value: boolean;
  /** Message types of the archives that are read; null: all of the model. */
  readonly archives: readonly number[] | null;
  /** Missing intervals of the archives are read. */
  readonly fills: boolean;
  /** How far back; null: as far as the archive of the meter reaches. */
  readonly depth_days: number | null;
  readonly device_ids: readonly number[];
  readonly report_period_update: string;
  readonly time_shift: string;
  /** Empty: three intervals. */
  readonly warning_report_period: string;
  readonly poll_one: boolean;
  readonly is_active: boolean;
}

/** Fields of the form by the path of the server, where they differ. */
export const fieldNames = {
  "poll_params.time_shift": "time_shift",
  "selected_data.archives": "archives",
  "autoload_params.depth_days": "depth_days",
} as const;

/** A new group: everything that the model has, every hour. */
const fresh: GroupValues = {
  name: "",
  model_id: "",
  device_interface_id: "",
  now_value: true,
  archives: null,
  fills: true,
  depth_days: null,
  device_ids: [],
  report_period_update: "3600",
  time_shift: "0",
  warning_report_period: "",
  poll_one: false,
  is_active: true,
};

export function valuesOf(group: PollGroup | null): GroupValues {
  if (group === null) return fresh;
  const { name, device_ids, poll_one, is_active, selected_data, autoload_params, poll_params } = group;
  return {
    ...{ name, device_ids, poll_one, is_active },
    model_id: String(group.model_id),
    device_interface_id: String(group.device_interface_id),
    now_value: selected_data.now_value !== false,
    archives: selected_data.archives ?? null,
    fills: autoload_params.is_active === true,
    depth_days: autoload_params.depth_days ?? null,
    report_period_update: String(group.report_period_update),
    time_shift: String(poll_params.time_shift ?? 0),
    warning_report_period: String(group.warning_report_period),
  };
}

/** Something must be read: current values, or an archive that the model keeps. */
export function readingFault({ now_value, archives }: GroupValues, kept: readonly number[]) {
  const isRead = (archives ?? kept).length > 0;
  return { now_value: now_value || isRead ? undefined : "nothing" };
}

type Changes = Omit<NonNullable<InputOf<typeof pollGroups.update>["body"]>, "id">;

function changesOf(values: GroupValues) {
  const { name, now_value, archives, fills, depth_days, device_ids, poll_one, is_active } = values;
  return {
    ...{ name, poll_one, is_active },
    device_ids: [...device_ids],
    poll_params: { time_shift: Number(values.time_shift) },
    selected_data: { now_value, ...(archives === null ? {} : { archives: [...archives] }) },
    autoload_params: { is_active: fills, ...(depth_days === null ? {} : { depth_days }) },
    report_period_update: Number(values.report_period_update),
    ...(values.warning_report_period === ""
      ? {}
      : { warning_report_period: Number(values.warning_report_period) }),
  } satisfies Changes;
}

export const changeOf = (values: GroupValues, id: number) => ({ ...changesOf(values), id });

export const newOf = (values: GroupValues) => ({
  ...changesOf(values),
  model_id: Number(values.model_id),
  connection_type: "polled" as const,
  device_interface_id: Number(values.device_interface_id),
});
