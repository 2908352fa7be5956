import { meterModels } from "@metrum/catalogue";
import type { PollResult } from "@metrum/contract/headend";
import { completeness } from "@metrum/contract/insight";
import { devices, quarantine, readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logExchanges } from "#headend/exchanges";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";

const now = at("2026-06-10T10:30:00Z");
/** Midnight of Berlin. */
const midnight = at("2026-06-08T22:00:00Z");
const [hour, day] = [3600, 86_400];
const span = { start_date: midnight, stop_date: midnight + day - 1 };

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() },
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const query = (text: string, values: readonly unknown[] = []) =>
  api.services.database.pool.query(text, [...values]);

/** A meter behind a line that has been on the platform for a year. */
async function aDevice(given: { modelId?: number; periodSec?: number } = {}): Promise<DeviceId> {
  const id = await addMeter(api);
  await query(
    "update device set created_at = to_timestamp($2), model_id = $3, report_period_update = $4 where id = $1",
    [id, now - 365 * day, given.modelId ?? 101, given.periodSec ?? hour],
  );
  return id;
}

const put = (deviceId: DeviceId, times: readonly number[], msgType = 1) =>
  ingest(
    api.services,
    times.map((ts) => aReading({ deviceId, ts, msgType, values: { tariff1: 100 } })),
  );
const hoursBut = (...missing: readonly number[]) =>
  Array.from({ length: 24 }, (_, nth) => nth)
    .filter((nth) => !missing.includes(nth))
    .map((nth) => midnight + nth * hour);

const exchange = (
  deviceId: DeviceId,
  startedAt: number,
  result: PollResult,
  kind: "poll" | "uplink" = "poll",
) =>
  logExchanges(api.services.database.system, [
    {
      deviceId,
      startedMs: startedAt * 1000,
      receivedAt: null,
      kind,
      result,
      tries: 1,
      durationMs: 100,
      line: "tcp:meter:502",
      readings: 0,
      message: "",
      taskId: null,
      steps: [],
    },
  ]);

type Asked = "indications" | "power" | "archive";
async function typeOf(id: DeviceId, msgType = 1, call: Asked = "indications", period: object = span) {
  const { data, text } = await api.ask(completeness[call], {
    token,
    input: { body: { device_id: id, ...period } },
  });
  const found = data.devices.data[0]?.types.find(({ msg_type }) => msg_type === msgType);
  if (!found) throw new Error(text);
  return found;
}
const holesOf = async (id: DeviceId, ...of: [msgType?: number, call?: Asked]) =>
  (await typeOf(id, ...of)).days.flatMap(({ holes }) =>
    holes.map(({ from, to, missing, reason }) => [
      (from - midnight) / hour,
      (to - midnight) / hour,
      missing,
      reason,
    ]),
  );

test("TRUST-012 DEV-036 DEV-020 the board agrees with the strip of the list and with the data page, day by day", async () => {
  const id = await aDevice();
  await put(id, hoursBut(5, 6, 7, 20));
  const week = { start_date: now - 6 * day, stop_date: now };

  const { days } = await typeOf(id, 1, "indications", week);
  const list = await api.ask(devices.list, { token, input: { body: { ids: [id] } } });
  const page = await api.ask(readings.summary, {
    token,
    input: { body: { device_id: id, msgType: 1, startDate: midnight, stopDate: midnight + day - 1 } },
  });

  expect(days.map(({ expected, received }) => received / expected)).toEqual(
    list.data.metering_devices.data[0]?.completeness,
  );
  const own = days.find((each) => each.day === "2026-06-09");
  expect(own).toMatchObject({ expected: page.data.expected, received: page.data.received });
  expect(own?.holes.map(({ from, to, missing }) => ({ from, to, missing }))).toEqual(page.data.gaps);
});

