import type { CompanyInTree, companies } from "@metrum/contract/access";
import { pageSize, problem, type ParsedOf } from "@metrum/contract/core";
import type { Ctx } from "#core";
import { below, inBranch, shown } from "./companies.ts";
import { countsOf, type CompanyCounts } from "./countStore.ts";
import { noteChange } from "./note.ts";
import * as pages from "./pageStore.ts";
import * as store from "./store.ts";

/** Maximum rows of an unpaged answer. */
const largestPage = 10_000;

/**
 * A page of the branch, or of the companies directly below one. Deleted ones are shown to provider staff
 * only.
 */
export async function listCompanies(ctx: Ctx, body: ParsedOf<typeof companies.list>["body"]) {
  const { db, scope } = ctx;
  const { is_platform } = scope.access;
  if (body.state === "deleted" && !is_platform) throw problem("right_missing");
  const limit = body.paginate === false ? largestPage : pageSize(body.per_page ?? 10);
  const current = body.paginate === false ? 1 : (body.page ?? 1);
  const now = ctx.clock.now();
  const parentId = body.parent_id === undefined ? undefined : (await inBranch(ctx, body.parent_id)).id;
  const query = {
    sort_field: body.sort_field ?? "name",
    sort: body.sort ?? "asc",
    search: body.search_string ?? "",
    parentId,
    state: body.state,
    now,
    limit,
    offset: (current - 1) * limit,
  } as const;
  const { rows, total } = await pages.page(db, scope, query);
  const above =
    parentId === undefined
      ? []
      : (await pages.page(db, scope, { ...query, ...onlyThis, id: parentId, parentId: undefined })).rows;
  const [parent = null] = await inTree(ctx, above);
  const states = await pages.countStates(db, scope, now);
  const last_page = Math.max(1, Math.ceil(total / limit));
  return {
    companies: { data: await inTree(ctx, rows), current_page: current, last_page, per_page: limit, total },
    parent,
    states: is_platform ? states : { ...states, deleted: 0 },
  };
}

const onlyThis = { search: "", state: undefined, limit: 1, offset: 0 } as const;

async function inTree(ctx: Ctx, rows: readonly pages.ListedRow[]): Promise<CompanyInTree[]> {
  const counts = await countsBelow(ctx, rows);
  return rows.map((row) => ({
    ...shown(row, ctx),
    depth: row.depth,
    children_count: row.children_count,
    device_count: counts.get(row.path)?.devices ?? 0,
    user_count: counts.get(row.path)?.users ?? 0,
    last_sign_in_at: counts.get(row.path)?.lastSignInAt ?? null,
    deleted_at: row.deleted_at ? Math.floor(row.deleted_at.getTime() / 1000) : null,
  }));
}

/** Counts of each company and all below it, by path. The ids come from a query under row-level security. */
async function countsBelow(
  ctx: Ctx,
  rows: readonly pages.ListedRow[],
): Promise<ReadonlyMap<string, CompanyCounts>> {
  const found = await store.idsBelow(
    ctx.db,
    rows.map(({ path }) => path),
  );
  const counts = await countsOf(
    ctx.database.system,
    found.map(({ id }) => id),
  );
  const none: CompanyCounts = { devices: 0, users: 0, lastSignInAt: null };
  const sums = new Map(rows.map(({ path }) => [path, none]));
  for (const { id, path } of found)
    for (const above of pathsUpTo(path)) {
      const sum = sums.get(above);
      if (sum) sums.set(above, added(sum, counts.get(id) ?? none));
    }
  return sums;
}

function added(one: CompanyCounts, other: CompanyCounts): CompanyCounts {
  const last = Math.max(one.lastSignInAt ?? 0, other.lastSignInAt ?? 0);
  return {
    devices: one.devices + other.devices,
    users: one.users + other.users,
    lastSignInAt: last === 0 ? null : last,
  };
}

/** "51.2.7" gives "51", "51.2", "51.2.7". */
function pathsUpTo(path: string): string[] {
  const labels = path.split(".");
  return labels.map((_, at) => labels.slice(0, at + 1).join("."));
}

/**
 * Closes a company and hides it. Its rows stay, because bills are based on its readings and must be
 * verifiable for years; provider staff can restore it completely. Throws companies_below while a company
 * exists under it.
 */
export async function deleteBelow(ctx: Ctx, id: number): Promise<void> {
  const row = await below(ctx, id);
  if (await store.hasCompaniesBelow(ctx.db, row.id)) throw problem("companies_below");
  await store.update(ctx.db, ctx.scope, row.id, {
    is_active: false,
    deleted_at: new Date(ctx.clock.nowMs()),
  });
  await noteChange(ctx, {
    action: "company.delete",
    id: row.id,
    before: { name: row.name, is_active: row.is_active },
  });
}

/**
 * Restores a deleted company and switches it on. Throws not_found, companies_above while its parent is
 * deleted.
 */
export async function restoreDeleted(ctx: Ctx, id: number): Promise<store.CompanyRow> {
  const { db, scope } = ctx;
  const row = await store.deletedCompany(db, scope, id);
  if (!row) throw problem("not_found");
  if (row.parent_id !== null && !(await store.company(db, scope, row.parent_id)))
    throw problem("companies_above");
  const restored = await store.update(db, scope, row.id, { is_active: true, deleted_at: null });
  await noteChange(ctx, { action: "company.restore", id: row.id, after: { name: row.name } });
  return restored;
}

/**
 * Moves a company with all below it to another dealer. Modules that the new dealer does not have are removed.
 */
export async function moveBelow(ctx: Ctx, id: number, parentId: number): Promise<store.CompanyRow> {
  const row = await below(ctx, id);
  const parent = await inBranch(ctx, parentId);
  if (!parent.is_dealer) throw problem("not_a_dealer");
  if (isWithin(parent.path, row.path)) throw problem("own_branch");
  await store.move(ctx.db, row, parent);
  await store.cutModulesBelow(ctx.db, parent);
  await noteChange(ctx, {
    action: "company.move",
    id: row.id,
    before: { parent_id: row.parent_id },
    after: { parent_id: parent.id },
  });
  return inBranch(ctx, row.id);
}

function isWithin(path: string, of: string): boolean {
  return path === of || path.startsWith(`${of}.`);
}
