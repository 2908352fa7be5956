import type { ObjectAddress, ObjectType } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { ObjectId } from "@metrum/vocabulary";
import { lockTree, record, type Ctx } from "#core";
import { hang, subjectOf } from "./change.ts";
import * as store from "./store.ts";

/** Parts of an address that become levels of the tree, from the top. */
const levels = [
  "country",
  "region",
  "area",
  "city",
  "settlement",
  "city_district",
  "street",
  "house",
  "block",
] as const satisfies (ObjectType & keyof ObjectAddress)[];

/**
 * Makes the branch of each address where it is missing; an address that gains a node gives it itself and its
 * coordinates. Returns the nodes on the way to all of them, and how many are new. Problems:
 * object_address_empty, object_limit, tied_devices_only.
 */
export async function addByAddress(
  ctx: Ctx,
  addresses: readonly ObjectAddress[],
): Promise<{ ids: ObjectId[]; added: number }> {
  if (ctx.scope.onlyTiedDevices) throw problem("tied_devices_only");
  await lockTree(ctx.db, ctx.scope);
  const known = new Map<string, ObjectId>();
  const added: ObjectId[] = [];
  for (const [at, address] of addresses.entries()) {
    const steps = levels.flatMap((type) => (address[type] ? [{ type, name: address[type] }] : []));
    if (steps.length === 0)
      throw problem("object_address_empty", {
        attributes: { [`addresses.${String(at)}`]: ["object_address_empty"] },
      });
    let parent: ObjectId | null = null;
    for (const [index, step] of steps.entries()) {
      const key = `${String(parent)}/${step.type}/${step.name.toLowerCase()}`;
      const found: ObjectId | undefined =
        known.get(key) ?? (await store.childNamed(ctx.db, ctx.scope, { parent, ...step }));
      const isLast = index === steps.length - 1;
      const id: ObjectId = found ?? (await hang(ctx, parent, { ...step, address: isLast ? address : null }));
      if (found === undefined) added.push(id);
      known.set(key, id);
      parent = id;
    }
  }
  if (added.length > 0)
    await record(ctx, {
      action: "object.add",
      subject: subjectOf(added[0] ?? 0),
      after: { addresses: addresses.length, added: added.length, object_ids: added },
    });
  return { ids: [...new Set(known.values())], added: added.length };
}
