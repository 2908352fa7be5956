import type { Supplier, suppliers } from "@metrum/contract/access";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { SupplierId } from "@metrum/vocabulary";
import { record, recordEach, resolveOne, type Ctx } from "#core";
import { differing } from "./differing.ts";
import { directoryPage, lockParties, lockParty, refuseNew, refuseUsed } from "./pages.ts";
import * as store from "./supplierStore.ts";

const subjectOf = (id: number): string => `supplier ${String(id)}`;

export async function supplierList(ctx: Ctx, body: ParsedOf<typeof suppliers.list>["body"]) {
  return directoryPage(ctx, body, {
    kind: "supplier",
    usualSort: "name",
    rowsOf: (ids) => store.suppliersOf(ctx.db, ctx.scope, { ids, now: ctx.clock.now() }),
  });
}

/** Problem: not_found. */
export async function openSupplier(ctx: Ctx, given: number): Promise<Supplier> {
  return shown(ctx, await resolveOne(ctx, "supplier", given));
}

async function shown({ db, scope, clock }: Ctx, id: SupplierId): Promise<Supplier> {
  const [row] = await store.suppliersOf(db, scope, { ids: [id], now: clock.now() });
  if (!row) throw problem("not_found");
  return row;
}

type Created = ParsedOf<typeof suppliers.create>["body"];

/** Problems: tied_devices_only, party_limit. */
export async function addSupplier(ctx: Ctx, body: Created): Promise<Supplier> {
  const [id] = await addSuppliers(ctx, [body]);
  if (id === undefined) throw new Error("a supplier was added without an id");
  return shown(ctx, id);
}

/** The same for many, all or none; ids in the order given. */
export async function addSuppliers(ctx: Ctx, bodies: readonly Created[]): Promise<SupplierId[]> {
  await refuseNew(ctx, "supplier", bodies.length);
  const rows = bodies.map(({ name, ...fields }) => ({ name, ...differing({}, fields).after }));
  const ids = await store.insertSuppliers(ctx.db, ctx.scope.companyId, rows);
  await recordEach(
    ctx,
    "supplier.create",
    ids.map((id, at) => ({ subject: subjectOf(id), after: rows[at] })),
  );
  return ids;
}

/** Problems: not_found, tied_devices_only. */
export async function changeSupplier(
  ctx: Ctx,
  { _id, ...fields }: ParsedOf<typeof suppliers.update>["body"],
): Promise<Supplier> {
  const id = await lockParty(ctx, "supplier", _id);
  const row = await shown(ctx, id);
  const change = differing(row, fields);
  if (change.isNone) return row;
  await store.changeSupplier(ctx.db, ctx.scope, id, change.after);
  await record(ctx, {
    action: "supplier.update",
    subject: subjectOf(id),
    before: change.before,
    after: change.after,
  });
  return shown(ctx, id);
}

/** Removes suppliers, each named once. Problems: not_found, tied_devices_only, party_in_use. */
export async function removeSuppliers(ctx: Ctx, given: readonly number[]): Promise<void> {
  if (given.length === 0) return;
  const { db, scope, clock } = ctx;
  const ids = await lockParties(ctx, "supplier", given);
  await refuseUsed(ctx, "supplier", ids);
  const rows = await store.suppliersOf(db, scope, { ids, now: clock.now() });
  await store.deleteSuppliers(db, scope, ids);
  await recordEach(
    ctx,
    "supplier.delete",
    rows.map(({ _id, name, inn }) => ({ subject: subjectOf(Number(_id)), before: { name, inn } })),
  );
}
