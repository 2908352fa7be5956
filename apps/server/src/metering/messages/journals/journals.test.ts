import { readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { openDatabaseAt, releasedStep, type OldDatabase } from "#testing/migrations";
import { at } from "#testing/readings";
import { makeFixture, type Fixture } from "#testing/records";
import { ingest, ingestEach } from "../ingest/ingest.ts";
import type { Incoming, Values } from "../rows/types.ts";
import { withRecords } from "./events.ts";

const noon = at("2026-10-05T12:00:00Z");

let api: TestApi;
let fixture: Fixture;
let deviceId: DeviceId;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  const { rows } = await sql<{
    id: DeviceId;
  }>`select id from device where id = ${fixture.ours.device}`.execute(api.services.database.system);
  const [row] = rows;
  if (!row) throw new Error("the fixture has no device");
  deviceId = row.id;
});
afterAll(() => api.close());

const event = (ts: number, values: Values, more: Partial<Incoming> = {}): Incoming => ({
  deviceId,
  msgType: 7,
  ts,
  meterAt: ts,
  receivedAt: noon + 86_400,
  source: "polled",
  values,
  ...more,
});

async function listed(from: number, to: number, shape: "rows" | "columns" = "rows") {
  const token = await api.token("engineer@metrum.example");
  const { data } = await api.ask(readings.list, {
    token,
    input: { body: { device_id: deviceId, msgType: 7, startDate: from, stopDate: to, shape } },
  });
  return data;
}

async function codesIn(from: number, to: number): Promise<unknown[]> {
  const { rows } = await sql<{ ts: number; code: number }>`
    select ts, journal * 1000 + code as code from journal_event
    where device_id = ${deviceId} and ts between ${from} and ${to} order by ts, journal, code, digest, record`.execute(
    api.services.database.system,
  );
  return rows.map(({ ts, code }) => [ts - from, code]);
}

