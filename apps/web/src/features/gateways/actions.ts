import { gateways, type Gateway } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { exchange, refetch, send } from "#lib/call";
import { isPermitted, refreshed } from "#carriers";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";

type Words = TFunction;
type TrashCall = (typeof gateways)["toTrash" | "restore" | "remove"];

const params = (id: number) => ({ params: { id: String(id) } });

/** Makes the call if the session may. */
async function changeOne(call: TrashCall, id: number, undo?: () => void): Promise<boolean> {
  if (!isPermitted(call)) return false;
  return change(() => exchange(call, params(id)), { refreshed, undo });
}

/** Confirmed first, with the number of devices behind it that will no longer be polled. */
export async function moveToTrash(gateway: Gateway, t: Words): Promise<boolean> {
  const isSure = await confirm({
    title: t("toTrash.title", { name: gateway.name }),
    text: t("toTrash.text", { count: gateway.devices_count }),
    action: t("toTrash.action"),
    isHarmful: true,
    size: 450,
  });
  if (!isSure) return false;
  return changeOne(gateways.toTrash, gateway.id, () => void restore(gateway));
}

export async function restore(gateway: Pick<Gateway, "id">): Promise<boolean> {
  return changeOne(gateways.restore, gateway.id);
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
  return isSure && (await changeOne(gateways.remove, gateway.id));
}

export async function switchGateway({ id }: Gateway, is_active: boolean): Promise<void> {
  await send(gateways.edit, { body: { id, is_active } });
  await refetch(...refreshed);
}

/** Confirmed first, with what the archive means; the message offers the way back. */
export async function archive(gateway: Gateway, t: Words): Promise<boolean> {
  const isSure = await confirm({
    title: t("carriers:archiveOne", { name: gateway.name }),
    text: t("carriers:gateways"),
    action: t("carriers:archive"),
    size: 450,
  });
  return isSure && (await putInArchive(gateway, true));
}

export const unarchive = (gateway: Pick<Gateway, "id">): Promise<boolean> => putInArchive(gateway, false);

async function putInArchive({ id }: Pick<Gateway, "id">, is_archived: boolean): Promise<boolean> {
  if (!isPermitted(gateways.archive)) return false;
  return change(() => exchange(gateways.archive, { body: { ids: [id], is_archived } }), {
    refreshed,
    undo: is_archived ? () => void unarchive({ id }) : undefined,
  });
}
