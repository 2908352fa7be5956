import { objectBounds } from "@metrum/contract/accounting";
import type { Attribute } from "@metrum/contract/metering";
import type { ObjectId } from "@metrum/vocabulary";
import type { Db, Scope } from "#core";

/** Attributes of a node that came through `resolve`, by name; primary key. */
export async function attributesOf(db: Db, { companyId }: Scope, id: ObjectId): Promise<Attribute[]> {
  return db
    .selectFrom("object_attribute")
    .select(["name", "value"])
    .where("object_id", "=", id)
    .where("company_id", "=", companyId)
    .orderBy("name")
    .limit(objectBounds.attributes)
    .execute();
}

export async function setAttribute(
  db: Db,
  { companyId }: Scope,
  { id, name, value }: { readonly id: ObjectId; readonly name: string; readonly value: string },
): Promise<void> {
  await db
    .insertInto("object_attribute")
    .values({ object_id: id, company_id: companyId, name, value })
    .onConflict((conflict) => conflict.columns(["object_id", "name"]).doUpdateSet({ value }))
    .execute();
}

export async function removeAttribute(
  db: Db,
  { companyId }: Scope,
  { id, name }: { readonly id: ObjectId; readonly name: string },
): Promise<void> {
  await db
    .deleteFrom("object_attribute")
    .where("object_id", "=", id)
    .where("name", "=", name)
    .where("company_id", "=", companyId)
    .execute();
}