describe("JRNL-010 events of journals", () => {
  test("events of the same second are all kept: of different journals, of one journal, and even equal ones", async () => {
    const second = noon;
    const read = [1005, 2007, 1006, 1005].map((status_code) => event(second, { status_code }));

    const first = await ingest(api.services, read);

    expect(first).toMatchObject({ stored: 4, repeated: 0 });
    expect(await codesIn(second, second)).toEqual([1005, 1005, 1006, 2007].map((code) => [0, code]));
  });

  test("reading a journal again stores no event twice, from any position and in any order", async () => {
    const from = noon + 3600;
    const read = [
      event(from, { status_code: 5 }),
      event(from, { status_code: 5 }),
      event(from, { status_code: 6 }),
      event(from + 1, { status_code: 5 }),
    ];
    await ingest(api.services, read);

    const again = await ingest(api.services, read);
    const backwards = await ingest(api.services, read.toReversed());
    const tail = await ingest(api.services, [...read.slice(1), event(from + 2, { status_code: 9 })]);

    expect(again).toMatchObject({ stored: 0, repeated: 4 });
    expect(backwards).toMatchObject({ stored: 0, repeated: 4 });
    expect(tail).toMatchObject({ stored: 1, repeated: 3 });
    expect(await codesIn(from, from + 10)).toEqual([
      [0, 5],
      [0, 5],
      [0, 6],
      [1, 5],
      [2, 9],
    ]);
  });

  test("the time of the meter's clock is stored with that of the event if the meter reported one", async () => {
    const from = noon + 5400;
    const { meterAt: _, ...withoutClock } = event(from + 1, { status_code: 5 });
    await ingest(api.services, [event(from, { status_code: 5 }, { meterAt: from - 40 }), withoutClock]);

    const { rows } = await sql<{ offset: number | null }>`select real_ts_offset as "offset" from journal_event
      where device_id = ${deviceId} and ts between ${from} and ${from + 1} order by ts`.execute(
      api.services.database.system,
    );
    expect(rows).toEqual([{ offset: -40 }, { offset: null }]);
  });

  test("a delivery repeated in one batch counts once, equal events of one delivery are distinct", async () => {
    const from = noon + 7200;
    const delivery = [event(from, { status_code: 3 }), event(from, { status_code: 3 })];

    const outcomes = await ingestEach(api.services, [...withRecords(delivery), ...withRecords(delivery)]);

    expect(outcomes).toEqual(["stored", "stored", "repeated", "repeated"]);
  });

  test("the record number distinguishes equal events, also if a meter restarts its numbering", async () => {
    const from = noon + 10_800;
    const numbered = (ts: number, record: number) => event(ts, { status_code: 4 }, { record });

    await ingest(api.services, [numbered(from, 1), numbered(from, 2), numbered(from + 60, 1)]);
    const again = await ingest(api.services, [
      numbered(from, 2),
      numbered(from + 60, 1),
      numbered(from + 90, 1),
    ]);

    expect(again).toMatchObject({ stored: 1, repeated: 2 });
    expect(await codesIn(from, from + 100)).toHaveLength(4);
  });

  test("parameters of an event are stored, distinguish events and are shown", async () => {
    const from = noon + 14_400;
    await ingest(api.services, [
      event(from, { status_code: 12, voltage1: 198.5 }),
      event(from, { status_code: 12, voltage1: 197 }),
      event(from, { voltage1: 197 }),
    ]);

    const data = await listed(from, from);

    expect("data" in data && data.data.length).toBe(3);
    if (!("data" in data)) throw new Error("rows were requested");
    expect(data.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ datetime: from, status_code: 12, voltage1: 198.5 }),
        expect.objectContaining({ datetime: from, status_code: 12, voltage1: 197 }),
        expect.objectContaining({ datetime: from, status_code: null, voltage1: 197 }),
      ]),
    );
  });

  test("are not readings: they add no message, latest value, day or last contact", async () => {
    const { rows: before } = await sql<{ heard: number | null }>`
      select last_data_at as heard from device_state where device_id = ${deviceId}`.execute(
      api.services.database.system,
    );
    await ingest(api.services, [event(noon + 20_000, { status_code: 1 })]);
    await api.services.parts.readingStore.settle();

    const { rows } = await sql<Record<string, number | null>>`
      select (select count(*)::int from message where msg_type = 7) as messages,
        (select count(*)::int from device_latest where msg_type = 7) as latest,
        (select count(*)::int from reading_day where msg_type = 7) as days,
        (select last_data_at from device_state where device_id = ${deviceId}) as heard`.execute(
      api.services.database.system,
    );

    expect(rows[0]).toEqual({ messages: 0, latest: 0, days: 0, heard: before[0]?.heard ?? null });
  });

  test("readings and events of one call go to their tables, and subscribers are notified of both", async () => {
    const from = noon + 30_000;
    const notified: number[] = [];
    const off = api.services.bus.on("readingsStored", (spans) =>
      notified.push(...spans.filter((span) => span.deviceId === deviceId).map(({ msgType }) => msgType)),
    );

    const outcomes = await ingestEach(api.services, [
      event(from, { status_code: 1 }),
      event(from, { tariff1: 5 }, { msgType: 1 }),
      event(from, { status_code: 1 }),
      { ...event(from, { status_code: 1 }), deviceId: 2_000_000_000 as unknown as DeviceId },
      event(from, {}),
      event(at("1999-01-01T00:00:00Z"), { status_code: 1 }),
    ]);
    off();

    expect(outcomes).toEqual(["stored", "stored", "stored", "unknown", "unknown", "quarantined"]);
    expect(notified.sort()).toEqual([1, 7]);
  });

  test("the newest event and a truncated period are returned as for readings", async () => {
    const token = await api.token("engineer@metrum.example");
    const { data } = await api.ask(readings.list, {
      token,
      input: {
        body: {
          device_id: deviceId,
          msgType: 7,
          startDate: noon,
          stopDate: noon,
          limit: 3,
          shape: "columns",
        },
      },
    });

    expect(data).toMatchObject({
      truncated: true,
      columns: { datetime: [noon, noon, noon], status_code: [1005, 1006, 2007] },
    });
  });
});

