import { holdsAll, type AccessRules, type GrantedRules, type ListedGroup } from "@metrum/contract/access";
import { pageSize, problem } from "@metrum/contract/core";
import { accessActions } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import * as store from "./groupStore.ts";

/** Maximum groups of an unpaged answer. */
const largestPage = 10_000;

interface Asked {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly paginate?: boolean | undefined;
  readonly sort?: "asc" | "desc" | undefined;
  readonly sort_field?: store.GroupListing["sort_field"] | undefined;
  readonly search_string?: string | undefined;
}

export async function groupPage(
  ctx: Ctx,
  asked: Asked,
): Promise<{ access_groups: ListedGroup[]; total: number }> {
  const limit = asked.paginate === false ? largestPage : pageSize(asked.per_page ?? 10);
  const page = asked.paginate === false ? 1 : (asked.page ?? 1);
  const { rows, total } = await store.list(ctx.db, ctx.scope, {
    sort_field: asked.sort_field ?? "name",
    sort: asked.sort ?? "asc",
    search: asked.search_string ?? "",
    limit,
    offset: (page - 1) * limit,
  });
  return { access_groups: rows.map((row) => shownGroup(row, row.users_count)), total };
}

export async function createGroup(
  ctx: Ctx,
  given: { readonly name: string; readonly access_rules: GrantedRules },
): Promise<ListedGroup> {
  const access_rules = wholeRules(given.access_rules);
  if (!holdsAll(ctx.scope.access, access_rules)) throw problem("right_not_held");
  const row = await named(() =>
    store.create(ctx.db, { company_id: ctx.scope.companyId, name: given.name, access_rules }),
  );
  await note(ctx, "accessGroup.create", { id: row.id, after: { name: row.name, access_rules } });
  return shownGroup(row, 0);
}

/** A user may add only rights they hold, but remove any. */
export async function updateGroup(
  ctx: Ctx,
  id: number,
  given: {
    readonly name?: string | undefined;
    readonly access_rules?: GrantedRules | undefined;
    readonly version?: number | undefined;
  },
): Promise<ListedGroup> {
  const before = await found(ctx, id);
  if (given.version !== undefined && given.version !== before.version) throw problem("conflict");
  const access_rules = wholeRules(given.access_rules ?? before.access_rules);
  if (!holdsAll(ctx.scope.access, added(access_rules, before.access_rules))) throw problem("right_not_held");
  const name = given.name ?? before.name;
  const row = await named(() => store.update(ctx.db, ctx.scope, { id: before.id, name, access_rules }));
  await note(ctx, "accessGroup.update", {
    id: row.id,
    before: { name: before.name, access_rules: before.access_rules },
    after: { name, access_rules },
  });
  return shownGroup(row, before.users_count);
}

export async function deleteGroup(ctx: Ctx, id: number): Promise<void> {
  const before = await found(ctx, id);
  const count = await store.countUsers(ctx.db, ctx.scope, before.id);
  if (count > 0) throw problem("group_in_use", { params: { count } });
  await store.remove(ctx.db, ctx.scope, before.id);
  await note(ctx, "accessGroup.delete", {
    id: before.id,
    before: { name: before.name, access_rules: before.access_rules },
  });
}

async function found(ctx: Ctx, id: number): Promise<store.CountedGroup> {
  const row = await store.lock(ctx.db, ctx.scope, {
    id: await resolveOne(ctx, "accessGroup", id),
    to: "change",
  });
  if (!row) throw problem("not_found");
  return row;
}

/** Normal form: every action named, every module once, sorted; equal rights are equal records. */
export function wholeRules(given: Partial<GrantedRules>): AccessRules {
  const of = (ids: readonly number[] = []): number[] => [...new Set(ids)].toSorted((a, b) => a - b);
  return {
    create: of(given.create),
    read: of(given.read),
    update: of(given.update),
    delete: of(given.delete),
    access_all: of(given.access_all),
  };
}

function added(rules: AccessRules, before: Partial<AccessRules>): Partial<AccessRules> {
  return Object.fromEntries(
    accessActions.map((action) => [action, rules[action].filter((id) => !before[action]?.includes(id))]),
  );
}

async function named<Result>(run: () => Promise<Result>): Promise<Result> {
  return run().catch((error: unknown) => {
    if (store.isNameTaken(error)) throw problem("name_taken", { attributes: { name: ["name_taken"] } });
    throw error;
  });
}

function shownGroup(row: store.GroupRow, users_count: number): ListedGroup {
  const { id, name, version } = row;
  return { id, name, version, users_count, access_rules: wholeRules(row.access_rules) };
}

/** The notification does not name the users of a group: all sessions of the company are reloaded. */
async function note(
  ctx: Ctx,
  action: "accessGroup.create" | "accessGroup.update" | "accessGroup.delete",
  { id, before, after }: { readonly id: number; readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `company:${String(ctx.scope.companyId)}`));
  await record(ctx, { action, subject: `access_group ${String(id)}`, before, after });
}
