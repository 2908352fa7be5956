import {
  resourceOfGroup,
  type AccountingPointId,
  type DeviceId,
  type FieldName,
  type ResourceKey,
} from "@metrum/vocabulary";
import { sql } from "kysely";
import { dayText, type Db } from "#core";
import type { Terms } from "./judged.ts";
import type { StoredRule } from "../rules/index.ts";

/** A register of a device that measures a point in an interval. */
export interface TiedPoint {
  readonly point_id: AccountingPointId;
  readonly field: FieldName;
  readonly from_ts: number;
  readonly to_ts: number | null;
  /** IANA zone of the days of the point. */
  readonly zone: string;
}

/** The ratio of a device itself from an instant on. */
export interface DeviceRatio {
  readonly from_ts: number;
  readonly ratio: number;
}

export interface JudgedDevice {
  readonly id: DeviceId;
  readonly companyId: number;
  readonly modelId: number;
  /** The registered serial or network number. */
  readonly deviceID: string;
  readonly resource: ResourceKey;
  readonly zone: string;
  /** Oldest first. */
  readonly ratios: readonly DeviceRatio[];
  readonly points: readonly TiedPoint[];
  /** Instants of known replacements, resets and rollovers of its points. */
  readonly known: readonly number[];
}

interface DeviceRow {
  readonly id: DeviceId;
  readonly deviceID: string;
  readonly company_id: number;
  readonly model_id: number;
  readonly device_group_id: number;
  readonly zone: string;
  readonly ratios: readonly DeviceRatio[];
  readonly points: readonly TiedPoint[];
  readonly known: readonly number[];
}

/** What devices are judged by; those in the trash are not judged. Rows: the devices, by primary key. */
export async function judgedDevices(db: Db, ids: readonly DeviceId[]): Promise<JudgedDevice[]> {
  const { rows } = await sql<DeviceRow>`
    select d.id, d."deviceID", d.company_id, d.model_id, d.device_group_id, coalesce(d.timezone, c.timezone) as zone,
      coalesce((select jsonb_agg(jsonb_build_object('from_ts', r.from_ts, 'ratio', r.ratio) order by r.from_ts)
        from device_ratio r where r.device_id = d.id), '[]') as ratios,
      coalesce((select jsonb_agg(jsonb_build_object('point_id', p.point_id, 'field', p.field, 'from_ts', p.from_ts, 'to_ts', p.to_ts,
        'zone', a.timezone) order by p.from_ts)
        from point_device p join accounting_point a on a.id = p.point_id where p.device_id = d.id), '[]') as points,
      coalesce((select jsonb_agg(e.ts) from point_event e where e.kind in ('replaced', 'reset', 'rollover')
        and e.point_id in (select point_id from point_device where device_id = d.id)), '[]') as known
    from device d join company c on c.id = d.company_id
    where d.id = any(${[...ids]}::int[]) and d.deleted_at is null`.execute(db);
  return rows.map(({ company_id, model_id, device_group_id, ...row }) => ({
    ...row,
    companyId: company_id,
    modelId: model_id,
    resource: resourceOfGroup(device_group_id).key,
  }));
}

/** The point that a device measured at an instant. */
export const pointAt = ({ points }: Pick<JudgedDevice, "points">, at: number): TiedPoint | undefined =>
  points.find(({ from_ts, to_ts }) => from_ts <= at && (to_ts === null || to_ts > at));

/** Terms of points by time that rules compare consumption with. */
export interface PointTerms {
  readonly contractPower: Terms["contractPower"];
  readonly parties: Terms["parties"];
  readonly hasParties: boolean;
}

/**
 * Contract power, consumers and suppliers of points. Rows: the terms of the points, by the exclusion constraint of
 * point_term, and one consumer of the company.
 */
