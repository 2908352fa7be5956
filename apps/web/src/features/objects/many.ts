import { objects, objectTies, type TreeObject } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { ApiError, exchange, reasonOf, refetch, request, type Answer, type SendOptions } from "#lib/call";
import { askText } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { removeNode, takesPoints, textOfRemoval } from "./actions.ts";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

/** A branch with which something was not done, and why. */
export interface Refused {
  readonly node: TreeObject;
  readonly reason: string;
}

/**
 * The checked nodes as the server has them, without those below others, which go with these. Undefined when
 * refused, which the call has reported.
 */
export async function topNodes(ids: readonly string[]): Promise<readonly TreeObject[] | undefined> {
  try {
    const { data } = await exchange(objects.getMany, { body: { ids: [...ids] } });
    const below = new Set(data.objects.flatMap(({ all_child_ids }) => all_child_ids ?? []));
    return data.objects.filter(({ _id }) => !below.has(_id));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Does something with each branch, and refreshes. Returns those with which it was refused. */
async function eachOf(
  nodes: readonly TreeObject[],
  run: (node: TreeObject) => Promise<unknown>,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  for (const node of nodes)
    try {
      await run(node);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ node, reason: reasonOf(error) ?? "" });
    }
  await refetch(...refreshed);
  return refused;
}

/**
 * Removes branches after saying what all of them hold; of several the number of nodes must be typed. Returns those
 * that were refused; undefined when cancelled.
 */
export async function removeNodes(
  nodes: readonly TreeObject[],
  t: TFunction,
): Promise<readonly Refused[] | undefined> {
  const [only] = nodes;
  if (only && nodes.length === 1) return (await removeNode(only, t)) ? [] : undefined;
  if (!isPermitted(objects.remove)) return undefined;
  const object_ids = nodes.map(({ _id }) => _id);
  const { branch } = (await request(objects.branch, { body: { object_ids } })).data;
  const title = t("objects:remove.many", { count: nodes.length });
  const remove_tied_points = await takesPoints(branch.points, { title, t });
  if (remove_tied_points === null) return undefined;
  const count = String(branch.nodes);
  const typed = await askText({
    ...{ title, isHarmful: true, isRequired: true, minLength: 1, size: 450 },
    text: textOfRemoval(branch, { isGone: remove_tied_points, t }),
    label: t("objects:remove.countLabel", { count }),
    validate: (value) => (value === count ? null : t("objects:remove.countWrong", { count })),
    action: t("objects:remove.action", { count: branch.nodes }),
  });
  if (typed === null) return undefined;
  const refused = await eachOf(nodes, ({ _id }) =>
    exchange(objects.remove, { body: { object_id: _id, remove_tied_points } }, { isQuiet: true }),
  );
  const done = nodes.length - refused.length;
  if (done > 0) snack(t("objects:remove.done", { count: done }));
  return refused;
}

/** Ties users to each of these nodes. Undefined without the right; a refusal is thrown. */
export async function tieUsers(
  nodes: readonly TreeObject[],
  user_ids: readonly number[],
  { t, ...options }: SendOptions & { readonly t: TFunction },
): Promise<Answer<object> | undefined> {
  if (!isPermitted(objectTies.tieUsers)) return undefined;
  for (const { _id } of nodes)
    await exchange(objectTies.tieUsers, { body: { object_id: _id, user_ids: [...user_ids] } }, options);
  return { data: {}, msg: t("objects:users.tiedMany", { count: nodes.length }) };
}
