import { periods, validation } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { october, useMonths } from "#testing/series/months";
import { compareStale } from "./compareJob.ts";

const { at, api, system, ask, call, see, close, open, closed, aPoint, aDay, wholeMonth } = useMonths();

it("TRUST-017 a closed period bills what was stored: late data are an exact difference, a correction stores them beside", async () => {
  const point = await aPoint("House 1");
  await wholeMonth(point);
  const id = await closed({ accepts_incomplete: false });
  const before = await open(id);

  await aDay(point, "2026-10-09", { amount: "0.3" });
  const after = await open(id);

  expect(before.totals.data).toMatchObject([
    { name: "House 1", field: "main", amount: 34.1, covered: 1, change: "same", difference: 0 },
  ]);
  expect(after.totals.data).toMatchObject([
    { amount: 34.1, other: { amount: 33.3 }, difference: -0.8, change: "changed" },
  ]);
  expect([after.period.version, after.versions[0]?.is_intact, after.now.differing]).toEqual([1, true, 1]);
  const corrected = await ask("correct", {
    id,
    digest: after.now.digest,
    reason: "Readings of day 9 came late",
  });
  const both = await open(id, { version: 1, compare: 2 });
  expect([corrected.status, corrected.msg, corrected.data.period.version]).toEqual([
    200,
    "Корректировка сохранена, версия 2",
    2,
  ]);
  expect(both.totals.data).toMatchObject([{ amount: 34.1, other: { amount: 33.3 }, difference: -0.8 }]);
  expect(both.versions).toMatchObject([
    { version: 2, kind: "correction", reason: "Readings of day 9 came late", made_by: "Engineer" },
    { version: 1, kind: "close", is_intact: true },
  ]);
  expect(both.resources).toMatchObject([{ resource_type_id: 3, amount: 34.1, difference: -0.8 }]);
  expect((await open(id)).now.differing).toBe(0);
});

it("TRUST-017 the closing names points that lack data and waits for a confirmation; missing is never zero", async () => {
  const [whole, half, none] = [await aPoint("Whole"), await aPoint("Half"), await aPoint("None")];
  await wholeMonth(whole);
  await aDay(half, "2026-10-01", { estimated: "0.4" });

  const { preview, incomplete } = await see();
  const refused = await close();

  expect(preview).toMatchObject({ points: 3, lacking: 2, without_data: 1, estimated: 1, state: "open" });
  expect(preview.covered).toBe(0.344_086);
  expect(incomplete.data).toMatchObject([
    { point_id: none, covered: 0, has_amount: false },
    { point_id: half, has_amount: true, estimated: 0.4 },
  ]);
  expect([refused.status, refused.code]).toEqual([409, "period_incomplete"]);
  const { totals } = await open(await closed({ accepts_incomplete: true }));
  expect(totals.data.map(({ name, amount }) => [name, amount])).toEqual([
    ["Half", 1.1],
    ["None", null],
    ["Whole", 34.1],
  ]);
});

it("TRUST-017 AP-030 after its meter was removed a point lacks nothing; of a month with half a tie its days are expected", async () => {
  const [gone, half, hole] = [await aPoint("Gone"), await aPoint("Half"), await aPoint("Hole")];
  const tie = async (point: number, from: string, to: string | null) => {
    const { rows } = await sql<{ id: number }>`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${api().companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', gen_random_uuid()::text) returning id`.execute(
      system(),
    );
    const ts = (day: string | null) => (day === null ? null : Date.parse(`${day}T00:00:00Z`) / 1000);
    await sql`insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts)
      values (${point}, ${api().companies.first}, ${rows[0]?.id ?? 0}, 'tariff0', ${ts(from)}, ${ts(to)})`.execute(
      system(),
    );
  };
  await tie(gone, "2026-07-01", "2026-09-16");
  await tie(half, "2026-07-01", "2026-10-16");
  await tie(hole, "2026-07-01", "2026-10-16");
  for (const day of october.slice(0, 15)) await aDay(half, day);
  for (const day of october.slice(0, 14)) await aDay(hole, day);
  await aDay(gone, "2026-09-15");
  await sql`delete from point_due`.execute(system());

  const { preview, incomplete } = await see();
  const september = await see("2026-09");
  const { totals } = await open(await closed({ accepts_incomplete: true }));

  expect(preview).toMatchObject({ points: 3, lacking: 1, without_data: 0, covered: 0.966_666 });
  expect(incomplete.data).toMatchObject([{ name: "Hole", covered: 0.933_333 }]);
  expect(totals.data.map(({ name, amount, covered }) => [name, amount, covered])).toEqual([
    ["Gone", null, null],
    ["Half", 16.5, 1],
    ["Hole", 15.4, 0.933_333],
  ]);
  expect(september.incomplete.data.map(({ name, covered }) => [name, covered])).toContainEqual([
    "Gone",
    0.066_666,
  ]);
  // Another meter from the next month on leaves what was expected before it.
  await tie(gone, "2026-11-01", null);
  expect((await see()).preview.lacking).toBe(1);
});