test("TRUST-012 DEV-036 profiles are counted by half-hours, archives by their own periods", async () => {
  const id = await aDevice();
  const halves = Array.from({ length: 48 }, (_, nth) => midnight + nth * 1800);
  await ingest(
    api.services,
    halves
      .filter((_, nth) => nth !== 7)
      .map((ts, nth) =>
        aReading({
          deviceId: id,
          ts,
          msgType: 5,
          values: { power_a_plus: nth === 0 ? null : 3, power_r_plus: 1 },
        }),
      ),
  );
  await put(id, hoursBut(3), 100);

  expect(await typeOf(id, 5, "power")).toMatchObject({ expected: 48, received: 47 });
  expect((await holesOf(id, 5, "power")).map(([from]) => from)).toEqual([3.5]);
  expect(await typeOf(id, 100, "archive")).toMatchObject({ expected: 24, received: 23 });
  expect(await typeOf(id, 101, "archive")).toMatchObject({ expected: 1 });
});

const results: readonly [PollResult, string][] = [
  ["timeout", "no_answer"],
  ["no_line", "line_down"],
  ["line_busy", "line_busy"],
  ["bad_password", "key"],
  ["refused", "refused"],
  ["checksum", "unreadable"],
  ["internal", "fault"],
  ["ok", "no_values"],
];

test.each(results)(
  "TRUST-012 a hole with an exchange that ended %s has the reason %s",
  async (result, reason) => {
    const id = await aDevice();
    await put(id, hoursBut(9, 10));
    await exchange(id, midnight + 9 * hour + 60, result);
    await exchange(id, midnight + 10 * hour + 60, result);

    expect(await holesOf(id)).toEqual([[9, 11, 2, reason]]);
  },
);

test("TRUST-012 each slot shows the result at its time; equal failures are counted in one row of the log", async () => {
  const id = await aDevice();
  await put(id, hoursBut(2, 3, 4, 5, 6));
  for (const nth of [2, 3, 4]) await exchange(id, midnight + nth * hour, "no_line");
  await exchange(id, midnight + 5 * hour, "timeout");

  expect(await holesOf(id)).toEqual([
    [2, 5, 3, "line_down"],
    [5, 6, 1, "no_answer"],
    [6, 7, 1, "unknown"],
  ]);
});

test("TRUST-012 without any record the reason is unknown; from a device that sends unasked nothing was received", async () => {
  const unasked = meterModels.find(
    ({ driver, tabs }) =>
      driver.kind !== "line" && Object.values(tabs).some(({ msgTypes }) => msgTypes.includes(1)),
  );
  const [polled, sender, expired] = [
    await aDevice(),
    await aDevice({ modelId: unasked?.id ?? 0 }),
    await aDevice(),
  ];
  for (const id of [polled, sender, expired]) await put(id, hoursBut(1));

  expect(await holesOf(polled)).toEqual([[1, 2, 1, "unknown"]]);
  expect(await holesOf(sender)).toEqual([[1, 2, 1, "nothing_received"]]);
  await query("insert into company_retention (company_id, kind, expired_to) values ($1, 'exchanges', $2)", [
    api.companies.first,
    midnight + 2 * hour,
  ]);
  expect(await holesOf(expired)).toEqual([[1, 2, 1, "log_expired"]]);
  await query("delete from company_retention");
});

test("TRUST-012 a device that was switched off, not polled, or not added yet", async () => {
  const [off, unpolled, young] = [await aDevice(), await aDevice(), await aDevice()];
  const switched = (id: DeviceId, action: string, time: number, after: object) =>
    query(
      "insert into audit (company_id, at, action, subject, after) values ($1, to_timestamp($2), $3, $4, $5)",
      [api.companies.first, time, action, `device ${String(id)}`, after],
    );
  await put(off, hoursBut(3, 4, 8));
  await switched(off, "device.switch", midnight + 3 * hour, { is_active: false });
  await switched(off, "device.switch", midnight + 5 * hour, { is_active: true });
  await put(unpolled, hoursBut(3));
  await switched(unpolled, "device.switchPolling", midnight - day, { is_polled: false });
  await query("update device set created_at = to_timestamp($2) where id = $1", [young, midnight + 20 * hour]);
  await put(young, hoursBut(...Array.from({ length: 20 }, (_, nth) => nth)));

  expect(await holesOf(off)).toEqual([
    [3, 5, 2, "switched_off"],
    [8, 9, 1, "unknown"],
  ]);
  expect(await holesOf(unpolled)).toEqual([[3, 4, 1, "not_scheduled"]]);
  expect(await holesOf(young)).toEqual([[0, 20, 20, "before_added"]]);
});