export async function termsOfPoints(
  db: Db,
  { companyId, points }: Pick<JudgedDevice, "companyId" | "points">,
): Promise<PointTerms> {
  const ids = points.map(({ point_id }) => point_id);
  const { rows } = await sql<{ kind: string; from: number; to: number | null; kw: number | null }>`
    select kind, from_ts as from, to_ts as to, number::float8 as kw from point_term
    where point_id = any(${ids}::int[]) and kind in ('contract_power', 'consumer', 'supplier')
    order by from_ts`.execute(db);
  const { rows: companies } = await sql<{ has_parties: boolean }>`
    select exists (select from consumer c join point_term t on t.consumer_id = c.id
      where c.company_id = ${companyId}::int) as has_parties`.execute(db);
  return {
    contractPower: rows.flatMap(({ kind, from, to, kw }) =>
      kind === "contract_power" && kw !== null ? [{ from, to, kw }] : [],
    ),
    parties: rows.flatMap(({ kind, from, to }) => (kind === "contract_power" ? [] : [{ from, to }])),
    hasParties: companies[0]?.has_parties === true,
  };
}

/** Own rules of a company. Rows: at most 1,000, by its unique index. */
export async function rulesOfCompany(db: Db, companyId: number): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`
    select id, kind, resource, model_id, point_id, is_on, parameters from validation_rule
    where company_id = ${companyId}::int`.execute(db);
  return rows;
}

/** Some devices that validation does not depend on yet: new ones. Index: primary keys of device, device_dependent. */
export async function newDevices(db: Db, kind: number, limit: number): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select id from device d where deleted_at is null
      and not exists (select from device_dependent x where x.device_id = d.id and x.kind = ${kind}::smallint)
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Comparable devices at the same place that are read at most. */
const mostSiblings = 10;

/**
 * Daily consumption of the devices of the same model at the node of a device, from its read model. Rows: 10
 * devices of 62 days. Index: object_item_device, object_item_of_node, primary key of reading_day.
 */
export async function siblingDays(
  db: Db,
  of: {
    readonly deviceId: DeviceId;
    readonly modelId: number;
    readonly field: FieldName;
    readonly fromDay: number;
    readonly toDay: number;
  },
): Promise<ReadonlyMap<number, number>[]> {
  const { rows } = await sql<{ device_id: number; day: number; amount: number }>`
    with sibling as (
      select i.device_id from object_item own
      join object_item i on i.object_id = own.object_id and i.device_id <> own.device_id
      join device d on d.id = i.device_id and d.model_id = ${of.modelId}::int and d.deleted_at is null
      where own.device_id = ${of.deviceId}::int order by i.device_id limit ${mostSiblings}
    )
    select r.device_id, r.day - '1970-01-01'::date as day,
      max(r.last[array_position(s.fields, ${of.field}::text)] - r.first[array_position(s.fields, ${of.field}::text)]) as amount
    from sibling
    join reading_day r on r.device_id = sibling.device_id and r.msg_type in (1, 100)
      and r.day between ${dayText(of.fromDay)}::date and ${dayText(of.toDay)}::date
    join field_set s on s.id = r.field_set_id
    group by r.device_id, r.day having max(r.last[array_position(s.fields, ${of.field}::text)]) is not null`.execute(
    db,
  );
  const found = new Map<number, Map<number, number>>();
  for (const { device_id, day, amount } of rows) {
    const days = found.get(device_id) ?? new Map<number, number>();
    found.set(device_id, days.set(day, amount));
  }
  return [...found.values()];
}

/** Devices that a missing load is shaped by: of the same model at the same node, else of the company. */
const mostComparable = 5;

/** Rows: 5 of the devices of a model. Index: object_item_of_node, device_listed. */
export async function comparableDevices(db: Db, device: JudgedDevice): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select d.id from device d
    left join object_item i on i.device_id = d.id
    where d.company_id = ${device.companyId}::int and d.model_id = ${device.modelId}::int and d.id <> ${device.id}::int
      and d.deleted_at is null
    order by i.object_id is distinct from (select object_id from object_item where device_id = ${device.id}::int), d.id
    limit ${mostComparable}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Devices at the same node with an exception of the same rule and time. Index: object_item_of_node. */
export async function neighboursWith(
  db: Db,
  of: {
    readonly device_id: DeviceId;
    readonly kind: string;
    readonly from_ts: number;
    readonly to_ts: number;
  },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct e.device_id)::int as n from object_item own
    join object_item i on i.object_id = own.object_id and i.device_id <> own.device_id
    join validation_exception e on e.device_id = i.device_id and e.kind = ${of.kind}
      and e.from_ts <= ${of.to_ts}::bigint and e.to_ts >= ${of.from_ts}::bigint
    where own.device_id = ${of.device_id}::int`.execute(db);
  return rows[0]?.n ?? 0;
}