it("TRUST-017 a gap belongs to a period that holds all of it, and is covered by it", async () => {
  const [inside, across] = [await aPoint("Inside"), await aPoint("Across")];
  for (const point of [inside, across]) await wholeMonth(point);
  // Nothing is known from noon of day 9 to noon of day 11 but what was used in between.
  await aDay(inside, "2026-10-09", { amount: "0.5", known: 43_200 });
  await aDay(inside, "2026-10-10", { amount: null, known: 0 });
  await aDay(inside, "2026-10-11", {
    amount: "0.6",
    known: 43_200,
    gap: { amount: "2.2", day: "2026-10-09", sec: 172_800 },
  });
  await aDay(across, "2026-10-01", {
    amount: "0.6",
    known: 43_200,
    gap: { amount: "9.9", day: "2026-09-29", sec: 172_800 },
  });

  const { totals } = await open(await closed({ accepts_incomplete: true }));

  expect(totals.data).toMatchObject([
    { name: "Across", amount: 33.6 },
    { name: "Inside", amount: 34.1, covered: 1 },
  ]);
  expect(totals.data[0]?.covered).toBe(0.983_87);
});

it("TRUST-017 what was closed is what was seen: data between the preview and the closing refuse it", async () => {
  const point = await aPoint("Seen");
  await wholeMonth(point);
  const { digest } = (await see()).preview;
  await aDay(point, "2026-10-31", { amount: "5" });

  const refused = await ask("close", { month: "2026-10", digest });

  expect([refused.status, refused.code]).toEqual([409, "period_changed"]);
  expect((await ask("list", {})).data.periods.data.find(({ month }) => month === "2026-10")?.state).toBe(
    "open",
  );
});

it("TRUST-017 losses belong to what was seen: another share between the preview and the closing refuses it", async () => {
  const point = await aPoint("Lossy");
  await wholeMonth(point);
  await sql`insert into point_term (point_id, company_id, kind, from_ts, number)
    values (${point}, ${api().companies.first}, 'loss', 0, 0.02)`.execute(system());
  await sql`delete from point_due`.execute(system());
  const { digest } = (await see()).preview;
  await sql`update point_term set number = 0.03 where point_id = ${point}`.execute(system());
  await sql`delete from point_due`.execute(system());

  const refused = await ask("close", { month: "2026-10", digest });
  const again = (await see()).preview.digest;
  const id = (await ask("close", { month: "2026-10", digest: again })).data.period.id;

  expect([refused.status, refused.code, again === digest]).toEqual([409, "period_changed", false]);
  const { versions, now } = await open(id ?? 0);
  expect([versions[0]?.is_intact, now.digest]).toEqual([true, again]);
  await sql`update period_total set loss = loss + 1 where period_id = ${id ?? 0}`.execute(system());
  expect((await open(id ?? 0)).versions[0]?.is_intact).toBe(false);
});

it("TRUST-017 a month is closed once, when its last day is over in the zone of every point", async () => {
  await wholeMonth(await aPoint("East", "Asia/Ulaanbaatar"));
  const west = await aPoint("West", "America/New_York");
  await wholeMonth(west);
  at.now = Date.UTC(2026, 10, 1, 3, 59) / 1000;

  const early = await close({ accepts_incomplete: true });
  at.now += 60;
  const now = await close({ accepts_incomplete: true });

  expect([early.code, now.status, (await close()).code]).toEqual(["period_running", 200, "period_is_closed"]);
});

