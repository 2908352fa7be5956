import { balanceLimits, type balances, type BalanceGroup } from "@metrum/contract/accounting";
import { problem, pageSize, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { AccountingPointId, BalanceGroupId } from "@metrum/vocabulary";
import { isUniqueViolation, lockTree, record, resolve, resolveOne, type Ctx } from "#core";
import { mergedFormula, refuseIncomplete } from "./formula.ts";
import { inputsOf, lastMonth } from "./load.ts";
import * as store from "./store.ts";
import { listedGroup, shownGroup } from "./view.ts";

const usualPage = 10;
const largestPage = 100;
const usualAllowed = 5;

type Created = ParsedOf<typeof balances.create>["body"];
type Changed = ParsedOf<typeof balances.update>["body"];
type Listed = ReplyOf<typeof balances.list>["balance_groups"];

/** Groups with the balance of the last full month: one query of days for the whole page. */
export async function groupList(ctx: Ctx, body: ParsedOf<typeof balances.list>["body"]): Promise<Listed> {
  const { db, scope, session, clock } = ctx;
  const isWhole = body.paginate === false;
  const per_page = isWhole ? balanceLimits.groups : pageSize(body.per_page ?? usualPage, largestPage);
  const current_page = isWhole ? 1 : (body.page ?? 1);
  const { rows, total } = await store.groupPage(db, scope, {
    text: body.search_string ?? "",
    resourceTypeIds: body.resource_type_id,
    limit: per_page,
    offset: (current_page - 1) * per_page,
    sortField: body.sort_field ?? "name",
    isDescending: body.sort === "desc",
  });
  const inputs = await inputsOf(ctx, rows, lastMonth(session.companyTimeZone, clock.now()));
  const data = [...inputs].map(([group, input]) => listedGroup(group, input, ctx));
  return { data, current_page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page, total };
}

/** A group that the session sees. Problem: not_found. */
export async function storedGroup(ctx: Ctx, id: number): Promise<store.StoredGroup> {
  const group = await store.groupById(ctx.db, await resolveOne(ctx, "balanceGroup", id));
  if (!group) throw problem("not_found");
  return group;
}

export async function openGroup(ctx: Ctx, id: number): Promise<BalanceGroup> {
  const group = await storedGroup(ctx, id);
  return {
    ...shownGroup(group, ctx),
    points: group.members.map(({ point_id, role, name, coefficient, from_day, to_day }) => ({
      ...{ point_id, role, name, from_day, to_day },
      coefficient: Number(coefficient),
    })),
  };
}

/** Problems: balance_group_limit, balance_member_limit, not_found, wrong_input with the fields. */
export async function createGroup(ctx: Ctx, body: Created): Promise<BalanceGroup> {
  const { db, scope } = ctx;
  // A point of the formula is not deleted meanwhile.
  await lockTree(db, scope);
  const members = mergedFormula([], body);
  await resolve(ctx, "accountingPoint", idsOf(members));
  refuseIncomplete(members);
  const counts = await store.countsOf(db, scope.companyId);
  if (counts.groups >= balanceLimits.groups)
    throw problem("balance_group_limit", { params: { max: balanceLimits.groups } });
  refuseMany(counts.members + members.length);
  const row = rowOf(undefined, body, await checkedResource(ctx, members, body.resource_type_id));
  const id = await store.insertGroup(db, scope.companyId, row).catch(nameTaken);
  await store.putMembers(db, { id, companyId: scope.companyId }, members);
  await record(ctx, {
    action: "balance.create",
    subject: `balance group ${String(id)}`,
    after: { ...row, points: shortly(members) },
  });
  return openGroup(ctx, id);
}

/** Problems: conflict, balance_member_limit, not_found, wrong_input with the fields. */
export async function changeGroup(ctx: Ctx, groupId: number, body: Changed): Promise<BalanceGroup> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const id = await resolveOne(ctx, "balanceGroup", groupId);
  await store.lockGroup(db, id);
  const before = await storedGroup(ctx, id);
  if (body.version !== undefined && body.version !== before.version) throw problem("conflict");
  const members = mergedFormula(before.members, body);
  await resolve(ctx, "accountingPoint", idsOf(members));
  refuseIncomplete(members);
  const counts = await store.countsOf(db, scope.companyId);
  refuseMany(counts.members - before.members.length + members.length);
  const row = rowOf(before, body, await checkedResource(ctx, members, body.resource_type_id));
  await store.updateGroup(db, id, row).catch(nameTaken);
  await store.putMembers(db, { id, companyId: scope.companyId }, members);
  await record(ctx, {
    action: "balance.update",
    subject: `balance group ${String(id)}`,
    before: { ...rowOf(before, {}, before.resource_type_id), points: shortly(before.members) },
    after: { ...row, points: shortly(members) },
  });
  return openGroup(ctx, id);
}

