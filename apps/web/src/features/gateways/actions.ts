import { baseStations, devices, gateways, type Call, type Gateway } from "@metrum/contract";
import type { TFunction } from "i18next";
import { exchange, refetch, send } from "#lib/call";
import { isPermitted } from "#devices";
import { askId, confirm } from "#ui/dialog";
import { snack, type SnackInput } from "#ui/snackbar";

type Words = TFunction;
type TrashCall = (typeof gateways)["toTrash" | "restore" | "remove"];

const params = ({ id }: Pick<Gateway, "id">) => ({ params: { id: String(id) } });

/** Answers that show gateways or what is behind them. */
export const refreshed: readonly Call[] = [gateways.list, gateways.get, devices.list, baseStations.list];

/**
 * Makes the call, shows the message of the server, with the way back if there is one, and refreshes the
 * lists; a refusal is reported.
 */
async function change(
  call: TrashCall,
  gateway: Pick<Gateway, "id">,
  undo?: SnackInput["action"],
): Promise<boolean> {
  if (!isPermitted(call)) return false;
  try {
    const { msg: text } = await exchange(call, params(gateway));
    snack(undo ? { kind: "undo", text, action: undo } : text);
  } catch {
    return false;
  }
  await refetch(...refreshed);
  return true;
}

/** Devices behind it are not polled any more: their number is said first. */
export async function moveToTrash(gateway: Gateway, t: Words): Promise<boolean> {
  const isSure = await confirm({
    title: t("toTrash.title", { name: gateway.name }),
    text: t("toTrash.text", { count: gateway.devices_count }),
    action: t("toTrash.action"),
    isHarmful: true,
    size: 450,
  });
  if (!isSure) return false;
  const undo = { title: t("common:snackbar.undo"), run: () => void restore(gateway) };
  return change(gateways.toTrash, gateway, undo);
}

export async function restore(gateway: Pick<Gateway, "id">): Promise<boolean> {
  return change(gateways.restore, gateway);
}

/** Removal cannot be undone: the number of the gateway must be typed. */
export async function remove(gateway: Gateway, t: Words): Promise<boolean> {
  const isSure = await askId({
    id: gateway.id,
    mismatch: "msg_64",
    title: t("remove.title", { name: gateway.name }),
    text: t("remove.text", { count: gateway.devices_count }),
    label: t("remove.label", { id: gateway.id }),
    action: t("remove.action"),
  });
  return isSure && (await change(gateways.remove, gateway));
}

export async function switchGateway({ id }: Gateway, is_active: boolean): Promise<void> {
  await send(gateways.edit, { body: { id, is_active } });
  await refetch(...refreshed);
}

/** Moves several gateways to the trash or back, one after the other, and stops at the first refusal. */
export async function moveAll(ids: readonly number[], isDeleted: boolean, t: Words): Promise<boolean> {
  const call = isDeleted ? gateways.toTrash : gateways.restore;
  if (!isPermitted(call)) return false;
  let done = 0;
  try {
    for (const id of ids) {
      await send(call, params({ id }));
      done += 1;
    }
  } catch {
    // Already reported; what was moved before stays moved.
  }
  if (done > 0) snack(t(isDeleted ? "bulk.trashed" : "bulk.restored", { count: done }));
  await refetch(...refreshed);
  return done === ids.length;
}
