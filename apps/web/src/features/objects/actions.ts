import { objects, type TreeObject } from "@metrum/contract";
import type { TFunction } from "i18next";
import { exchange, request } from "#lib/call";
import { change } from "#ui/change";
import { askId } from "#ui/dialog";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

/** Moves branches one after the other; the way back is offered for a single one. */
export async function moveNodes(
  moved: readonly { readonly id: string; readonly from: string | null }[],
  target: string | null,
): Promise<boolean> {
  if (!isPermitted(objects.update)) return false;
  const [only] = moved;
  let isMoved = true;
  for (const { id } of moved) {
    const run = () => exchange(objects.update, { body: { _id: id, parent_id: target } });
    const undo =
      moved.length === 1 && only ? () => void moveNodes([{ id, from: target }], only.from) : undefined;
    isMoved = (await change(run, { refreshed, undo })) && isMoved;
  }
  return isMoved;
}

/** Removes a branch after saying what it holds; the number of its top must be typed. */
export async function removeNode(node: Pick<TreeObject, "_id" | "name">, t: TFunction): Promise<boolean> {
  if (!isPermitted(objects.remove)) return false;
  const { branch } = (await request(objects.branch, { body: { object_ids: [node._id] } })).data;
  const isSure = await askId({
    id: Number(node._id),
    mismatch: "msg_68",
    title: t("objects:remove.title", { name: node.name }),
    text: t("objects:remove.text", { ...branch }),
    label: t("objects:remove.label", { id: node._id }),
    action: t("objects:remove.action", { count: branch.nodes }),
  });
  if (!isSure) return false;
  return change(() => exchange(objects.remove, { body: { object_id: node._id } }), { refreshed });
}

/** Puts a node before or behind its neighbour. */
export async function shiftNode(neighbours: readonly TreeObject[], id: string, by: 1 | -1): Promise<boolean> {
  const ids = neighbours.map(({ _id }) => _id);
  const at = ids.indexOf(id);
  const [other] = ids.slice(at + by, at + by + 1);
  if (at < 0 || other === undefined || at + by < 0) return false;
  if (!isPermitted(objects.updateSort)) return false;
  const order = ids.map((each) => (each === id ? other : each === other ? id : each));
  const parent_id = neighbours[at]?.parentId ?? null;
  return change(() => exchange(objects.updateSort, { body: { parent_id, ids: order } }), { refreshed });
}
