import type { PointState } from "@metrum/contract/accounting";
import type { AccountingPointId, DeviceId, FieldName, ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import {
  containing,
  foundPage,
  tiedObjects,
  visiblePoints,
  type Db,
  type FoundBy,
  type FoundPage,
  type Scope,
} from "#core";
import type { Standard } from "./tables.ts";

/** Conditions of a list of points; ids have come through `resolve`, or match nothing of another company. */
export interface PointFilter {
  readonly ids?: readonly number[] | undefined;
  readonly search_string?: string | undefined;
  readonly resource_type_id?: number | readonly number[] | undefined;
  readonly state?: readonly PointState[] | undefined;
  readonly consumer_id?: number | null | undefined;
  readonly supplier_id?: number | null | undefined;
  /** Points that one of these devices measures now. */
  readonly measured_by?: readonly number[] | undefined;
  /** Points of these nodes. */
  readonly at?: readonly number[] | undefined;
  /** Points of these nodes and of all below. */
  readonly below?: readonly number[] | undefined;
}

export interface PointPage {
  readonly filter: PointFilter;
  readonly sort_field: SortField;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
}

const keys = {
  id: sql`p.id`,
  name: sql`lower(p.name)`,
  title: sql`lower(p.name)`,
  address: sql`lower(p.city || ' ' || p.street || ' ' || p.house || ' ' || p.inner_object)`,
  resource_type_id: sql`p.resource_type_id`,
  created_at: sql`p.created_at`,
  device: sql`lower(d.name)`,
  last_data_at: sql`s.last_data_at`,
} as const;
export type SortField = keyof typeof keys;

/** The device that measures `p` at a moment, with its state. Index point_device_of_point. */
const measuredBy = (now: number): RawBuilder<unknown> => sql`
  left join lateral (
    select pd.id, pd.device_id, pd.field, pd.from_ts from point_device pd
    where pd.point_id = p.id and pd.from_ts <= ${now}::bigint and (pd.to_ts is null or pd.to_ts > ${now}::bigint)
    order by pd.from_ts desc limit 1
  ) c on true
  left join device d on d.id = c.device_id
  left join device_state s on s.device_id = c.device_id`;

/**
 * Total and ids of a page. Rows: the points of the company by accounting_point_of_company, unless the search
 * or a node is more selective; the devices are joined only for a condition or an order that needs them.
 */
export function findPoints(
  by: FoundBy,
  scope: Scope,
  asked: PointPage,
): Promise<FoundPage<AccountingPointId>> {
  const { filter, sort_field, sort, limit, offset, now } = asked;
  const needsDevice = filter.state !== undefined || sort_field === "device" || sort_field === "last_data_at";
  return foundPage<AccountingPointId>(by, {
    rows: sql`accounting_point p ${needsDevice ? measuredBy(now) : sql``}
      where ${sql.join([visiblePoints(scope), ...conditions(filter, now)], sql` and `)}`,
    id: sql`p.id`,
    key: keys[sort_field],
    sort,
    limit,
    offset,
  });
}

function conditions(filter: PointFilter, now: number): RawBuilder<unknown>[] {
  const { ids, search_string, resource_type_id: types, state, at, below, measured_by } = filter;
  return [
    ...(ids === undefined ? [] : [sql`p.id = any(${[...ids]}::int[])`]),
    ...(search_string ? [found(search_string, now)] : []),
    ...(types === undefined
      ? []
      : [sql`p.resource_type_id = any(${typeof types === "number" ? [types] : [...types]}::int[])`]),
    ...(at === undefined ? [] : [sql`p.object_id = any(${[...at]}::int[])`]),
    ...(below === undefined
      ? []
      : [sql`p.object_id in (select id from object_branch(${[...below]}::int[]) as id)`]),
    ...(measured_by === undefined ? [] : [measuredNow(measured_by, now)]),
    ...inTerm("consumer", filter.consumer_id, now),
    ...inTerm("supplier", filter.supplier_id, now),
    ...(state === undefined
      ? []
      : [
          sql`(${
            state.length === 0
              ? sql`true`
              : sql.join(
                  state.map((each) => inState(each, now)),
                  sql` or `,
                )
          })`,
        ]),
  ];
}

/** The number of a point as the screens print it in their languages, and without its letters. */
const printedNumber = /^(?:(?:ту|тц|ap)\s*[-‐–—]?\s*)?(\d{1,9})$/i;

/**
 * Points with this text in their name or address or in the name or number of the device that measures them, and the
 * point of this number. The alternative makes the planner hash what was found: one pass over the points of the company,
 * however many. Rows: by the trigrams of both tables for a rare text, else the points and devices of the company.
 */
function found(text: string, now: number): RawBuilder<unknown> {
  const number = Number(printedNumber.exec(text.trim())?.[1] ?? 0);
  return sql`(p.id in (select point_found(${containing(text.toLowerCase())}, ${now}::bigint))
    or p.id = ${number}::int)`;
}

/** Points of these devices. Index point_device_of_device. */
const measuredNow = (ids: readonly number[], now: number): RawBuilder<unknown> => sql`p.id in (
  select point_id from point_device where device_id = any(${[...ids]}::int[])
    and from_ts <= ${now}::bigint and (to_ts is null or to_ts > ${now}::bigint))`;

/** Points whose consumer or supplier is this one now; null: that have none. */
function inTerm(
  kind: "consumer" | "supplier",
  id: number | null | undefined,
  now: number,
): RawBuilder<unknown>[] {
  if (id === undefined) return [];
  const column = sql.ref(`${kind}_id`);
  const valid = sql`kind = ${kind} and from_ts <= ${now}::bigint and (to_ts is null or to_ts > ${now}::bigint)`;
  return [
    id === null
      ? sql`not exists (select from point_term t where t.point_id = p.id and ${valid})`
      : sql`p.id in (select point_id from point_term where ${column} = ${id}::int and ${valid})`,
  ];
}

function inState(state: PointState, now: number): RawBuilder<unknown> {
  switch (state) {
    case "no_device":
      return sql`c.device_id is null`;
    case "off":
      return sql`not d.is_active`;
    case "never":
      return sql`(d.is_active and s.silent_at is null)`;
    case "silent":
      return sql`(d.is_active and s.silent_at <= ${now}::bigint)`;
    case "on_time":
      return sql`(d.is_active and s.silent_at > ${now}::bigint)`;
  }
}

/** A point with the device and the node it has now. */
export interface PointRow {
  readonly id: AccountingPointId;
  readonly object_id: ObjectId | null;
  readonly object_name: string | null;
  readonly name: string;
  readonly resource_type_id: number;
  readonly city: string;
  readonly street: string;
  readonly house: string;
  readonly inner_object: string;
  readonly timezone: string;
  readonly has_own_zone: boolean;
  readonly comment: string;
  readonly created_at: number;
  readonly device_id: DeviceId | null;
  readonly field: FieldName | null;
  readonly device_from: number | null;
  readonly device_name: string | null;
  readonly device_number: string | null;
  readonly device_group_id: number | null;
  readonly model_id: number | null;
  readonly model_title: string | null;
  readonly is_active: boolean | null;
  readonly is_archived: boolean | null;
  readonly is_in_trash: boolean | null;
  readonly last_data_at: number | null;
  readonly silent_at: number | null;
  readonly device_ratio: number | null;
}

/**
 * Points that came from a query of the same transaction, in the order of their ids. A tied user learns no name
 * of a node above their own. Rows: one each, by primary keys.
 */
export async function pointRows(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly AccountingPointId[]; readonly now: number },
): Promise<PointRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<PointRow>`
    select p.id, o.id as object_id, o.name as object_name, p.name, p.resource_type_id, p.city, p.street, p.house,
      p.inner_object, p.timezone, p.has_own_zone, p.comment, floor(extract(epoch from p.created_at))::float8 as created_at,
      c.device_id, c.field, c.from_ts as device_from, d.name as device_name, d."deviceID" as device_number,
      d.device_group_id, d.model_id, d.model_title, d.is_active, d.is_archived,
      d.deleted_at is not null as is_in_trash, s.last_data_at, s.silent_at, r.ratio as device_ratio
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
      join accounting_point p on p.id = wanted.id and p.company_id = ${scope.companyId}::int
      left join object_node o on o.id = p.object_id and ${seenNode(scope)}
      ${measuredBy(now)}
      left join lateral (
        select ratio from device_ratio where device_id = c.device_id and from_ts <= ${now}::bigint
        order by from_ts desc limit 1
      ) r on true
    order by wanted.place`.execute(db);
  return rows;
}

