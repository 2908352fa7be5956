import type { Call } from "@metrum/contract/core";
import { exchangeKinds, pollGroups, tasks, type PollGroup } from "@metrum/contract/headend";
import type { TFunction } from "i18next";
import { isPermitted } from "#carriers";
import { exchange, refetch, send } from "#lib/call";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";

type Words = TFunction;
type Named = Pick<PollGroup, "id" | "name">;

/** Answers that show poll groups. */
export const refreshed: readonly Call[] = [pollGroups.list, pollGroups.get];
const ofTasks: readonly Call[] = [tasks.list, tasks.statistics];

export async function switchGroup({ id }: Named, is_active: boolean): Promise<void> {
  await send(pollGroups.switch, { body: { id, is_active } });
  await refetch(...refreshed);
}

/** Polls all devices of the group now, outside its schedule, as a task. */
export async function askNow({ id, name }: Named): Promise<boolean> {
  if (!isPermitted(tasks.create)) return false;
  const { ru, en } = exchangeKinds.request.title;
  const body = {
    command_type: "poll" as const,
    title: `${ru}: ${name}`,
    title_en: `${en}: ${name}`,
    poll_group_id: id,
  };
  return change(() => exchange(tasks.create, { body }), { refreshed: [...refreshed, ...ofTasks] });
}

/** Cancels the requests of the group that have not begun. */
export async function cancelTasks({ id, name }: Named, t: Words): Promise<boolean> {
  if (!isPermitted(tasks.cancel)) return false;
  const isSure = await confirm({
    title: t("cancelTasks.title", { name }),
    text: t("cancelTasks.text"),
    action: t("cancelTasks.action"),
  });
  if (!isSure) return false;
  const body = { delete_all: true, poll_group_id: id };
  return change(() => exchange(tasks.cancel, { body }), { refreshed: ofTasks });
}

/** Removal cannot be undone: the number of the group must be typed. Its devices stay. */
export async function remove(group: PollGroup, t: Words): Promise<boolean> {
  if (!isPermitted(pollGroups.delete)) return false;
  const isSure = await askId({
    id: group.id,
    mismatch: "msg_60",
    title: t("remove.title", { name: group.name }),
    text: t("remove.text", { count: group.device_count }),
    label: t("remove.label", { id: group.id }),
    action: t("remove.action"),
  });
  if (!isSure) return false;
  return change(() => exchange(pollGroups.delete, { params: { id: String(group.id) } }), { refreshed });
}
