import { attributeBounds, type Attribute } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type Insertable } from "kysely";
import { containing, visibleDevices, type Db, type Scope } from "#core";
import type { DeviceAttributeTable } from "./tables.ts";

/** Attributes of devices that came through `resolve` or a query with the scope, by name; primary key. */
export async function attributesOf(
  db: Db,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<number, Attribute[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Attribute & { device_id: number }>`
    select device_id, name, value from device_attribute
    where device_id = any(${[...ids]}::int[]) order by device_id, name`.execute(db);
  const found = new Map<number, Attribute[]>();
  for (const { device_id, name, value } of rows)
    found.set(device_id, [...(found.get(device_id) ?? []), { name, value }]);
  return found;
}

/** Attributes of a device, which is locked: of two that are added at once the second counts the first. */
export async function countOf(db: Db, device: DeviceId): Promise<number> {
  await sql`select from device where id = ${device} for no key update`.execute(db);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device_attribute where device_id = ${device}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The value of an attribute, locked; undefined when the device does not have it. */
export async function valueOf(db: Db, device: DeviceId, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from device_attribute where device_id = ${device} and name = ${name} for update`.execute(db);
  return rows[0]?.value;
}

/** False when the device has the attribute. */
export async function add(db: Db, row: Insertable<DeviceAttributeTable>): Promise<boolean> {
  const added = await db
    .insertInto("device_attribute")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds attributes of devices that have none. */
export async function addAttributes(
  db: Db,
  rows: readonly Insertable<DeviceAttributeTable>[],
): Promise<void> {
  await db.insertInto("device_attribute").values(rows).execute();
}

export async function change(
  db: Db,
  { device_id, name, value }: Omit<DeviceAttributeTable, "company_id">,
): Promise<void> {
  await db
    .updateTable("device_attribute")
    .set({ value })
    .where("device_id", "=", device_id)
    .where("name", "=", name)
    .execute();
}

export async function remove(db: Db, device: DeviceId, name: string): Promise<void> {
  await db.deleteFrom("device_attribute").where("device_id", "=", device).where("name", "=", name).execute();
}

/** Index device_attribute_used: the attributes of the company. */
export async function namesInUse(db: Db, scope: Scope): Promise<(Attribute & { device_count: number })[]> {
  const { rows } = await sql<Attribute & { device_count: number }>`
    select a.name, min(a.value) as value, count(*)::int as device_count
    from device_attribute a join device on device.id = a.device_id
    where a.company_id = ${scope.companyId}::int and ${visibleDevices(scope)}
    group by a.name order by a.name limit ${attributeBounds.names}`.execute(db);
  return rows;
}

/** Index device_attribute_used: the values of one attribute. */
export async function valuesInUse(
  db: Db,
  scope: Scope,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct a.value from device_attribute a join device on device.id = a.device_id
    where a.company_id = ${scope.companyId}::int and a.name = ${name} and a.value ilike ${containing(text)}
      and ${visibleDevices(scope)}
    order by a.value limit ${attributeBounds.values}`.execute(db);
  return rows.map(({ value }) => value);
}

/** Index device_attribute_used: the attributes of the company. */
export async function namesByModel(db: Db, scope: Scope): Promise<(Attribute & { model_ids: number[] })[]> {
  const { rows } = await sql<{ name: string; model_ids: number[] }>`
    select a.name, array_agg(distinct device.model_id order by device.model_id) as model_ids
    from device_attribute a join device on device.id = a.device_id
    where a.company_id = ${scope.companyId}::int and ${visibleDevices(scope)}
    group by a.name order by a.name limit ${attributeBounds.names}`.execute(db);
  return rows.map(({ name, model_ids }) => ({ name, value: "", model_ids }));
}
