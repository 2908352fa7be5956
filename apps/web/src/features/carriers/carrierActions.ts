import type { baseStations, gateways } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";
import { isPermitted } from "./permitted.ts";
import { refreshed } from "./refreshed.ts";

/** A gateway or a base station, as its actions need it. */
export interface Carrier {
  readonly id: number;
  readonly name: string;
  readonly devices_count: number;
  readonly is_archived: boolean;
  readonly is_deleted: boolean;
}

type Calls = typeof gateways | typeof baseStations;
type TrashCall = Calls["toTrash" | "restore" | "remove"];

/** A kind of carriers as data: its calls and its words. */
export interface CarrierKind {
  readonly calls: Pick<Calls, "toTrash" | "restore" | "remove" | "archive">;
  /** The file of its texts, and what the texts of all carriers say of its archive. */
  readonly texts: "gateways" | "baseStations";
  /** Message for a number that is not the one of the carrier. */
  readonly mismatch: "msg_61" | "msg_64";
}

type Id = Pick<Carrier, "id">;

/** Makes the call if the session may. */
async function changeOne(call: TrashCall, { id }: Id, undo?: () => void): Promise<boolean> {
  if (!isPermitted(call)) return false;
  return change(() => exchange(call, { params: { id: String(id) } }), { refreshed, undo });
}

/** Confirmed first, with what it means for the devices behind it. */
export async function moveToTrash({ calls }: CarrierKind, carrier: Carrier, t: TFunction): Promise<boolean> {
  const isSure = await confirm({
    title: t("toTrash.title", { name: carrier.name }),
    text: t("toTrash.text", { count: carrier.devices_count }),
    action: t("toTrash.action"),
    isHarmful: true,
    size: 450,
  });
  return isSure && changeOne(calls.toTrash, carrier, () => void changeOne(calls.restore, carrier));
}

export const restore = ({ calls }: CarrierKind, carrier: Id): Promise<boolean> =>
  changeOne(calls.restore, carrier);

/** Removal cannot be undone: the number of the carrier must be typed. */
export async function remove(kind: CarrierKind, carrier: Carrier, t: TFunction): Promise<boolean> {
  const isSure = await askId({
    id: carrier.id,
    mismatch: kind.mismatch,
    title: t("remove.title", { name: carrier.name }),
    text: t("remove.text", { count: carrier.devices_count }),
    label: t("remove.label", { id: carrier.id }),
    action: t("remove.action"),
  });
  return isSure && changeOne(kind.calls.remove, carrier);
}

/** Confirmed first, with what the archive means; the message offers the way back. */
export async function archive(kind: CarrierKind, carrier: Carrier, t: TFunction): Promise<boolean> {
  const isSure = await confirm({
    title: t("carriers:archiveOne", { name: carrier.name }),
    text: t(`carriers:${kind.texts}`),
    action: t("carriers:archive"),
    size: 450,
  });
  return isSure && putInArchive(kind, carrier, true);
}

export const unarchive = (kind: CarrierKind, carrier: Id): Promise<boolean> =>
  putInArchive(kind, carrier, false);

async function putInArchive(kind: CarrierKind, { id }: Id, is_archived: boolean): Promise<boolean> {
  const { archive: call } = kind.calls;
  if (!isPermitted(call)) return false;
  return change(() => exchange(call, { body: { ids: [id], is_archived } }), {
    refreshed,
    undo: is_archived ? () => void unarchive(kind, { id }) : undefined,
  });
}
