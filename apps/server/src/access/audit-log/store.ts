import { sql, type Selectable } from "kysely";
import type { Db, Scope } from "#core";
import type { AuditTable } from "./tables.ts";

export type AuditRow = Selectable<AuditTable>;

export interface LogPage {
  readonly action: string | undefined;
  readonly userId: number | undefined;
  /** Object of the actions, as it is recorded: "device 7". */
  readonly subject?: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * A page of the log, newest first. Index: the primary key (company_id, at, id), read backwards; of one object
 * audit_by_subject.
 */
export async function page(
  db: Db,
  scope: Scope,
  asked: LogPage,
): Promise<{ rows: AuditRow[]; total: number }> {
  let query = db.selectFrom("audit").where("company_id", "=", scope.companyId);
  if (asked.subject !== undefined) query = query.where("subject", "=", asked.subject);
  if (asked.action !== undefined) query = query.where("action", "=", asked.action);
  if (asked.userId !== undefined) {
    const { userId } = asked;
    query = query.where(sql<boolean>`${userId}::int in (user_id, impersonator_id)`);
  }
  if (asked.from !== undefined) query = query.where("at", ">=", new Date(asked.from * 1000));
  if (asked.to !== undefined) query = query.where("at", "<", new Date((asked.to + 1) * 1000));
  const rows = await query
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  const { total } = await query
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/**
 * Values offered by a filter of the log: the actions and the people that occur in it. One pass over the
 * company's rows.
 */
export async function occurring(
  db: Db,
  scope: Scope,
): Promise<{ readonly actions: readonly string[]; readonly users: readonly number[] }> {
  const { rows } = await sql<{ actions: string[] | null; users: number[] | null }>`
    select array_agg(distinct action) as actions,
      array_agg(distinct user_id) filter (where user_id is not null) as users
    from audit where company_id = ${scope.companyId}::int
  `.execute(db);
  return { actions: rows[0]?.actions ?? [], users: rows[0]?.users ?? [] };
}

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly company_id: number;
  readonly company: string;
}

/**
 * Names of the people in the log, deleted accounts included. Some belong to the company above or to the
 * provider, which the session does not see; their ids come from rows of its own log.
 */
export async function people(system: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Person>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Person>`
    select u.id, u.name, u.company_id, c.name as company
    from (
      select id, name, company_id from users where id = any(${ids}::int[])
      union all
      select id, name, company_id from departed_user where id = any(${ids}::int[])
    ) u join company c on c.id = u.company_id
  `.execute(system);
  return new Map(rows.map((row) => [row.id, row]));
}
