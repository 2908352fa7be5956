import { statuses } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";

/** As in the predicate of the index message_untrusted. */
const isUntrusted = sql`(m.status in (${sql.lit(statuses.suspect.id)}, ${sql.lit(statuses.rejected.id)})
  or m.by_field @? '$.*.status ? (@ == ${sql.raw(String(statuses.suspect.id))} || @ == ${sql.raw(String(statuses.rejected.id))})')`;

/**
 * Suspect and rejected values of a device in a period, both ends inclusive, as a query for a lateral join: msg_type, ts,
 * received_at, field, value, status, source. Rows: the untrusted ones of the device, by message_untrusted of the
 * partitions of the period.
 */
export const untrustedValues = (of: {
  readonly device: RawBuilder<unknown>;
  readonly from: number;
  readonly to: number;
  readonly statuses: readonly number[];
}): RawBuilder<unknown> => sql`
  select m.msg_type, m.ts, m.ts + m.received_at_offset as received_at, f.name as field, f.value,
    coalesce((m.by_field -> f.name ->> 'status')::int, m.status) as status,
    coalesce((m.by_field -> f.name ->> 'source')::int, m.source) as source
  from message m join field_set s on s.id = m.field_set_id cross join lateral unnest(s.fields, m.v) as f (name, value)
  where m.device_id = ${of.device} and m.ts >= ${of.from}::bigint and m.ts <= ${of.to}::bigint and ${isUntrusted}
    and f.value is not null
    and coalesce((m.by_field -> f.name ->> 'status')::int, m.status) = any(${[...of.statuses]}::int[])`;
