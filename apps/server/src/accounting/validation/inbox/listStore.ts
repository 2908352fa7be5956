import type { ValidationKind, ValidationOutcome } from "@metrum/contract/accounting";
import type { AccountingPointId, CompanyId, DeviceId, FieldName, ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, inBranches, tiedDevices, type Db, type Scope } from "#core";
import type { Evidence, Numbers } from "../judged/index.ts";
import type { BeforeValue, ExceptionId, StepAction } from "../tables.ts";

export interface ExceptionFilter {
  readonly search_string?: string | undefined;
  readonly startDate?: number | undefined;
  readonly stopDate?: number | undefined;
  /** `2026-10`, in the zone of the point of an exception; one without a point is in no month. */
  readonly month?: string | undefined;
  readonly state?: "open" | "closed" | undefined;
  readonly kind?: ValidationKind | undefined;
  readonly object_ids?: readonly ObjectId[] | undefined;
}

export interface ExceptionRow {
  readonly id: ExceptionId;
  readonly company_id: CompanyId;
  readonly kind: ValidationKind;
  readonly device_id: DeviceId;
  readonly device_name: string;
  readonly deviceID: string;
  readonly model_title: string;
  readonly zone: string;
  readonly device_group_id: number;
  readonly point_id: AccountingPointId | null;
  readonly point_name: string | null;
  readonly place: string;
  readonly field: FieldName;
  readonly msg_type: number;
  readonly from_ts: number;
  readonly to_ts: number;
  readonly values_n: number;
  readonly code: string;
  readonly evidence: Evidence;
  readonly numbers: Numbers;
  readonly found_at: number;
  readonly outcome: ValidationOutcome | null;
  readonly reason: string | null;
  readonly closed_at: number | null;
  readonly closed_by: string | null;
  readonly before: readonly BeforeValue[] | null;
  readonly comments: number;
}

/** Exceptions that the session may see: those of its devices that are not in the trash. */
const visible = (scope: Scope): RawBuilder<unknown> => sql`e.company_id = ${scope.companyId}::int
  and d.deleted_at is null and ${tiedDevices(scope, sql`e.device_id`)}`;