it("TRUST-017 of a running month only the days that are over can lack data", async () => {
  const [whole, hole] = [await aPoint("Whole"), await aPoint("Hole")];
  for (const day of october.slice(0, 9)) await aDay(whole, day);
  for (const day of october.slice(0, 8)) await aDay(hole, day);
  // Noon of the 10th, of which half is known.
  at.now = Date.UTC(2026, 9, 10, 12) / 1000;
  await aDay(whole, "2026-10-10", { amount: "0.5", known: 43_200 });
  const listed = async () =>
    (await ask("list", {})).data.periods.data.find(({ month }) => month === "2026-10")?.summary;

  const { preview, incomplete } = await see();

  expect(preview).toMatchObject({ state: "running", counted_to: "2026-10-09", points: 2, lacking: 1 });
  expect(preview.covered).toBe(0.944_444);
  expect(incomplete.data).toMatchObject([{ point_id: hole }]);
  expect(incomplete.data[0]?.covered).toBe(0.888_888);
  expect(await listed()).toMatchObject({ points: 2, lacking: 1 });

  // On its first day nothing is over yet.
  at.now = Date.UTC(2026, 9, 1, 12) / 1000;
  expect((await see()).preview).toMatchObject({ counted_to: "2026-09-30", lacking: 0, covered: null });
  expect(await listed()).toMatchObject({ points: 2, lacking: 0 });
  at.now = Date.UTC(2026, 10, 3) / 1000;
  expect((await see()).preview).toMatchObject({ counted_to: "2026-10-31", state: "open", lacking: 2 });
});

it("TRUST-017 a point removed, a point made later and a changed zone are differences; the version stands", async () => {
  const [gone, moved] = [await aPoint("Gone"), await aPoint("Moved")];
  for (const point of [gone, moved]) await wholeMonth(point);
  const id = await closed();

  await sql`delete from accounting_point where id = ${gone}`.execute(system());
  await sql`update accounting_point set timezone = 'Asia/Almaty' where id = ${moved}`.execute(system());
  await aDay(moved, "2026-10-01", { amount: "0.7" });
  await wholeMonth(await aPoint("New"));

  expect((await open(id)).totals.data).toMatchObject([
    {
      name: "Gone",
      amount: 34.1,
      other: { amount: null },
      difference: null,
      change: "gone",
      is_removed: true,
    },
    {
      name: "Moved",
      amount: 34.1,
      timezone: "UTC",
      other: { amount: 33.7 },
      difference: -0.4,
      change: "changed",
    },
    { name: "New", amount: null, other: { amount: 34.1 }, change: "appeared" },
  ]);
  expect((await open(id, { only_different: true, search_string: "go" })).totals.total).toBe(1);
});

it("TRUST-017 the list tells how many points differ, counted after a change of any day of the period", async () => {
  const point = await aPoint("Counted");
  await wholeMonth(point);
  await closed();
  const row = async () => (await ask("list", {})).data.periods.data.find(({ month }) => month === "2026-10");
  const first = await row();

  await aDay(point, "2026-11-01", { amount: "7" });
  const untouched = await row();
  await aDay(point, "2026-10-05", { amount: "7" });
  const marked = await row();

  expect([first, untouched]).toMatchObject([
    { state: "closed", differing: 0, is_comparing: false, summary: { points: 1, lacking: 0, covered: 1 } },
    { differing: 0, is_comparing: false },
  ]);
  expect(marked).toMatchObject({ is_comparing: true });
  expect(await compareStale(api().services)).toBe(1);
  expect(await row()).toMatchObject({ differing: 1, is_comparing: false });
});

it("TRUST-017 only an administrator opens a period again, which is said; it is closed again as a further version", async () => {
  const point = await aPoint("Again");
  await wholeMonth(point);
  const id = await closed();
  const reader = await api().ask(periods.reopen, {
    token: await api().token("operator@metrum.example"),
    input: { body: { id, reason: "No right" } },
  });

  const { data } = await ask("reopen", { id, reason: "Wrong ratio of May" });

  expect(reader.status).toBe(403);
  expect(data.period).toMatchObject({
    state: "reopened",
    reopened_by: "Engineer",
    reopen_reason: "Wrong ratio of May",
    version: 1,
  });
  await aDay(point, "2026-10-02", { amount: "2.1" });
  await closed({ reason: "Ratio put right" });
  const { versions, totals } = await open(id);
  expect([versions.map(({ kind, reason }) => [kind, reason]), totals.data[0]?.amount]).toEqual([
    [
      ["close", "Ratio put right"],
      ["close", ""],
    ],
    35.1,
  ]);
  const { rows } = await sql<{ action: string }>`
    select action from audit where action like 'period.%' order by id desc limit 3`.execute(system());
  expect(rows.map(({ action }) => action)).toEqual(["period.close", "period.reopen", "period.close"]);
});

