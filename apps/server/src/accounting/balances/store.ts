import type { BalanceRole, LossRule } from "@metrum/contract/accounting";
import type { AccountingPointId, BalanceGroupId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, visibleBalanceGroups, type Db, type Scope } from "#core";

export interface Member {
  readonly point_id: AccountingPointId;
  readonly role: BalanceRole;
  /** Exact decimal. */
  readonly coefficient: string;
  readonly from_day: string | null;
  readonly to_day: string | null;
}

export interface NamedMember extends Member {
  readonly name: string;
  readonly timezone: string;
}

export interface GroupRow {
  readonly name: string;
  readonly resource_type_id: number;
  readonly allowed_imbalance: number;
  readonly loss_rule: LossRule;
  readonly loss_value: number | null;
  readonly comment: string;
}

export interface StoredGroup extends GroupRow {
  readonly id: BalanceGroupId;
  /** `loss_value` as an exact decimal. */
  readonly loss_text: string | null;
  readonly version: number;
  readonly members: readonly NamedMember[];
}

const shown = sql`g.id, g.name, g.resource_type_id, g.allowed_imbalance::float8 as allowed_imbalance, g.loss_rule,
  g.loss_value::float8 as loss_value, g.loss_value::text as loss_text, g.comment, g.version`;

type WithoutMembers = Omit<StoredGroup, "members">;

/**
 * The groups with their points, these by name. As rows: to make JSON of them and to read it took twice as long. Rows:
 * 1,000 a group at most; index: primary key of balance_group_point.
 */
async function withMembers(db: Db, groups: readonly WithoutMembers[]): Promise<StoredGroup[]> {
  const { rows } = await sql<NamedMember & { readonly group_id: BalanceGroupId }>`
    select m.group_id, m.point_id, m.role, m.coefficient::text as coefficient, m.from_day::text as from_day,
      m.to_day::text as to_day, p.name, p.timezone
    from balance_group_point m join accounting_point p on p.id = m.point_id
    where m.group_id = any(${groups.map(({ id }) => id)}::int[]) order by lower(p.name), p.id`.execute(db);
  const members = new Map(groups.map(({ id }) => [id, [] as NamedMember[]]));
  for (const { group_id, ...member } of rows) members.get(group_id)?.push(member);
  return groups.map((group) => ({ ...group, members: members.get(group.id) ?? [] }));
}

export interface GroupFilter {
  readonly text: string;
  readonly resourceTypeIds: readonly number[] | undefined;
}

function wanted(scope: Scope, { text, resourceTypeIds }: GroupFilter): RawBuilder<unknown> {
  return sql.join(
    [
      visibleBalanceGroups(scope),
      ...(text === "" ? [] : [sql`g.search like ${containing(text.toLowerCase())}`]),
      ...(resourceTypeIds === undefined
        ? []
        : [sql`g.resource_type_id = any(${[...resourceTypeIds]}::int[])`]),
    ],
    sql` and `,
  );
}

const sortedBy = {
  name: sql`lower(g.name)`,
  resource_type_id: sql`g.resource_type_id`,
  allowed_imbalance: sql`g.allowed_imbalance`,
  point_count: sql`(select count(*) from balance_group_point m where m.group_id = g.id)`,
} as const;

export interface GroupPage extends GroupFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortField: keyof typeof sortedBy;
  readonly isDescending: boolean;
}

/** One page, and the number of all. Rows: the groups of the company, 1,000 at most, by balance_group_name. */
export async function groupPage(
  db: Db,
  scope: Scope,
  of: GroupPage,
): Promise<{ rows: StoredGroup[]; total: number }> {
  const isWanted = wanted(scope, of);
  const order = sql`${sortedBy[of.sortField]} ${of.isDescending ? sql`desc` : sql`asc`}, lower(g.name), g.id`;
  const { rows } = await sql<WithoutMembers>`
    select ${shown} from balance_group g where ${isWanted}
    order by ${order} limit ${of.limit} offset ${of.offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from balance_group g where ${isWanted}`.execute(db);
  return { rows: await withMembers(db, rows), total: counted[0]?.total ?? 0 };
}

/**
 * Groups whose formula names a point on some days, by name. Rows: the groups of a point, by the primary key of
 * balance_group_point and balance_group_point_of. The id comes from a query on accounting_point.
 */
