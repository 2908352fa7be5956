import type { ObjectAddress } from "@metrum/contract/accounting";
import type { CompanyId, DeviceId, ObjectId } from "@metrum/vocabulary";
import { lockTree, type Db } from "#core";
import { placeItems } from "./itemStore.ts";
import * as store from "./store.ts";

/** The way to a node from the top, and what stands there. */
export interface NewBranch {
  readonly steps: readonly { readonly name: string; readonly type: string }[];
  readonly address: ObjectAddress;
  readonly devices: readonly DeviceId[];
}

/** Adds nodes by their way from the top, each once, and places devices at their last ones. */
export async function addBranches(
  db: Db,
  companyId: CompanyId,
  branches: readonly NewBranch[],
): Promise<void> {
  const of = { companyId };
  await lockTree(db, of);
  for (const { steps, address, devices } of branches) {
    let parent: ObjectId | null = null;
    for (const [at, step] of steps.entries()) {
      const found: ObjectId | undefined = await store.childNamed(db, of, { parent, ...step });
      parent =
        found ?? (await addNode(db, of, { parent, step, address: at === steps.length - 1 ? address : null }));
    }
    const object = parent;
    if (object !== null)
      await placeItems(
        db,
        of,
        "device",
        devices.map((item) => ({ object, item })),
      );
  }
}

async function addNode(
  db: Db,
  of: { readonly companyId: CompanyId },
  node: { parent: ObjectId | null; step: { name: string; type: string }; address: ObjectAddress | null },
): Promise<ObjectId> {
  const { parent, step, address } = node;
  const level = (await store.levelsOf(db, of, [parent])).get(parent);
  const [id] = await store.insertNodes(db, of, [
    { parent_id: parent, sort: level?.next ?? 1, ...step, address },
  ]);
  if (id === undefined) throw new Error("a node was added without an id");
  if (parent !== null) await store.countBranches(db, [{ branch: id, parent, sign: 1 }]);
  return id;
}
