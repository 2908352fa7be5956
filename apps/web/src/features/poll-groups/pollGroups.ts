import type { InputOf } from "@metrum/contract/core";
import type { PollGroup, pollGroups } from "@metrum/contract/headend";
import type { DeviceModel } from "@metrum/contract/metering";
import { pageInput, type Words } from "#ui/list";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

type ListBody = NonNullable<InputOf<typeof pollGroups.list>["body"]>;

export const listHref = "#/cloud/devices/groups";
export const newHref = "#/cloud/devices/group/new";
export const planHref = "#/cloud/devices/plan";
export const groupHref = ({ id }: Pick<PollGroup, "id">): string => `#/cloud/devices/group/${String(id)}`;
export const editHref = ({ id }: Pick<PollGroup, "id">): string => `#/cloud/devices/group/${String(id)}/edit`;
export const tasksHref = ({ id }: Pick<PollGroup, "id">): string =>
  `#/cloud/devices/tasks?f.group=${String(id)}`;

/** Whether the devices of a model are polled over a line, which a poll group needs. */
export const isPolled = ({ options }: Pick<DeviceModel, "options">): boolean => options.virtual_bridge.active;

/** The input of the call for the state in the address. */
export function listInput({ sort: _, ...state }: GridState): ListBody {
  const [active] = state.filters["active"] ?? [];
  const model_id = (state.filters["model"] ?? []).map(Number).filter((id) => Number.isInteger(id) && id > 0);
  return {
    ...pageInput({ ...state, sort: null }),
    ...(active === "active" || active === "inactive" ? { is_active: active === "active" } : {}),
    ...(model_id.length > 0 ? { model_id } : {}),
  };
}

/** Shares of answers below which a group needs attention, and below which a site visit. */
const shares = { warn: 0.95, alarm: 0.5 } as const;

/** Share of the devices that answered last time, in words and as a shape. */
export function successOf(
  { success_rate, answered_count, device_count }: PollGroup,
  { t, number }: Pick<Words, "t" | "number">,
): { readonly kind: StatusKind; readonly text: string; readonly detail: string } | null {
  if (success_rate === null) return null;
  return {
    kind: success_rate < shares.alarm ? "alarm" : success_rate < shares.warn ? "warn" : "ok",
    text: t("pollGroups:percent", { percent: number(Math.floor(success_rate * 100), 0) }),
    detail: t("pollGroups:answered", {
      answered: number(answered_count, 0),
      all: number(device_count, 0),
    }),
  };
}

/** "1 h", "1 h, shifted by 30 min", "once". */
export function intervalText(
  {
    poll_one,
    report_period_update,
    poll_params,
  }: Pick<PollGroup, "poll_one" | "report_period_update" | "poll_params">,
  { t, age }: Pick<Words, "t" | "age">,
): string {
  if (poll_one) return t("pollGroups:once");
  const shift = poll_params.time_shift ?? 0;
  const interval = age(report_period_update);
  return shift === 0 ? interval : t("pollGroups:shifted", { interval, shift: age(shift * 60) });
}