/** Its points stay. Problem: not_found. */
export async function removeGroup(ctx: Ctx, id: number): Promise<void> {
  const before = await storedGroup(ctx, id);
  await store.deleteGroup(ctx.db, before.id);
  await record(ctx, {
    action: "balance.delete",
    subject: `balance group ${String(id)}`,
    before: { ...rowOf(before, {}, before.resource_type_id), points: shortly(before.members) },
  });
}

export type NewBalanceGroup = store.GroupRow & { readonly members: readonly store.Member[] };

/** Stores a group without a session: for the demonstration. Its points are of the company. */
export async function addBalanceGroup(
  { db, companyId }: { readonly db: Ctx["db"]; readonly companyId: number },
  { members, ...row }: NewBalanceGroup,
): Promise<BalanceGroupId> {
  const id = await store.insertGroup(db, companyId, row);
  await store.putMembers(db, { id, companyId }, members);
  return id;
}

const idsOf = (members: readonly store.Member[]): AccountingPointId[] => [
  ...new Set(members.map(({ point_id }) => point_id)),
];

const mostLogged = 200;

/** The formula as the audit log keeps it: "in 12", "out 14 x -1". */
const shortly = (members: readonly store.Member[]): string[] =>
  members
    .slice(0, mostLogged)
    .map(({ role, point_id, coefficient }) =>
      Number(coefficient) === 1
        ? `${role} ${String(point_id)}`
        : `${role} ${String(point_id)} x ${coefficient}`,
    );

function refuseMany(count: number): void {
  const { members: max } = balanceLimits;
  if (count > max) throw problem("balance_member_limit", { params: { max } });
}

/** All points have one resource and one zone. Problem: wrong_input with the field. */
async function checkedResource(
  { db }: Ctx,
  members: readonly store.Member[],
  given: number | undefined,
): Promise<number> {
  const kinds = [...(await store.pointKinds(db, idsOf(members))).values()];
  const resource = given ?? kinds[0]?.resource_type_id ?? 0;
  if (kinds.some(({ resource_type_id }) => resource_type_id !== resource))
    throw problem("wrong_input", { attributes: { points: ["other_resource"] } });
  if (new Set(kinds.map(({ timezone }) => timezone)).size > 1)
    throw problem("wrong_input", { attributes: { points: ["other_zone"] } });
  return resource;
}

const fresh: Omit<store.GroupRow, "resource_type_id"> = {
  name: "",
  allowed_imbalance: usualAllowed,
  loss_rule: "none",
  loss_value: null,
  comment: "",
};

/** The stored fields after a change. Problem: wrong_input for a rule without its value. */
function rowOf(
  before: store.GroupRow | undefined,
  body: Partial<Changed>,
  resource_type_id: number,
): store.GroupRow {
  const kept = before ?? fresh;
  const loss_rule = body.loss_rule ?? kept.loss_rule;
  const loss_value = body.loss_value === undefined ? kept.loss_value : body.loss_value;
  return {
    name: body.name ?? kept.name,
    resource_type_id,
    allowed_imbalance: body.allowed_imbalance ?? kept.allowed_imbalance,
    loss_rule,
    loss_value: valueOf(loss_rule, loss_value),
    comment: body.comment ?? kept.comment,
  };
}

/** The value that a rule of losses needs; null for one without. Problem: wrong_input. */
function valueOf(rule: store.GroupRow["loss_rule"], value: number | null): number | null {
  if (rule !== "percent" && rule !== "fixed") return null;
  if (value === null) throw problem("wrong_input", { attributes: { loss_value: ["required"] } });
  if (rule === "percent" && value > 100)
    throw problem("wrong_input", { attributes: { loss_value: ["range"] } });
  return value;
}

function nameTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw problem("wrong_input", { attributes: { name: ["taken"] } });
  throw error;
}
