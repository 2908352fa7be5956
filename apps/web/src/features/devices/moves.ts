import { devices, deviceTrash } from "@metrum/contract";
import type { TFunction } from "i18next";
import { exchange, refetch } from "#lib/call";
import { loadTexts } from "#lib/i18n";
import { askText, confirm } from "#ui/dialog";
import { say, snack } from "#ui/snackbar";
import type { DeviceRow } from "./devices.ts";
import { isPermitted } from "./permitted.ts";

type Words = TFunction<"devices">;

/** Runs a change and shows its message. False when it was refused, which the call itself reports. */
async function changed(
  run: () => Promise<{ readonly msg: string }>,
  undo?: () => void,
  title = "",
): Promise<boolean> {
  try {
    const { msg } = await run();
    snack(undo ? { kind: "brief", text: msg, action: { title, run: undo } } : msg);
  } catch {
    return false;
  }
  await refetch(devices.list, devices.get);
  return true;
}

/** Moves devices to the trash, with an offer to undo it, or back. */
export async function moveToTrash(ids: readonly number[], isDeleted: boolean, t: Words): Promise<boolean> {
  if (!isPermitted(isDeleted ? deviceTrash.add : deviceTrash.restore)) return false;
  const move = () => exchange(deviceTrash.move, { body: { ids: [...ids], is_deleted: isDeleted } });
  return isDeleted ? changed(move, () => void moveToTrash(ids, false, t), t("undo")) : changed(move);
}

export async function moveToArchive(ids: readonly number[], isArchived: boolean, t: Words): Promise<boolean> {
  if (!isPermitted(deviceTrash.archive)) return false;
  const move = () => exchange(deviceTrash.archive, { body: { ids: [...ids], is_archived: isArchived } });
  return isArchived ? changed(move, () => void moveToArchive(ids, false, t), t("undo")) : changed(move);
}

/** Removes a device for good, confirmed by its id. */
export async function removeDevice(row: DeviceRow, t: Words): Promise<boolean> {
  if (!isPermitted(deviceTrash.remove)) return false;
  await loadTexts("deviceForm");
  const id = String(row.id);
  const typed = await askText({
    title: t("deviceForm:remove.title", { name: row.name }),
    text: t("deviceForm:remove.text"),
    label: t("deviceForm:remove.label", { id }),
    action: t("deviceForm:remove.action"),
    isHarmful: true,
    isRequired: true,
    minLength: 1,
    size: 450,
  });
  if (typed === null) return false;
  if (typed === id) return changed(() => exchange(deviceTrash.remove, { params: { id } }));
  await say("msg_63", {}, "error");
  return false;
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
  return isSure && (await changed(() => exchange(deviceTrash.clear, {})));
}

/** This file, which is loaded when one of its actions is chosen. */
export interface Moves {
  readonly moveToTrash: typeof moveToTrash;
  readonly moveToArchive: typeof moveToArchive;
  readonly removeDevice: typeof removeDevice;
}
