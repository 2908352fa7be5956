import { objects, type TreeObject } from "@metrum/contract";
import type { TFunction } from "i18next";
import { exchange, request } from "#lib/call";
import { change } from "#ui/change";
import { askChoice, askId } from "#ui/dialog";
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

/**
 * Removes a branch after saying what it holds, its points with it when that is chosen; the number of its top must be
 * typed.
 */
export async function removeNode(node: Pick<TreeObject, "_id" | "name">, t: TFunction): Promise<boolean> {
  if (!isPermitted(objects.remove)) return false;
  const { branch } = (await request(objects.branch, { body: { object_ids: [node._id] } })).data;
  const title = t("objects:remove.title", { name: node.name });
  const remove_tied_points = await takesPoints(branch.points, { title, t });
  if (remove_tied_points === null) return false;
  const isSure = await askId({
    id: Number(node._id),
    mismatch: "msg_68",
    title,
    text: [
      t("objects:remove.text", { ...branch }),
      ...pointsText(branch.points, { isGone: remove_tied_points, t }),
    ].join(" "),
    label: t("objects:remove.label", { id: node._id }),
    action: t("objects:remove.action", { count: branch.nodes }),
  });
  if (!isSure) return false;
  const body = { object_id: node._id, remove_tied_points };
  return change(() => exchange(objects.remove, { body }), { refreshed });
}

/** What becomes of the points of a branch; nothing when there are none. */
const pointsText = (count: number, { isGone, t }: { readonly isGone: boolean; readonly t: TFunction }) =>
  count === 0 ? [] : [t(isGone ? "objects:remove.pointsGo" : "objects:remove.pointsStay")];

/** Whether the points of a branch are removed with it; null when cancelled. */
async function takesPoints(
  count: number,
  { title, t }: { readonly title: string; readonly t: TFunction },
): Promise<boolean | null> {
  if (count === 0) return false;
  const chosen = await askChoice({
    title,
    label: t("objects:remove.points", { count }),
    text: t("objects:remove.points", { count }),
    action: t("objects:remove.next"),
    options: [
      { value: "stay", title: t("objects:remove.keepPoints") },
      { value: "go", title: t("objects:remove.takePoints") },
    ],
    value: "stay",
  });
  return chosen === null ? null : chosen === "go";
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
