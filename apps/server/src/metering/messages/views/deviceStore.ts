import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/** A ratio that is valid from a moment on. */
export interface RatioFrom {
  readonly from: number;
  readonly ratio: number;
  /** Of its transformers of one kind. Without them the ratio is that of current transformers. */
  readonly current?: number;
  readonly voltage?: number;
}

/** Metadata of the device whose messages a view shows. */
export interface ShownDevice {
  readonly id: DeviceId;
  readonly model_id: number;
  readonly device_group_id: number;
  /** Its ratios, each from its moment on, oldest first. */
  readonly ratios: readonly RatioFrom[];
  readonly report_period_update: number;
  /** Epoch seconds. */
  readonly created_at: number;
  readonly zone: string;
  readonly name: string;
  /** The device whose readings stand beside its own; null: none. */
  readonly beside: number | null;
}

/** A device that measured a point of the session, whoever may see it now. One row by primary key. */
export async function shownDevice(db: Db, scope: Scope, id: DeviceId): Promise<ShownDevice | undefined> {
  return deviceWhere(db, sql`d.id = ${id}::int and d.company_id = ${scope.companyId}::int`);
}

/** A device by an id from outside, if the session sees it; as by `resolve`. One row by primary key. */
export async function seenDevice(db: Db, scope: Scope, id: number): Promise<ShownDevice | undefined> {
  return deviceWhere(db, sql`d.id = ${id}::int and ${visibleDevices(scope, { as: "d", trash: "included" })}`);
}

async function deviceWhere(db: Db, condition: RawBuilder<unknown>): Promise<ShownDevice | undefined> {
  const { rows } = await sql<ShownDevice>`
    select d.id, d.model_id, d.device_group_id, d.report_period_update,
      floor(extract(epoch from d.created_at))::bigint as created_at,
      (select json_agg(json_build_object('from', from_ts, 'ratio', ratio) order by from_ts) from device_ratio
        where device_id = d.id) as ratios,
      coalesce(d.timezone, c.timezone) as zone, d.name,
      case when jsonb_typeof(d.properties -> 'concat_device') = 'number'
        then (d.properties ->> 'concat_device')::float8 end as beside
    from device d join company c on c.id = d.company_id
    where ${condition}
  `.execute(db);
  return rows[0];
}
