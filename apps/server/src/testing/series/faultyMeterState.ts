import { quarantineReasons } from "@metrum/contract/metering";
import { columnOf, fields, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { dayOf, type Services } from "#core";
import { isTrusted, knowingLoads, readLoads } from "#metering/messages";
import { readDays } from "../../metering/messages/days/dayStore.ts";
import { createFieldSets } from "../../metering/messages/rows/fieldSets.ts";
import { readSeries } from "../../metering/messages/read/seriesStore.ts";
import { tableOf } from "../../metering/messages/views/table.ts";
import {
  receivedAtOfValue,
  sourceOfValue,
  statusOfValue,
  type ByField,
} from "../../metering/messages/rows/trust.ts";
import { capacity, holdsHours, type Oracle } from "./faultyMeter.ts";

/**
 * State of a meter, one line per item, sorted: values with their origins, latest values, days, growth, and
 * quarantined readings.
 */
export type MeterState = Readonly<
  Record<"values" | "latest" | "days" | "growth" | "quarantined", readonly string[]>
>;

const zone = "UTC";
const readingsType = 1;

/** State of a device in UTC according to the store and the tables. */
export async function storedState(services: Services, deviceId: DeviceId): Promise<MeterState> {
  return {
    values: await storedValues(services, deviceId),
    latest: await storedLatest(services, deviceId),
    days: await storedDays(services, deviceId),
    growth: await shownGrowth(services, deviceId),
    quarantined: await storedQuarantine(services, deviceId),
  };
}

/** The same according to the oracle. */
export function expectedState(oracle: Oracle): MeterState {
  const rows = [...oracle.rows].sort(([a], [b]) => a - b);
  const names = new Set(rows.flatMap(([, values]) => [...values.keys()]));
  return {
    values: rows
      .flatMap(([ts, values]) =>
        [...values].map(([name, { value, status, source, receivedAt }]) =>
          [ts, name, value, status, source, receivedAt].join(" "),
        ),
      )
      .sort(),
    latest: [...names]
      .flatMap((name) => {
        const latest = oracle.latest(name);
        return latest ? [[name, latest.value, latest.ts, latest.status].join(" ")] : [];
      })
      .sort(),
    days: expectedDays(rows),
    growth: [...names]
      .filter(isCounter)
      .flatMap((name) => expectedGrowth(oracle, rows, name))
      .sort(),
    quarantined: oracle.quarantined
      .map(({ ts, reason }) => `${String(ts)} ${String(quarantineReasons[reason])}`)
      .sort(),
  };
}

/** Lines that only one side has. */
export function differences(stored: readonly string[], expected: readonly string[]): string[] {
  const [a, b] = [new Set(stored), new Set(expected)];
  return [
    ...stored.filter((line) => !b.has(line)).map((line) => `stored: ${line}`),
    ...expected.filter((line) => !a.has(line)).map((line) => `expected: ${line}`),
  ];
}

type Rows = readonly (readonly [number, Oracle["rows"] extends Map<number, infer Values> ? Values : never])[];

const isCounter = (name: FieldName): boolean => fields[name].kind === "counter";

/** First, last, count and sum of the trusted values of each field and day. */
function expectedDays(rows: Rows): string[] {
  const days = new Map<string, { first: number; last: number; n: number; sum: number | null }>();
  for (const [ts, values] of rows)
    for (const [name, { value, status }] of values) {
      if (!isTrusted(status)) continue;
      const key = `${String(dayOf(zone, ts))} ${name}`;
      const day = days.get(key) ?? { first: value, last: value, n: 0, sum: isCounter(name) ? null : 0 };
      const sum = day.sum === null ? null : day.sum + value;
      days.set(key, { first: day.first, last: value, n: day.n + 1, sum });
    }
  return [...days].map(([key, { first, last, n, sum }]) => [key, first, last, n, sum].join(" ")).sort();
}

/** From each trusted value to the next one; absent across a reset or a leap. */
function expectedGrowth(oracle: Oracle, rows: Rows, name: FieldName): string[] {
  let before: { readonly ts: number; readonly value: number; readonly status: number } | undefined;
  return rows.flatMap(([ts, values]) => {
    const now = values.get(name);
    if (!now || !isTrusted(now.status)) return [];
    const earlier = before;
    before = { ts, value: now.value, status: now.status };
    if (earlier === undefined || oracle.isUnknown(name, [earlier, before])) return [];
    const { value } = earlier;
    const grown = now.value < value ? capacity - value + now.value : now.value - value;
    return [`${String(ts)} ${name} ${String(grown)}`];
  });
}

interface StoredRow {
  readonly ts: number;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly fields: readonly string[];
  readonly v: readonly (number | null)[];
  readonly by_field: ByField | null;
}

async function storedValues({ database }: Services, deviceId: DeviceId): Promise<string[]> {
  const { rows } = await database.pool.query<StoredRow>(
    `select ts, (ts + received_at_offset)::int as "receivedAt", status, source, fields, v, by_field
      from message m join field_set s on s.id = m.field_set_id where device_id = $1`,
    [deviceId],
  );
  return rows
    .flatMap((row) =>
      row.fields.flatMap((name, at) => {
        const value = row.v[at] ?? null;
        const origin = [statusOfValue(row, name), sourceOfValue(row, name), receivedAtOfValue(row, name)];
        return value === null ? [] : [[row.ts, name, value, ...origin].join(" ")];
      }),
    )
    .sort();
}

async function storedLatest({ database }: Services, deviceId: DeviceId): Promise<string[]> {
  const { rows } = await database.pool.query<
    StoredRow & { readonly by_field: Record<string, { ts: number; status: number }> | null }
  >(
    "select ts, status, fields, v, by_field from device_latest l join field_set s on s.id = l.field_set_id where device_id = $1",
    [deviceId],
  );
  return rows
    .flatMap((row) =>
      row.fields.flatMap((name, at) => {
        const value = row.v[at] ?? null;
        return value === null
          ? []
          : [[name, value, row.by_field?.[name]?.ts ?? row.ts, statusOfValue(row, name)].join(" ")];
      }),
    )
    .sort();
}

async function storedDays({ database }: Services, deviceId: DeviceId): Promise<string[]> {
  const { rows: keys } = await database.pool.query<{ deviceId: number; msgType: number; day: number }>(
    `select device_id as "deviceId", msg_type as "msgType", day - '1970-01-01'::date as day
      from reading_day where device_id = $1`,
    [deviceId],
  );
  const rows = await readDays(database.pool, createFieldSets(database.pool), keys);
  return rows
    .flatMap(({ day, set, counts, n, first, last, sum }) =>
      set.fields.flatMap((name, at) => {
        const place = set.moving.indexOf(at);
        const own = [first[at], last[at], counts?.n[at] ?? n, place < 0 ? null : sum[place]];
        return first[at] === null ? [] : [[day, name, ...own].join(" ")];
      }),
    )
    .sort();
}

async function shownGrowth({ database }: Services, deviceId: DeviceId): Promise<string[]> {
  const period = { deviceId, msgType: readingsType, from: 0, to: 2 ** 40, limit: 1_000_000 };
  const rows = await readSeries(database.system, createFieldSets(database.pool), period);
  const { columns } = await knowingLoads(readLoads(database.pool), (samplesOf) =>
    tableOf(rows, {
      resource: "electricity",
      language: "en",
      msgType: readingsType,
      before: new Map(),
      rangeOf: (name) => ({ capacity, holdsHours, start: 0, samplesAt: samplesOf(deviceId, name) }),
      falls: new Map(),
      withRA: false,
      extraFields: [],
    }),
  );
  const times = columns["datetime"] ?? [];
  return Object.entries(columns)
    .map(([name, cells]) => ({ ...columnOf(name), cells }))
    .filter(({ part }) => part === "growth")
    .flatMap(({ field, cells }) =>
      cells.flatMap((cell, at) => (cell === null ? [] : [[times[at], field, cell].join(" ")])),
    )
    .sort();
}

async function storedQuarantine({ database }: Services, deviceId: DeviceId): Promise<string[]> {
  const { rows } = await database.pool.query<{ ts: number; reason: number }>(
    "select ts, reason from reading_quarantine where device_id = $1",
    [deviceId],
  );
  return rows.map(({ ts, reason }) => `${String(ts)} ${String(reason)}`).sort();
}
