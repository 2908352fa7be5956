import { pollGroups, tasks, type PollGroup } from "@metrum/contract/headend";
import {
  devices,
  type DeviceChangeAction,
  type DeviceListInput,
  type DeviceSelection,
} from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, send } from "#lib/call";
import { change } from "#ui/change";
import { alert, askCheck, askChoice, confirm } from "#ui/dialog";

/** Devices that one task changes. */
export interface Chosen {
  readonly filter: DeviceSelection;
  readonly count: number;
}

interface Words {
  readonly t: TFunction<["deviceBulk"]>;
  readonly number: (value: number, decimals?: number) => string;
  readonly age: (seconds: number) => string;
}

/** The filter of a list, without its page and order. */
export function selectionOf({
  page: _page,
  per_page: _size,
  sort: _sort,
  sort_field: _field,
  ...filter
}: DeviceListInput): DeviceSelection {
  return filter;
}

/** Asks what the change needs, and has it made as a task; the list is refreshed when the task says that it is. */
export async function changeMany(
  { filter, count }: Chosen,
  action: Exclude<DeviceChangeAction, "tie" | "untie">,
  words: Words,
): Promise<boolean> {
  if (!isPermitted(tasks.change)) return false;
  const asked = await ask(action, count, words);
  if (!asked) return false;
  const run = () => exchange(tasks.change, { body: { action, ...asked, filter } });
  return change(run, { refreshed: [tasks.list, devices.list] });
}

const periods = [900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400] as const;

/** What the change needs beside its devices; null: the user does not want it. */
async function ask(
  action: Exclude<DeviceChangeAction, "tie" | "untie">,
  count: number,
  { t, number, age }: Words,
) {
  if (action === "group") return askGroup({ t });
  const title = t(`confirm.${action}`, { count, shown: number(count, 0) });
  if (action === "period") {
    const chosen = await askChoice({
      title,
      label: t("period"),
      options: periods.map((sec) => ({ value: String(sec), title: age(sec) })),
      value: "3600",
      action: t("apply"),
    });
    return chosen === null ? null : { report_period_update: Number(chosen) };
  }
  const text = t("asTask");
  const isSure =
    action === "remove"
      ? await askCheck({ title, text, label: t("cannotUndo"), action: t("remove"), isHarmful: true })
      : await confirm({ title, text, action: t("apply"), isHarmful: action === "trash" });
  return isSure ? {} : null;
}

const groupsAtOnce = 100;

/** The poll group; null: none was chosen, or the groups could not be read, which has been reported. */
async function askGroup({ t }: Pick<Words, "t">) {
  const groups = await allGroups();
  if (groups === null) return null;
  if (groups.length === 0) {
    await alert({ title: t("group"), text: t("noGroup") });
    return null;
  }
  const chosen = await askChoice({
    title: t("group"),
    text: t("groupText"),
    label: t("groupOne"),
    options: groups.map(({ id, name, model_title: model }) => ({
      value: String(id),
      title: `${name} · ${model}`,
    })),
    action: t("apply"),
  });
  return chosen === null ? null : { poll_group_id: Number(chosen) };
}

async function allGroups(): Promise<readonly PollGroup[] | null> {
  const groups: PollGroup[] = [];
  try {
    for (let page = 1, last = 1; page <= last; page += 1) {
      const answer = await send(pollGroups.list, { body: { page, per_page: groupsAtOnce } });
      groups.push(...answer.data);
      last = answer.last_page;
    }
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
  return groups;
}
