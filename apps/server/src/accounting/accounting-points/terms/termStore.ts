import type { AccountingPointId, CompanyId, UserId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { storableJson, type Db } from "#core";
import type { By, RegisterValues, Standard, TermKind } from "../records/index.ts";

/** What a term says: the column of its kind. */
export interface TermValue {
  readonly number?: number | string | null;
  readonly voltage_level_id?: number | null;
  readonly consumer_id?: number | null;
  readonly supplier_id?: number | null;
  readonly transformer_id?: number | null;
  readonly standard?: Standard | null;
}

export interface Term extends Required<TermValue> {
  readonly id: number;
  readonly point_id: AccountingPointId;
  readonly kind: TermKind;
  readonly from_ts: number;
  readonly to_ts: number | null;
  readonly reading: RegisterValues;
  readonly note: string;
  readonly user_id: UserId | null;
}

interface Of {
  readonly pointId: AccountingPointId;
  readonly kind?: TermKind;
}

/** Terms of a point, oldest first; of one kind, or all. Index point_term_of_point. */
export async function termsOf(db: Db, { pointId, kind }: Of): Promise<Term[]> {
  const { rows } = await sql<Term>`
    select id, point_id, kind, from_ts, to_ts, number::text as number, voltage_level_id, consumer_id, supplier_id,
      transformer_id, standard, reading, note, user_id
    from point_term where point_id = ${pointId}::int ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
    order by kind, from_ts`.execute(db);
  return rows;
}

/**
 * Points of a company with shares of losses in a month, in their zones. Rows: such terms of the company; by a scan of
 * point_term, at the closing of a month alone.
 */
export async function pointsWithLosses(
  db: Db,
  companyId: CompanyId,
  month: string,
): Promise<
  {
    readonly id: AccountingPointId;
    readonly zone: string;
    readonly losses: { readonly from: number; readonly to: number | null; readonly share: string }[];
  }[]
> {
  const first = sql`${`${month}-01`}::date`;
  const startOf = (day: RawBuilder<unknown>) =>
    sql`extract(epoch from ${day}::timestamp at time zone p.timezone)::bigint`;
  const { rows } = await sql<{
    id: AccountingPointId;
    zone: string;
    losses: { from: number; to: number | null; share: string }[];
  }>`
    select p.id, p.timezone as zone,
      json_agg(json_build_object('from', t.from_ts, 'to', t.to_ts, 'share', t.number::text) order by t.from_ts) as losses
    from point_term t join accounting_point p on p.id = t.point_id
    where t.company_id = ${companyId}::int and t.kind = 'loss'
      and t.from_ts < ${startOf(sql`(${first} + interval '1 month')`)}
      and (t.to_ts is null or t.to_ts > ${startOf(first)})
    group by p.id order by p.id`.execute(db);
  return rows;
}

const latest = sql`9223372036854775807::bigint`;

/**
 * Empties an interval of a kind: terms that reach into it keep what lies outside. Index point_term_of_point.
 */
export async function cutTerms(
  db: Db,
  { pointId, kind, from, to }: Of & { readonly from: number; readonly to: number | null },
): Promise<void> {
  await sql`
    with gone as (
      delete from point_term
      where point_id = ${pointId}::int and kind = ${kind} and from_ts < coalesce(${to}::bigint, ${latest})
        and coalesce(to_ts, ${latest}) > ${from}::bigint
      returning *
    )
    insert into point_term (point_id, company_id, kind, from_ts, to_ts, number, voltage_level_id, consumer_id,
      supplier_id, transformer_id, standard, reading, note, user_id, created_at)
    select g.point_id, g.company_id, g.kind, piece.a, piece.b, g.number, g.voltage_level_id, g.consumer_id,
      g.supplier_id, g.transformer_id, g.standard,
      case when piece.a = g.from_ts then g.reading else '{}' end, g.note, g.user_id, g.created_at
    from gone g cross join lateral (
      values (g.from_ts, ${from}::bigint), (${to}::bigint, g.to_ts)
    ) as piece (a, b)
    where piece.a is not null and (piece.b is null or piece.b > piece.a)`.execute(db);
}

export interface NewTerm extends TermValue {
  readonly pointId: AccountingPointId;
  readonly kind: TermKind;
  readonly from: number;
  readonly to: number | null;
  readonly reading: RegisterValues;
  readonly note: string;
}

/** Adds terms to intervals that hold none of their kind. */
export async function insertTerms(db: Db, scope: By, terms: readonly NewTerm[]): Promise<void> {
  if (terms.length === 0) return;
  const rows = terms.map(({ number = null, ...term }) => ({
    ...term,
    // A decimal stays as it is written.
    number: number === null ? null : String(number),
  }));
  await sql`
    insert into point_term (point_id, company_id, kind, from_ts, to_ts, number, voltage_level_id, consumer_id,
      supplier_id, transformer_id, standard, reading, note, user_id)
    select "pointId", ${scope.companyId}::int, kind, "from", "to", number::numeric, voltage_level_id, consumer_id,
      supplier_id, transformer_id, standard, reading, note, ${scope.userId}::int
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as t ("pointId" int, kind text, "from" bigint, "to" bigint,
      number text, voltage_level_id int, consumer_id int, supplier_id int, transformer_id int, standard jsonb,
      reading jsonb, note text)`.execute(db);
}