export async function groupsOfPoint(
  db: Db,
  scope: Scope,
  of: {
    readonly pointId: AccountingPointId;
    readonly fromDay: string;
    readonly toDay: string;
    readonly limit: number;
  },
): Promise<StoredGroup[]> {
  const { rows } = await sql<WithoutMembers>`
    select ${shown} from balance_group g where ${visibleBalanceGroups(scope)}
      and exists (select from balance_group_point m where m.group_id = g.id and m.point_id = ${of.pointId}::int
        and coalesce(m.from_day <= ${of.toDay}::date, true) and coalesce(m.to_day >= ${of.fromDay}::date, true))
    order by lower(g.name), g.id limit ${of.limit}`.execute(db);
  return withMembers(db, rows);
}

/** One group with its points, by primary key. The id must come from `resolve`. */
export async function groupById(db: Db, id: BalanceGroupId): Promise<StoredGroup | undefined> {
  const { rows } = await sql<WithoutMembers>`
    select ${shown} from balance_group g where g.id = ${id}`.execute(db);
  const [group] = await withMembers(db, rows);
  return group;
}

/**
 * Locks a group before a change, so that two changes do not mix. One row by primary key. The id must come from
 * `resolve`.
 */
export async function lockGroup(db: Db, id: BalanceGroupId): Promise<void> {
  await sql`select from balance_group where id = ${id} for update`.execute(db);
}

/** Groups of a company and points in them all. Rows: those of the company by balance_group_name. */
export async function countsOf(db: Db, companyId: number): Promise<{ groups: number; members: number }> {
  const { rows } = await sql<{ groups: number; members: number }>`
    select count(distinct g.id)::int as groups, count(m.point_id)::int as members
    from balance_group g left join balance_group_point m on m.group_id = g.id
    where g.company_id = ${companyId}::int`.execute(db);
  return rows[0] ?? { groups: 0, members: 0 };
}

/** Resource and zone of points. Primary keys. The ids must come from `resolve`. */
export async function pointKinds(
  db: Db,
  ids: readonly AccountingPointId[],
): Promise<Map<AccountingPointId, { resource_type_id: number; timezone: string }>> {
  const { rows } = await sql<{ id: AccountingPointId; resource_type_id: number; timezone: string }>`
    select id, resource_type_id, timezone from accounting_point where id = any(${[...ids]}::int[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...kind }) => [id, kind]));
}

/** Throws on a name that another group of the company has: a violation of balance_group_name. */
export async function insertGroup(db: Db, companyId: number, row: GroupRow): Promise<BalanceGroupId> {
  const { rows } = await sql<{ id: BalanceGroupId }>`
    insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule, loss_value, comment)
    values (${companyId}, ${row.name}, ${row.resource_type_id}, ${row.allowed_imbalance}, ${row.loss_rule},
      ${row.loss_value}, ${row.comment}) returning id`.execute(db);
  const [made] = rows;
  if (!made) throw new Error("no balance group");
  return made.id;
}

/** The same for a change. */
export async function updateGroup(db: Db, id: BalanceGroupId, row: GroupRow): Promise<void> {
  await sql`
    update balance_group set name = ${row.name}, resource_type_id = ${row.resource_type_id},
      allowed_imbalance = ${row.allowed_imbalance}, loss_rule = ${row.loss_rule}, loss_value = ${row.loss_value},
      comment = ${row.comment}, version = version + 1
    where id = ${id}`.execute(db);
}

/** Replaces the formula of a group. */
export async function putMembers(
  db: Db,
  { id, companyId }: { readonly id: BalanceGroupId; readonly companyId: number },
  members: readonly Member[],
): Promise<void> {
  await sql`delete from balance_group_point where group_id = ${id}`.execute(db);
  if (members.length === 0) return;
  const column = <Of>(of: (member: Member) => Of): Of[] => members.map(of);
  await sql`
    insert into balance_group_point (group_id, company_id, point_id, role, coefficient, from_day, to_day)
    select ${id}, ${companyId}, m.* from unnest(${column((m) => m.point_id)}::int[], ${column((m) => m.role)}::text[],
      ${column((m) => m.coefficient)}::numeric[], ${column((m) => m.from_day)}::date[],
      ${column((m) => m.to_day)}::date[]) as m`.execute(db);
}

export async function deleteGroup(db: Db, id: BalanceGroupId): Promise<void> {
  await sql`delete from balance_group where id = ${id}`.execute(db);
}
