import { baseStations, devices, gateways, type BaseStation, type Call } from "@metrum/contract";
import type { TFunction } from "i18next";
import { isPermitted } from "#devices";
import { exchange, refetch, send } from "#lib/call";
import { askId, confirm } from "#ui/dialog";
import { snack, type SnackInput } from "#ui/snackbar";

type Words = TFunction;
type TrashCall = (typeof baseStations)["toTrash" | "restore" | "remove"];

const params = (id: number) => ({ params: { id: String(id) } });

/** Answers that name base stations. */
export const refreshed: readonly Call[] = [baseStations.list, devices.list, gateways.list, gateways.get];

/**
 * Makes the call, shows the message of the server, with the way back if there is one, and refreshes the
 * lists; a refusal is reported.
 */
async function change(
  call: TrashCall,
  station: Pick<BaseStation, "id">,
  undo?: SnackInput["action"],
): Promise<boolean> {
  if (!isPermitted(call)) return false;
  try {
    const { msg: text } = await exchange(call, params(station.id));
    snack(undo ? { kind: "undo", text, action: undo } : text);
  } catch {
    return false;
  }
  await refetch(...refreshed);
  return true;
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
  const undo = { title: t("common:snackbar.undo"), run: () => void restore(station) };
  return change(baseStations.toTrash, station, undo);
}

export const restore = (station: Pick<BaseStation, "id">): Promise<boolean> =>
  change(baseStations.restore, station);

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
  return isSure && (await change(baseStations.remove, station));
}

/** Moves several base stations to the trash or back, one after the other, and stops at the first refusal. */
export async function moveAll(ids: readonly number[], isDeleted: boolean, t: Words): Promise<boolean> {
  const call = isDeleted ? baseStations.toTrash : baseStations.restore;
  if (!isPermitted(call)) return false;
  let done = 0;
  try {
    for (const id of ids) {
      await send(call, params(id));
      done += 1;
    }
  } catch {
    // Already reported; what was moved before stays moved.
  }
  if (done > 0) snack(t(isDeleted ? "bulk.trashed" : "bulk.restored", { count: done }));
  await refetch(...refreshed);
  return done === ids.length;
}