test("TRUST-012 a hole between rows that were imported for the time before a device was added is not its absence", async () => {
  const id = await aDevice();
  await query("update device set created_at = to_timestamp($2) where id = $1", [id, midnight + 20 * hour]);
  await put(id, hoursBut(0, 1, 7, 8, 22));

  expect(await holesOf(id)).toEqual([
    [0, 2, 2, "before_added"],
    [7, 9, 2, "nothing_received"],
    [22, 23, 1, "unknown"],
  ]);
});

/** Due and received rows of each day of a week on the board, and the shares of the strip and of a data page. */
async function weekOf(id: DeviceId) {
  const week = { start_date: now - 6 * day, stop_date: now };
  const { expected, received, reasons, days } = await typeOf(id, 1, "indications", week);
  const list = await api.ask(devices.list, { token, input: { body: { ids: [id] } } });
  const pages = await Promise.all(
    days.map(({ day: text }) => {
      const startDate = at(`${text}T00:00:00Z`) - 2 * hour;
      const body = { device_id: id, msgType: 1, startDate, stopDate: startDate + day - 1 };
      return api.ask(readings.summary, { token, input: { body } });
    }),
  );
  const shares = days.map((each) => (each.expected === 0 ? null : each.received / each.expected));
  expect(list.data.metering_devices.data[0]?.completeness).toEqual(shares);
  expect(pages.map(({ data }) => [data.expected, data.received])).toEqual(
    days.map((each) => [each.expected, each.received]),
  );
  return { expected, received, reasons: reasons.map(({ reason, missing }) => [reason, missing]) };
}
const addAt = (id: DeviceId, ts: number) =>
  query("update device set created_at = to_timestamp($2) where id = $1", [id, ts]);

test("TRUST-012 TRUST-009 a new device lowers no share: rows are due since it was added, on the board, the strip and the data page", async () => {
  const id = await aDevice();
  await addAt(id, midnight + 20 * hour + 600);
  await put(
    id,
    [21, 22, 23, 25].map((nth) => midnight + nth * hour),
  );

  const week = await weekOf(id);

  // The rest of its first day, and the second until its last hour that is over.
  expect(week).toEqual({ expected: 15, received: 4, reasons: [["unknown", 11]] });
});

test("TRUST-012 TRUST-009 with older rows they are due since the first day of these, whatever the period", async () => {
  const id = await aDevice();
  await addAt(id, midnight + 20 * hour);
  await put(
    id,
    [-47, -1, 21].map((nth) => midnight + nth * hour),
  );

  const { expected, received } = await weekOf(id);

  expect([expected, received]).toEqual([2 * 24 + 24 + 11, 3]);
});