function wanted(scope: Scope, filter: ExceptionFilter): RawBuilder<unknown> {
  const { search_string: text = "", startDate, stopDate, month, state = "open", kind, object_ids } = filter;
  const conditions = [
    visible(scope),
    state === "open" ? sql`e.outcome is null` : sql`e.outcome is not null`,
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}`]),
    ...(startDate === undefined ? [] : [sql`e.to_ts >= ${startDate}::bigint`]),
    ...(stopDate === undefined ? [] : [sql`e.from_ts <= ${stopDate}::bigint`]),
    ...(month === undefined ? [] : [overlapsMonth(`${month}-01`)]),
    ...(object_ids === undefined || object_ids.length === 0
      ? []
      : [sql`e.device_id in (${inBranches("device", sql`${[...object_ids]}::int[]`)})`]),
    ...(text === ""
      ? []
      : [
          sql`(d.name ilike ${containing(text)} or d."deviceID" ilike ${containing(text)} or p.name ilike ${containing(text)})`,
        ]),
  ];
  return sql.join(conditions, sql` and `);
}

/** A value at midnight ends one month and begins the next. */
const overlapsMonth = (first: string): RawBuilder<unknown> => sql`
  e.to_ts >= extract(epoch from ${first}::timestamp at time zone p.timezone)::bigint
  and e.from_ts <= extract(epoch from (${first}::timestamp + interval '1 month') at time zone p.timezone)::bigint`;

const tables = sql`validation_exception e join device d on d.id = e.device_id
  left join accounting_point p on p.id = e.point_id`;

/** One place of a device in words: the node it stands at. */
const place = sql`coalesce((select n.name from object_item i join object_node n on n.id = i.object_id where i.device_id = d.id), '')`;

const columns = sql`e.id, e.company_id, e.kind, e.device_id, d.name as device_name, d."deviceID", d.model_title,
  coalesce(d.timezone, (select timezone from company where id = e.company_id)) as zone, d.device_group_id,
  e.point_id, p.name as point_name, ${place} as place, e.field, e.msg_type, e.from_ts, e.to_ts, e.values_n, e.code,
  e.evidence, e.numbers, e.found_at, e.outcome, e.reason, e.closed_at,
  (select u.name from users u where u.id = e.closed_by) as closed_by, e.before, e.comments`;

/**
 * A page of exceptions. Rows: the open ones of a company, at most 2,000 a rule, by validation_exception_open;
 * the closed ones of two years by validation_exception_closed.
 */
export async function exceptionPage(
  db: Db,
  scope: Scope,
  of: ExceptionFilter & { readonly sort: "asc" | "desc"; readonly limit: number; readonly offset: number },
): Promise<{ rows: ExceptionRow[]; total: number }> {
  const isWanted = wanted(scope, of);
  const order = of.sort === "asc" ? sql`e.found_at, e.id` : sql`e.found_at desc, e.id desc`;
  const { rows } = await sql<ExceptionRow>`
    select ${columns} from ${tables} where ${isWanted} order by ${order} limit ${of.limit} offset ${of.offset}`.execute(
    db,
  );
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from ${tables} where ${isWanted}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Number of exceptions by rule. Rows: as for a page. */
export async function countsByKind(
  db: Db,
  scope: Scope,
  filter: ExceptionFilter,
): Promise<{ kind: ValidationKind; count: number }[]> {
  const { rows } = await sql<{ kind: ValidationKind; count: number }>`
    select e.kind, count(*)::int as count from ${tables} where ${wanted(scope, filter)} group by e.kind`.execute(
    db,
  );
  return rows;
}

/** Number of open exceptions of the points of a month. Rows: as for a page. */
export async function openInMonth(db: Db, scope: Scope, month: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${tables} where ${wanted(scope, { month })}`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface Totals {
  readonly open: number;
  readonly closed_today: number;
  readonly oldest_at: number | null;
}

/** Totals without a filter. Index: validation_exception_open, validation_exception_closed. */
export async function totals(db: Db, scope: Scope, today: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select count(*) filter (where e.outcome is null)::int as open,
      count(*) filter (where e.closed_at >= ${today}::bigint)::int as closed_today,
      min(e.found_at) filter (where e.outcome is null) as oldest_at
    from ${tables} where ${visible(scope)} and (e.outcome is null or e.closed_at >= ${today}::bigint)`.execute(
    db,
  );
  return rows[0] ?? { open: 0, closed_today: 0, oldest_at: null };
}

/** Findings that were only counted, by rule; nothing for a tied user, to whom they may not belong. */
export async function notKept(db: Db, scope: Scope): Promise<ReadonlyMap<string, number>> {
  if (scope.onlyTiedDevices) return new Map();
  const { rows } = await sql<{ kind: string; not_kept: number }>`
    select kind, not_kept from validation_overflow where company_id = ${scope.companyId}::int`.execute(db);
  return new Map(rows.map((row) => [row.kind, row.not_kept]));
}

/** Exceptions by id, in order of id; ids came through `resolve`. `isLocked`: until the end of the transaction. */
export async function exceptionsById(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  isLocked = false,
): Promise<ExceptionRow[]> {
  const { rows } = await sql<ExceptionRow>`
    select ${columns} from ${tables} where e.id = any(${[...ids]}::int[]) and ${visible(scope)} order by e.id
    ${isLocked ? sql`for update of e` : sql``}`.execute(db);
  return rows;
}

/** Ids of open exceptions that match a filter, the oldest first, and how many there are. */
export async function openIds(
  db: Db,
  scope: Scope,
  filter: ExceptionFilter,
  limit: number,
): Promise<{ ids: ExceptionId[]; total: number }> {
  const { rows } = await sql<{ id: ExceptionId; total: number }>`
    select e.id, count(*) over ()::int as total from ${tables} where ${wanted(scope, { ...filter, state: "open" })}
    order by e.found_at, e.id limit ${limit}`.execute(db);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

export interface ShownStep {
  readonly at: number;
  readonly by: string | null;
  readonly action: StepAction;
  readonly text: string;
}

/** What was done with an exception, oldest first. Rows: at most 100. */
export async function stepsOf(db: Db, id: ExceptionId): Promise<ShownStep[]> {
  const { rows } = await sql<ShownStep>`
    select s.at, u.name as by, s.action, s.text from validation_step s left join users u on u.id = s.user_id
    where s.exception_id = ${id}::int order by s.id limit 200`.execute(db);
  return rows;
}

/** Findings of the same rule at the same register in 30 days before one, itself included. */
export async function timesIn30Days(
  db: Db,
  row: Pick<ExceptionRow, "device_id" | "kind" | "field" | "from_ts">,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from validation_exception where device_id = ${row.device_id}::int and kind = ${row.kind}
      and field = ${row.field} and from_ts > ${row.from_ts - 30 * 86_400}::bigint and from_ts <= ${row.from_ts}::bigint`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** The consumer of a point at an instant. Index: exclusion constraint of point_term. */
export async function consumerAt(
  db: Db,
  pointId: AccountingPointId,
  at: number,
): Promise<{ id: number; name: string } | null> {
  const { rows } = await sql<{ id: number; name: string }>`
    select c.id, c.name from point_term t join consumer c on c.id = t.consumer_id
    where t.point_id = ${pointId}::int and t.kind = 'consumer' and t.from_ts <= ${at}::bigint
      and (t.to_ts is null or t.to_ts > ${at}::bigint)`.execute(db);
  return rows[0] ?? null;
}