const seenNode = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices ? sql`o.id in (${tiedObjects(scope.userId)})` : sql`true`;

/** A term that is valid at a moment, with the name of what it refers to. */
export interface TermNow {
  readonly point_id: AccountingPointId;
  readonly kind: string;
  readonly number: number | null;
  readonly voltage_level_id: number | null;
  readonly standard: Standard | null;
  readonly ref_id: number | null;
  readonly ref_name: string | null;
  readonly ref_number: string | null;
  readonly ref_ratio: number | null;
}

/** The terms of these points that are valid at a moment. Index point_term_of_point. */
export async function termsNow(
  db: Db,
  { ids, now }: { readonly ids: readonly AccountingPointId[]; readonly now: number },
): Promise<TermNow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<TermNow>`
    select t.point_id, t.kind, t.number::float8 as number, t.voltage_level_id, t.standard,
      coalesce(t.consumer_id, t.supplier_id, t.transformer_id) as ref_id,
      coalesce(k.name, v.name, x.title) as ref_name, x.number as ref_number, x.ratio::float8 as ref_ratio
    from point_term t
      left join consumer k on k.id = t.consumer_id
      left join supplier v on v.id = t.supplier_id
      left join transformer x on x.id = t.transformer_id
    where t.point_id = any(${[...ids]}::int[]) and t.from_ts <= ${now}::bigint
      and (t.to_ts is null or t.to_ts > ${now}::bigint)`.execute(db);
  return rows;
}

/** Kind of a transformer that came through `resolve`. One row by primary key. */
export async function transformerKind(db: Db, id: number): Promise<"current" | "voltage"> {
  const { rows } = await sql<{ kind: "current" | "voltage" }>`
    select kind from transformer where id = ${id}::int`.execute(db);
  return rows[0]?.kind ?? "current";
}