test("TRUST-012 a gateway, company or poll group that was switched off, and what was off first of all", async () => {
  const [behind, grouped, shut] = [await aDevice(), await aDevice(), await aDevice()];
  for (const id of [behind, grouped, shut]) await put(id, hoursBut(3, 8));
  const gateway = await query(
    `insert into gateway (company_id, model_id, interface_id, name, device_id) values ($1, 601, 10, 'GW', '350000000000033')
      returning id`,
    [api.companies.first],
  );
  const group = await query(
    `insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, report_period_update,
      warning_report_period, created_at) values ($1, 'Feeders', 101, 'polled', 4, 3600, 10800, 1) returning id`,
    [api.companies.first],
  );
  const idOf = ({ rows }: typeof gateway): string => String((rows[0] as { id: number }).id);
  await query("update device set gateway_id = $2 where id = $1", [behind, idOf(gateway)]);
  await query("insert into poll_group_device (device_id, group_id, company_id) values ($1, $2, $3)", [
    grouped,
    idOf(group),
    api.companies.first,
  ]);
  const noted = (subject: string, action: string, nth: number, after: object) =>
    query(
      "insert into audit (company_id, at, action, subject, after) values ($1, to_timestamp($2), $3, $4, $5)",
      [api.companies.first, midnight + nth * hour, action, subject, after],
    );
  await noted(`gateway ${idOf(gateway)}`, "gateway.update", 2, { is_active: false });
  await noted(`gateway ${idOf(gateway)}`, "gateway.update", 4, { is_active: true });
  await noted(`gateway ${idOf(gateway)}`, "gateway.update", 5, { name: "Roof" });
  await noted(`gateway ${idOf(gateway)}`, "gateway.trash", 7, { name: "Roof" });
  await noted(`poll group ${idOf(group)}`, "pollGroup.switch", 2, { is_active: false });
  await noted(`poll group ${idOf(group)}`, "pollGroup.switch", 5, { is_active: true });

  expect((await holesOf(behind)).map(([from, , , reason]) => [from, reason])).toEqual([
    [3, "gateway_off"],
    [8, "gateway_off"],
  ]);
  expect((await holesOf(grouped)).map(([from, , , reason]) => [from, reason])).toEqual([
    [3, "group_off"],
    [8, "unknown"],
  ]);
  await noted(`company ${String(api.companies.first)}`, "company.switch", 7, { is_active: false });
  await noted(`company ${String(api.companies.first)}`, "company.switch", 9, { is_active: true });
  await noted(`device ${String(shut)}`, "device.switch", 1, { is_active: false });
  expect((await holesOf(shut)).map(([from, , , reason]) => [from, reason])).toEqual([
    [3, "switched_off"],
    [8, "company_off"],
  ]);
  await query("delete from audit where action = 'company.switch'");
  await query("delete from audit where subject = $1", [`gateway ${idOf(gateway)}`]);
  await noted(`gateway ${idOf(gateway)}`, "gateway.archive", 7, { is_archived: true });
  await noted(`gateway ${idOf(gateway)}`, "gateway.archive", 10, { is_archived: false });
  expect((await holesOf(behind)).map(([from, , , reason]) => [from, reason])).toEqual([
    [3, "unknown"],
    [8, "gateway_off"],
  ]);
});

test("TRUST-012 totals of a filter: all its devices together, by day and reason; only their number if there are many", async () => {
  const [a, b] = [await aDevice(), await aDevice()];
  await query("update device set name = 'Total ' || id, model_title = $2 where id = any($1)", [
    [a, b],
    meterModels.find(({ id }) => id === 101)?.title,
  ]);
  await put(a, hoursBut(1, 2));
  await put(b, hoursBut(2));
  const totals = (body: object) =>
    api.ask(completeness.totals, {
      token,
      language: "en",
      input: { body: { msg_type: 1, ...span, ...body } },
    });

  const { data, text } = await totals({ filter: { search_string: "total " } });
  const none = await totals({ msg_type: 10, filter: { search_string: "total " } });

  expect(data.totals, text).toEqual({
    devices: 2,
    expected: 48,
    received: 45,
    missing: 3,
    received_share: 93.75,
    reasons: [{ reason: "unknown", title: "Unknown", missing: 3 }],
    days: [{ day: "2026-06-09", expected: 48, received: 45, received_share: 93.75 }],
  });
  expect(none.data).toMatchObject({ total: 0, totals: { devices: 0, received_share: null } });
});

test("TRUST-012 a device that was switched off with its form was off as well; other changes switch nothing", async () => {
  const id = await aDevice();
  const edited = (time: number, after: object) =>
    query(
      "insert into audit (company_id, at, action, subject, after) values ($1, to_timestamp($2), 'device.edit', $3, $4)",
      [api.companies.first, time, `device ${String(id)}`, after],
    );
  await put(id, hoursBut(3, 8));
  await edited(midnight + 2 * hour, { is_active: false });
  await edited(midnight + 3 * hour, { place: "Roof" });
  await edited(midnight + 5 * hour, { is_active: true });

  expect(await holesOf(id)).toEqual([
    [3, 4, 1, "switched_off"],
    [8, 9, 1, "unknown"],
  ]);
});

