import { problem, type ParsedOf, type Supplier, type suppliers } from "@metrum/contract";
import type { SupplierId } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import { differing } from "./differing.ts";
import { directoryPage, lockParty, refuseNew, refuseUsed } from "./pages.ts";
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

/** Problems: tied_devices_only, party_limit. */
export async function addSupplier(
  ctx: Ctx,
  { name, ...fields }: ParsedOf<typeof suppliers.create>["body"],
): Promise<Supplier> {
  await refuseNew(ctx, "supplier");
  const row = { name, ...differing({}, fields).after };
  const id = await store.insertSupplier(ctx.db, ctx.scope, row);
  await record(ctx, { action: "supplier.create", subject: subjectOf(id), after: row });
  return shown(ctx, id);
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

/** Problems: not_found, tied_devices_only, party_in_use. */
export async function removeSupplier(ctx: Ctx, given: number): Promise<void> {
  const id = await lockParty(ctx, "supplier", given);
  await refuseUsed(ctx, "supplier", id);
  const { name, inn } = await shown(ctx, id);
  await store.deleteSupplier(ctx.db, ctx.scope, id);
  await record(ctx, { action: "supplier.delete", subject: subjectOf(id), before: { name, inn } });
}