describe("JRNL-010 a database of the previous release", () => {
  let old: OldDatabase;
  beforeAll(async () => {
    old = await openDatabaseAt(releasedStep);
    await old.pool.query(`
      insert into company (path, name, active_modules) values ('1', 'Old', '[]');
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
        values (1, 101, 'M', 4, 3, 4, 'D', '1');
      insert into field_set (fields) values ('{status_code}'), ('{status_code,voltage1}'), ('{tariff1}');
      create table message_2026_10 partition of message for values from (${String(at("2026-10-01T00:00:00Z"))}) to (${String(at("2026-11-01T00:00:00Z"))});
      insert into message (ts, device_id, real_ts_offset, received_at_offset, msg_type, field_set_id, status, source, v)
        select ${String(noon)} + n, 1, 0, 60, 7, 1, 1, 1, array[n * 1000 + 5] from generate_series(0, 2) n
        union all select ${String(noon)} + 9, 1, 0, 60, 7, 2, 2, 1, array[12, 198.5]
        union all select ${String(noon)}, 1, 0, 60, 1, 3, 1, 1, array[77];
      insert into message_revision (device_id, msg_type, ts, replaced_at, field_set_id, status, source, v)
        values (1, 7, ${String(noon)}, ${String(noon + 90)}000, 1, 1, 1, array[3004]);
      insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
        values (1, 7, ${String(noon)} + 9, ${String(noon)}, 2, 1, 1, array[12, 198.5]), (1, 1, ${String(noon)}, ${String(noon)}, 3, 1, 1, array[77]);
      insert into reading_day (device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max)
        values (1, 7, 1, '2026-10-05', 1, 1, ${String(noon)}, ${String(noon)}, array[5], array[5], array[5], array[5], array[5])`);
    await old.upgrade();
  });
  afterAll(() => old.drop());

  test("has its journal messages converted to events, including replaced ones, and its readings unchanged", async () => {
    const { rows } = await old.pool.query(
      "select ts::int - $1::int as at, journal, code, params, received_at_offset as received, status from journal_event order by 1, 2, 3",
      [noon],
    );
    const { rows: kept } = await old.pool.query(`
      select (select json_agg(distinct msg_type) from message) as messages, (select json_agg(distinct msg_type) from device_latest) as latest,
        (select count(*)::int from reading_day where msg_type = 7) as days, (select count(*)::int from message_revision) as revisions`);

    expect(rows).toEqual([
      { at: 0, journal: 0, code: 5, params: null, received: 60, status: 1 },
      { at: 0, journal: 3, code: 4, params: null, received: 90, status: 1 },
      { at: 1, journal: 1, code: 5, params: null, received: 60, status: 1 },
      { at: 2, journal: 2, code: 5, params: null, received: 60, status: 1 },
      { at: 9, journal: 0, code: 12, params: { voltage1: 198.5 }, received: 60, status: 2 },
    ]);
    expect(kept).toEqual([{ messages: [1], latest: [1], days: 0, revisions: 0 }]);
  });

  test("gains nothing when the journal is read again", async () => {
    const { rows } = await old.pool.query<{ digest: string }>(
      "select digest::text from journal_event where params is not null",
    );

    const [read] = withRecords([event(noon + 9, { status_code: 12, voltage1: 198.5 })]);
    const { eventOf } = await import("./events.ts");
    const metadata = {
      id: deviceId,
      companyId: 1,
      modelId: 1,
      zone: "UTC",
      reportPeriodSec: 60,
      depths: new Map<number, number>(),
      counterCapacity: undefined,
      counterStart: undefined,
      dependants: 0,
    };
    expect(read && eventOf(read, metadata, 0)?.digest).toBe(rows[0]?.digest);
  });
});
