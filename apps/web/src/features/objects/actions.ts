import { objects, type BranchCounts, type TreeObject } from "@metrum/contract/accounting";
import i18next, { type TFunction } from "i18next";
import { exchange, refetch, request } from "#lib/call";
import { change } from "#ui/change";
import { askChoice, askId } from "#ui/dialog";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

interface Moved {
  readonly id: string;
  readonly from: string | null;
}

/** Moves branches one after the other, until one is refused; the way back is offered. */
export async function moveNodes(moved: readonly Moved[], target: string | null): Promise<boolean> {
  if (!isPermitted(objects.update)) return false;
  const done: Moved[] = [];
  const run = async () => {
    let msg = "";
    for (const each of moved) {
      ({ msg } = await exchange(objects.update, { body: { _id: each.id, parent_id: target } }));
      done.push(each);
    }
    return { msg: done.length > 1 ? i18next.t("objects:move.done", { count: done.length }) : msg };
  };
  const isMoved = await change(run, { refreshed, undo: () => void moveBack(done, target) });
  if (!isMoved && done.length > 0) await refetch(...refreshed);
  return isMoved;
}

/** Moves branches from a node to where they were. */
async function moveBack(moved: readonly Moved[], target: string | null): Promise<void> {
  for (const from of new Set(moved.map((each) => each.from))) {
    const those = moved.filter((each) => each.from === from).map(({ id }) => ({ id, from: target }));
    if (!(await moveNodes(those, from))) return;
  }
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
    text: textOfRemoval(branch, { isGone: remove_tied_points, t }),
    label: t("objects:remove.label", { id: node._id }),
    action: t("objects:remove.action", { count: branch.nodes }),
  });
  if (!isSure) return false;
  const body = { object_id: node._id, remove_tied_points };
  return change(() => exchange(objects.remove, { body }), { refreshed });
}

/** What branches hold, and what becomes of their points. */
export const textOfRemoval = (
  branch: BranchCounts,
  { isGone, t }: { readonly isGone: boolean; readonly t: TFunction },
): string => {
  const counts = t("objects:remove.text", { ...branch });
  if (branch.points === 0) return counts;
  return `${counts} ${t(isGone ? "objects:remove.pointsGo" : "objects:remove.pointsStay")}`;
};

/** Whether the points of a branch are removed with it; null when cancelled. */
export async function takesPoints(
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