it("TRUST-017 readings of the period that are still being computed refuse the closing", async () => {
  const point = await aPoint("Due");
  await wholeMonth(point);
  await sql`
    with meter as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${api().companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', gen_random_uuid()::text) returning id
    ), tie as (
      insert into point_device (point_id, company_id, device_id, field, from_ts)
      select ${point}, ${api().companies.first}, id, 'tariff0', ${Date.UTC(2026, 0, 1) / 1000} from meter
    )
    insert into reading_due (kind, device_id, from_ts, to_ts)
    select 1, id, ${Date.UTC(2026, 9, 30) / 1000}, ${Date.UTC(2026, 9, 30, 1) / 1000} from meter`.execute(
    system(),
  );

  const refused = await close();

  expect([(await see()).preview.recomputing, refused.code]).toEqual([1, "period_recomputing"]);
  await sql`delete from reading_due`.execute(system());
  expect((await close()).code).toBe("period_recomputing");
  await sql`delete from point_due`.execute(system());
  expect((await close()).status).toBe(200);
});

it("TRUST-017 readings of a source refuse the closing until the virtual device of a point has them", async () => {
  const point = await aPoint("Sum");
  await wholeMonth(point);
  const [from, to] = [Date.UTC(2026, 9, 30) / 1000, Date.UTC(2026, 9, 30, 1) / 1000];
  await sql`
    with made as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select ${api().companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, name, gen_random_uuid()::text
      from (values ('Source'), ('Virtual')) as of (name) returning id, name
    ), source as (
      insert into virtual_source (virtual_id, source_id, company_id)
      select v.id, s.id, ${api().companies.first} from made v, made s where v.name = 'Virtual' and s.name = 'Source'
    ), tie as (
      insert into point_device (point_id, company_id, device_id, field, from_ts)
      select ${point}, ${api().companies.first}, id, 'tariff0', ${Date.UTC(2026, 0, 1) / 1000} from made where name = 'Virtual'
    )
    insert into reading_due (kind, device_id, from_ts, to_ts)
    select 2, id, ${from}, ${to} from made where name = 'Source'`.execute(system());
  await sql`delete from point_due`.execute(system());

  expect([(await see()).preview.recomputing, (await close()).code]).toEqual([1, "period_recomputing"]);
  await sql`delete from reading_due`.execute(system());
  expect((await close()).status).toBe(200);
});

it("TRUST-017 the preview counts open exceptions of the month in the zone of each point, and the inbox names them", async () => {
  const point = await aPoint("Doubted", "Asia/Ulaanbaatar");
  const end = Date.UTC(2026, 9, 31, 16) / 1000;
  await sql`
    with meter as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${api().companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', gen_random_uuid()::text) returning id
    )
    insert into validation_exception (company_id, device_id, point_id, kind, field, msg_type, from_ts, to_ts, values_n, code,
      evidence, numbers, found_at, outcome, closed_at)
    select ${api().companies.first}, meter.id, of.point_id, of.kind, 'tariff0', 1, of.from_ts, of.to_ts, 1, 'spike', '{}', '{}', 1,
      of.outcome, case when of.outcome is null then null else 2 end
    from meter cross join (values
      (${point}::int, 'spike', ${end - 3600}::bigint, ${end - 3600}::bigint, null),
      (${point}, 'gap', ${end - 60}, ${end + 86_400}, null),
      (${point}, 'frozen', ${end}, ${end + 86_400}, null),
      (${point}, 'reverse_flow', ${end + 1}, ${end + 86_400}, null),
      (${point}, 'low', ${end - 7200}, ${end - 7200}, 'accepted'),
      (null, 'high', ${end - 7200}, ${end - 7200}, null)
    ) of (point_id, kind, from_ts, to_ts, outcome)`.execute(system());

  const { preview } = await see();
  const inbox = await call(validation.list, { input: { body: { month: "2026-10" } } });

  // The register at midnight bills the month that ends there and begins the next.
  expect(preview.exceptions).toBe(3);
  expect(inbox.data.exceptions.data.map(({ kind }) => kind).toSorted()).toEqual(["frozen", "gap", "spike"]);
  expect((await see("2026-11")).preview.exceptions).toBe(3);
});

it("TRUST-017 a stored version can be neither changed nor removed by a call, and a change shows in its digest", async () => {
  const point = await aPoint("Proof");
  await wholeMonth(point);
  const id = await closed();

  for (const statement of [
    "update period_total set amount = 1",
    "delete from period_total",
    "delete from period_version",
  ])
    await expect(
      system()
        .transaction()
        .execute(async (db) => {
          await sql`set local role metrum_api`.execute(db);
          await sql.raw(statement).execute(db);
        }),
    ).rejects.toThrow("permission denied");
  await sql`update period_total set amount = amount + 1 where period_id = ${id}`.execute(system());

  expect((await open(id)).versions[0]?.is_intact).toBe(false);
});
