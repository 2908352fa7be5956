import type { InputOf } from "@metrum/contract/core";
import { exchangeKinds, tasks } from "@metrum/contract/headend";
import { devices, deviceTrash } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { isPermitted } from "#carriers";
import { exchange, send } from "#lib/call";
import { loadTexts } from "#lib/i18n";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";
import type { DeviceRow } from "./devices.ts";

type Words = TFunction<"devices">;

const refreshed = [devices.list, devices.get];

/** Moves devices to the trash, with an offer to undo it, or back. */
export async function moveToTrash(ids: readonly number[], isDeleted: boolean): Promise<boolean> {
  if (!isPermitted(isDeleted ? deviceTrash.add : deviceTrash.restore)) return false;
  const move = () => exchange(deviceTrash.move, { body: { ids: [...ids], is_deleted: isDeleted } });
  return change(move, { refreshed, undo: isDeleted ? () => void moveToTrash(ids, false) : undefined });
}

export async function moveToArchive(ids: readonly number[], isArchived: boolean): Promise<boolean> {
  if (!isPermitted(deviceTrash.archive)) return false;
  const move = () => exchange(deviceTrash.archive, { body: { ids: [...ids], is_archived: isArchived } });
  return change(move, { refreshed, undo: isArchived ? () => void moveToArchive(ids, false) : undefined });
}

/** Removes a device for good, confirmed by its id. */
export async function removeDevice(row: DeviceRow, t: Words): Promise<boolean> {
  if (!isPermitted(deviceTrash.remove)) return false;
  await loadTexts("deviceForm");
  const isSure = await askId({
    id: row.id,
    mismatch: "msg_63",
    title: t("deviceForm:remove.title", { name: row.name }),
    text: t("deviceForm:remove.text"),
    label: t("deviceForm:remove.label", { id: row.id }),
    action: t("deviceForm:remove.action"),
  });
  const run = () => exchange(deviceTrash.remove, { params: { id: String(row.id) } });
  return isSure && (await change(run, { refreshed }));
}

/** Removes everything in the trash for good. */
export async function clearTrash(count: number, t: Words): Promise<boolean> {
  if (!isPermitted(deviceTrash.clear)) return false;
  await loadTexts("deviceForm");
  const isSure = await confirm({
    title: t("deviceForm:clear.title"),
    text: t("deviceForm:clear.text", { count }),
    action: t("deviceForm:clear.action"),
    isHarmful: true,
    size: 450,
  });
  return isSure && (await change(() => exchange(deviceTrash.clear, {}), { refreshed }));
}

type Polled = Pick<NonNullable<InputOf<typeof tasks.create>["body"]>, "device_ids" | "filter">;

/** Requests the present readings as one task. False when refused, which the call has reported. */
export async function requestPoll(of: Polled): Promise<boolean> {
  if (!isPermitted(tasks.create)) return false;
  // Of the task, which users of other languages see too.
  const { ru: title, en: title_en } = exchangeKinds.request.title;
  const body = { command_type: "poll" as const, title, title_en, ...of };
  return send(tasks.create, { body }).then(
    () => true,
    () => false,
  );
}

/** This file, which is loaded when one of its actions is chosen (`move`). */
export interface Moves {
  readonly moveToTrash: typeof moveToTrash;
  readonly moveToArchive: typeof moveToArchive;
  readonly removeDevice: typeof removeDevice;
  readonly clearTrash: typeof clearTrash;
  readonly requestPoll: typeof requestPoll;
}
