import { baseStations, type BaseStation } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { isPermitted, refreshed } from "#carriers";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";

type Words = TFunction;
type TrashCall = (typeof baseStations)["toTrash" | "restore" | "remove"];

const params = (id: number) => ({ params: { id: String(id) } });

/** Makes the call if the session may. */
async function changeOne(call: TrashCall, id: number, undo?: () => void): Promise<boolean> {
  if (!isPermitted(call)) return false;
  return change(() => exchange(call, params(id)), { refreshed, undo });
}

export async function moveToTrash(station: BaseStation, t: Words): Promise<boolean> {
  const isSure = await confirm({
    title: t("toTrash.title", { name: station.name }),
    text: t("toTrash.text"),
    action: t("toTrash.action"),
    isHarmful: true,
    size: 450,
  });
  if (!isSure) return false;
  return changeOne(baseStations.toTrash, station.id, () => void restore(station));
}

export const restore = (station: Pick<BaseStation, "id">): Promise<boolean> =>
  changeOne(baseStations.restore, station.id);

/** Removal cannot be undone: the number of the base station must be typed. */
export async function remove(station: BaseStation, t: Words): Promise<boolean> {
  const isSure = await askId({
    id: station.id,
    mismatch: "msg_61",
    title: t("remove.title", { name: station.name }),
    text: t("remove.text", { count: station.devices_count }),
    label: t("remove.label", { id: station.id }),
    action: t("remove.action"),
  });
  return isSure && (await changeOne(baseStations.remove, station.id));
}

/** Confirmed first, with what the archive means; the message offers the way back. */
export async function archive(station: BaseStation, t: Words): Promise<boolean> {
  const isSure = await confirm({
    title: t("carriers:archiveOne", { name: station.name }),
    text: t("carriers:baseStations"),
    action: t("carriers:archive"),
    size: 450,
  });
  return isSure && (await putInArchive(station, true));
}

export const unarchive = (station: Pick<BaseStation, "id">): Promise<boolean> => putInArchive(station, false);

async function putInArchive({ id }: Pick<BaseStation, "id">, is_archived: boolean): Promise<boolean> {
  if (!isPermitted(baseStations.archive)) return false;
  return change(() => exchange(baseStations.archive, { body: { ids: [id], is_archived } }), {
    refreshed,
    undo: is_archived ? () => void unarchive({ id }) : undefined,
  });
}
