import { sources, type DeviceId } from "@metrum/vocabulary";
import { estimateMark, int2Array, int4Array, int8Array, type ByField } from "../rows/index.ts";
import { ask, type Reader } from "./ask.ts";

/** A row of `message` as judged and computed with: `v` is the text of an array, in the order of the field set. */
export interface MessageRow {
  readonly ts: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  /** Origins of the values that differ from the row. */
  readonly by_field: ByField | null;
}

/** The columns of a `MessageRow`. */
export const rowColumns = "ts, status, source, field_set_id, v::text as v, by_field";

/** A row of several devices or types. */
export interface PeriodRow extends MessageRow {
  readonly device_id: DeviceId;
  readonly msg_type: number;
  /** Calculated, but of no reading: the estimate of a missing value. */
  readonly is_estimate: boolean;
}

/** A period of devices, both ends inclusive, epoch seconds. The ids come from a query on `device`. */
export interface Period {
  readonly deviceIds: readonly number[];
  /** Absent: all message types. */
  readonly types?: readonly number[];
  readonly from: number;
  readonly to: number;
}

const isEstimate = `coalesce(extra ? '${estimateMark}', false)`;
const isDerived = `source = ${String(sources.calculated)} and not ${isEstimate}`;

/**
 * Rows of devices in a period, by time, then type and device; or of them those alone that are calculated of other
 * readings. Rows: those of the period, a month of minutes at most. Index: primary key of message, the partitions of the
 * period.
 */
export async function rowsOfPeriod(
  reader: Reader,
  { deviceIds, types, from, to }: Period,
  which: "all" | "derived" = "all",
): Promise<PeriodRow[]> {
  const ofTypes = types ? "and msg_type = any($4::int2[])" : "";
  const rows = await ask<PeriodRow>(reader, {
    name: `messages-period-${which}${types ? "-types" : ""}`,
    text: `select device_id, msg_type, ${rowColumns}, ${isEstimate} as is_estimate from message
      where device_id = any($1::int4[]) ${ofTypes} and ts >= $2::int8 and ts <= $3::int8
        ${which === "derived" ? `and ${isDerived}` : ""}`,
    values: [int4Array(deviceIds), from, to, ...(types ? [int2Array(types)] : [])],
  });
  return rows.sort((a, b) => a.ts - b.ts || a.msg_type - b.msg_type || a.device_id - b.device_id);
}

/** A period of one device and type, both ends inclusive. */
export interface Span {
  readonly deviceId: number;
  readonly msgType: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of many devices and types, each in its own span: a list of rows by time for each span. Rows: those of the spans,
 * 1,440 a day where a reading comes every minute. Index: primary key of message, once a span, its partitions alone.
 */
export async function rowsOfSpans(reader: Reader, spans: readonly Span[]): Promise<MessageRow[][]> {
  const found = spans.map((): MessageRow[] => []);
  if (spans.length === 0) return found;
  const rows = await ask<MessageRow & { readonly n: number }>(reader, {
    name: "messages-spans",
    text: `select k.n::int as n, m.* from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[])
        with ordinality as k(device_id, msg_type, from_ts, to_ts, n)
      cross join lateral (
        select ${rowColumns} from message
        where device_id = k.device_id and msg_type = k.msg_type and ts >= k.from_ts and ts <= k.to_ts
      ) m`,
    values: [
      int4Array(spans.map(({ deviceId }) => deviceId)),
      int2Array(spans.map(({ msgType }) => msgType)),
      int8Array(spans.map(({ from }) => from)),
      int8Array(spans.map(({ to }) => to)),
    ],
  });
  for (const row of rows) found[row.n - 1]?.push(row);
  for (const each of found) each.sort((a, b) => a.ts - b.ts);
  return found;
}