test("TRUST-012 TRUST-008 a wrong clock leaves a hole in the time of receipt, also after its reading was discarded", async () => {
  const id = await aDevice();
  await put(id, hoursBut(12));
  const received = midnight + 12 * hour + 60;
  await ingest(api.services, [
    {
      ...aReading({ deviceId: id, ts: received + 40 * day, values: { tariff1: 100 } }),
      receivedAt: received,
    },
  ]);
  await exchange(id, received, "ok");

  expect(await holesOf(id)).toEqual([[12, 13, 1, "clock"]]);
  await api.ask(quarantine.discard, { token, input: { body: { device_id: id } } });
  expect(await holesOf(id)).toEqual([[12, 13, 1, "clock"]]);
  const { data } = await api.ask(completeness.time, { token, input: { body: { device_id: id, ...span } } });
  expect(data.devices.data[0]?.days).toEqual([
    {
      day: "2026-06-09",
      read_at: midnight + 23 * hour,
      clock_off: null,
      delay: 1,
      quarantined: [{ reason: "clock_ahead", count: 1 }],
    },
  ]);
});

test("DEV-020 the clock of a day is that of its last reading with the time of the meter", async () => {
  const id = await aDevice();
  const ts = midnight + 5 * hour;
  await ingest(api.services, [
    { ...aReading({ deviceId: id, ts, values: { tariff1: 1 } }), receivedAt: ts + 30, meterAt: ts + 330 },
  ]);

  const { data } = await api.ask(completeness.time, { token, input: { body: { device_id: id, ...span } } });

  expect(data.devices.data[0]?.days).toMatchObject([{ read_at: ts, clock_off: 300, delay: 30 }]);
});

test("TRUST-012 TRUST-001 a reset and other suspect rows are holes that failed a check, until they are corrected", async () => {
  const id = await aDevice();
  await put(id, hoursBut(6, 7));
  const reading = (nth: number, given: object) => ({
    ...aReading({ deviceId: id, ts: midnight + nth * hour, values: { tariff1: 100 } }),
    ...given,
  });
  await ingest(api.services, [reading(6, { status: "suspect" }), reading(7, { status: "rejected" })]);
  expect(await holesOf(id)).toEqual([[6, 8, 2, "rejected"]]);

  const meter = await aDevice();
  await ingest(
    api.services,
    [500, 510, 3, 4].map((tariff1, nth) =>
      aReading({ deviceId: meter, ts: midnight + nth * hour, values: { tariff1 } }),
    ),
  );
  // The first value after a reset is suspect; the next ones continue from it.
  expect((await holesOf(meter))[0]).toEqual([2, 3, 1, "rejected"]);

  await ingest(api.services, [reading(6, { status: "corrected", source: "manual", receivedAt: now })]);
  expect(await holesOf(id)).toEqual([[7, 8, 1, "rejected"]]);
});

test("TRUST-012 a row with one value is received, a repeat counts once, a late row fills its own hole", async () => {
  const id = await aDevice();
  await put(id, hoursBut(10, 11));
  await put(id, hoursBut(10, 11));
  await ingest(api.services, [
    aReading({ deviceId: id, ts: midnight + 10 * hour, values: { tariff1: null, tariff2: 5 } }),
  ]);
  expect(await typeOf(id)).toMatchObject({ expected: 24, received: 23, received_share: 95.833333 });

  await ingest(api.services, [
    { ...aReading({ deviceId: id, ts: midnight + 11 * hour, values: { tariff1: 100 } }), receivedAt: now },
  ]);
  expect(await typeOf(id)).toMatchObject({ expected: 24, received: 24, received_share: 100, reasons: [] });
});

test("TRUST-012 days of a clock change have 23 and 25 hours", async () => {
  const id = await aDevice();
  const of = async (date: string) => {
    const noon = at(`${date}T12:00:00Z`);
    return (await typeOf(id, 1, "indications", { start_date: noon, stop_date: noon })).days[0];
  };

  expect(await of("2026-03-29")).toMatchObject({ day: "2026-03-29", expected: 23, received: 0 });
  expect(await of("2025-10-26")).toMatchObject({ day: "2025-10-26", expected: 25, received: 0 });
});

