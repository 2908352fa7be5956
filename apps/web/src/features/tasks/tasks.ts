import type { InputOf } from "@metrum/contract/core";
import type { DeviceTask, tasks, TaskStatus } from "@metrum/contract/headend";
import type { Language } from "@metrum/vocabulary";
import type { GridState } from "#ui/grid";
import { pageInput, type Words } from "#ui/list";
import type { StatusKind } from "#ui/status";

type ListBody = NonNullable<InputOf<typeof tasks.list>["body"]>;

/** Id of a filter in the address; undefined if it is not an id. */
function idIn(filters: GridState["filters"], name: string): number | undefined {
  const id = Number(filters[name]?.[0]);
  return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : undefined;
}

export const deviceOf = ({ filters }: Pick<GridState, "filters">) => idIn(filters, "device");
export const groupOf = ({ filters }: Pick<GridState, "filters">) => idIn(filters, "group");

/** The input of the call for the state in the address. */
export function listInput(state: GridState): ListBody {
  const status_id = idIn(state.filters, "status");
  const device_id = deviceOf(state);
  const poll_group_id = groupOf(state);
  const { field } = state.sort ?? {};
  return {
    ...pageInput(state),
    ...(field === "created_at" || field === "status_id" ? { sort_field: field } : {}),
    ...(status_id === undefined ? {} : { status_id }),
    ...(device_id === undefined ? {} : { device_id }),
    ...(poll_group_id === undefined ? {} : { poll_group_id }),
  };
}

/** Shape of each status; a status unknown to this version has the one of "unknown". */
const kinds: Readonly<Record<TaskStatus["key"], StatusKind>> = {
  queued: "silent",
  running: "pending",
  done: "ok",
  failed: "alarm",
  cancelled: "off",
  partly_done: "warn",
  expired: "alarm",
  unknown: "warn",
};

/** Shape and title of a status. */
export interface ShownStatus {
  readonly kind: StatusKind;
  readonly text: string;
}

export function shownStatus(id: number, statuses: readonly TaskStatus[], language: Language): ShownStatus {
  const found = statuses.find((each) => each.id === id);
  return {
    kind: found ? kinds[found.key] : "warn",
    text: (language === "en" ? found?.title_en : found?.title) ?? "",
  };
}

/** How long something took: "12 s", "3 min". */
export function lasted(seconds: number, { t, number, age }: Pick<Words, "t" | "number" | "age">): string {
  return seconds < 60 ? t("tasks:seconds", { seconds: number(seconds, 0) }) : age(seconds);
}

/** Shares of a task's devices in percent: answered, and failed. */
export function sharesOf({ device_count, done_count, failed_count }: Counted) {
  const percent = (count: number) => (device_count === 0 ? 0 : (100 * count) / device_count);
  return { done: percent(done_count), failed: percent(failed_count) };
}

type Counted = Pick<DeviceTask, "device_count" | "done_count" | "failed_count">;

export const titleOf = (
  { title, title_en }: Pick<DeviceTask, "title" | "title_en">,
  language: Language,
): string => (language === "en" && title_en !== "" ? title_en : title);

type Progressed = Counted & Pick<DeviceTask, "holes">;

/** "41 of 86, 3 failed, values 120 of 310". */
export function progressText(task: Progressed, { t, number }: Pick<Words, "t" | "number">): string {
  const { device_count, done_count, failed_count, holes } = task;
  return [
    t("tasks:progress", {
      count: device_count,
      done: number(done_count + failed_count, 0),
      all: number(device_count, 0),
    }),
    ...(failed_count === 0
      ? []
      : [t("tasks:failedCount", { count: failed_count, shown: number(failed_count, 0) })]),
    ...(holes ? [t("tasks:holes", { filled: number(holes.filled, 0), asked: number(holes.asked, 0) })] : []),
  ].join(", ");
}
