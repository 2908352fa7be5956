import { accountingPoints, pointDevices, type AccountingPoint } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { isPermitted } from "#carriers";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { askId, confirm } from "#ui/dialog";
import { refreshed } from "./points.ts";

type Named = Pick<AccountingPoint, "id" | "name">;

/** Deletion cannot be undone and takes the history along: the number of the point must be typed. */
export async function removePoint({ id, name }: Named, t: TFunction): Promise<boolean> {
  if (!isPermitted(accountingPoints.delete)) return false;
  const isSure = await askId({
    id,
    mismatch: "msg_60",
    title: t("accountingPoints:remove.title", { name }),
    text: t("accountingPoints:remove.text"),
    label: t("accountingPoints:remove.label", { id }),
    action: t("accountingPoints:remove.action"),
  });
  if (!isSure) return false;
  return change(() => exchange(accountingPoints.delete, { body: { ids: [id] } }), { refreshed });
}

export function placePoint(id: number, object_id: string): Promise<boolean> {
  return change(
    () => exchange(accountingPoints.tieObject, { params: {}, body: { accounting_point_id: id, object_id } }),
    { refreshed },
  );
}

/** Takes a point from its node; the message offers the way back. */
export function takeFromObject({
  id,
  parent_id,
}: Pick<AccountingPoint, "id" | "parent_id">): Promise<boolean> {
  if (parent_id === null) return Promise.resolve(false);
  const body = { accounting_point_id: id, object_id: parent_id };
  return change(() => exchange(accountingPoints.untieObject, { params: {}, body }), {
    refreshed,
    undo: () => void placePoint(id, parent_id),
  });
}

/** The old device measures on, as if it had never been removed. */
export async function undoReplacement({ id }: Named, t: TFunction): Promise<boolean> {
  if (!isPermitted(pointDevices.undoReplacement)) return false;
  const isSure = await confirm({
    title: t("accountingPoints:undo.title"),
    text: t("accountingPoints:undo.text"),
    action: t("accountingPoints:undo.action"),
    isHarmful: true,
    size: 450,
  });
  if (!isSure) return false;
  return change(() => exchange(pointDevices.undoReplacement, { body: { accounting_point_id: id } }), {
    refreshed,
  });
}