test("TRUST-012 an archive of the meter: requested in vain, not requested yet, erased, out of reach", async () => {
  const archived = meterModels.find(({ title }) => title === "Mercury 230 ART");
  const id = await aDevice({ modelId: archived?.id ?? 0 });
  const halfHours = async (askedTo: number) => {
    await query(
      `insert into archive_state (device_id, msg_type, asked_to) values ($1, 5, $2)
        on conflict (device_id, msg_type) do update set asked_to = excluded.asked_to`,
      [id, askedTo],
    );
    return (await holesOf(id, 5, "power")).map(([from, to, , reason]) => [from, to, reason]);
  };

  expect(await halfHours(midnight + 12 * hour)).toEqual([
    [0, 12, "not_stored"],
    [12, 24, "not_requested"],
  ]);
  await exchange(id, now - 60, "timeout");
  expect(await halfHours(midnight)).toEqual([[0, 24, "no_answer"]]);
  const old = await typeOf(id, 5, "power", { start_date: now - 200 * day, stop_date: now - 200 * day });
  expect(old.reasons.map(({ reason, title }) => [reason, title])).toEqual([
    ["not_stored", expect.any(String)],
  ]);
  await query("update archive_state set asked_to = 0 where device_id = $1", [id]);
  const erased = await typeOf(id, 5, "power", { start_date: now - 200 * day, stop_date: now - 200 * day });
  expect(erased.reasons.map(({ reason }) => reason)).toEqual(["erased"]);
});

test("TRUST-012 the card counts every type with its reasons; a period is 93 days at most and not reversed", async () => {
  const id = await aDevice();
  await put(id, hoursBut(1));
  const ask = (body: object) => api.ask(completeness.card, { token, language: "en", input: { body } });

  const { data } = await ask({ device_id: id, ...span });
  expect(data.devices.data[0]?.types.map(({ msg_type }) => msg_type)).toEqual([1, 2, 5, 100, 101]);
  expect(data.devices.data[0]?.types[0]).toEqual({
    msg_type: 1,
    expected: 24,
    received: 23,
    received_share: 95.833333,
    reasons: [{ reason: "unknown", title: "Unknown", missing: 1 }],
  });
  const wrong = [
    await ask({ start_date: now - 94 * day, stop_date: now }),
    await ask({ start_date: now, stop_date: now - 1 }),
    await ask({ start_date: -62_135_596_800, stop_date: -62_135_596_800 }),
    await ask({ start_date: 253_402_300_799, stop_date: 253_402_300_799 }),
  ];
  expect(wrong.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual([
    [422, ["start_date"]],
    [422, ["stop_date"]],
    [422, ["start_date"]],
    [422, ["stop_date"]],
  ]);
});

test("TRUST-012 ACL-039 pages of a company hold its own devices by name, of a tied user only the tied ones", async () => {
  const [shown, archived, removed] = [await aDevice(), await aDevice(), await aDevice()];
  await query("update device set is_archived = true where id = $1", [archived]);
  await query("update device set deleted_at = now() where id = $1", [removed]);
  await query("update device set name = '!first' where id = $1", [shown]);
  await query(
    "insert into device_user (company_id, device_id, user_id) select company_id, $1, id from users where email = $2",
    [shown, "operator@metrum.example"],
  );
  const page = async (by: string, body: object = {}) => {
    const { data } = await api.ask(completeness.indications, {
      token: by,
      input: { body: { ...span, ...body } },
    });
    return { ...data.devices, ids: data.devices.data.map(({ device_id }) => device_id) };
  };

  const first = await page(token, { per_page: 10 });
  const second = await page(token, { per_page: 10, page: 2 });
  expect(first.ids[0]).toBe(shown);
  expect([first.ids.length, first.per_page, first.last_page]).toEqual([10, 10, Math.ceil(first.total / 10)]);
  expect(new Set([...first.ids, ...second.ids]).size).toBe(10 + second.ids.length);
  const all = await page(token, { per_page: 100 });
  expect(all.ids).not.toContain(archived);
  expect(all.ids).not.toContain(removed);
  expect((await page(await api.token("operator@metrum.example"))).ids).toEqual([shown]);
  const month = await page(token, { per_page: 100, start_date: now - 92 * day, stop_date: now });
  expect(month.per_page).toBe(25);
});
