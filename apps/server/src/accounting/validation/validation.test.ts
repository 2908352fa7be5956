import { accountingPoints, pointDevices, validation, validationBounds } from "@metrum/contract/accounting";
import { meterModels } from "@metrum/catalogue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeviceId } from "@metrum/vocabulary";
import { ingest, type Incoming } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { at } from "#testing/readings";
import { statementsOf } from "#testing/statements";
import { addStep } from "./run/exceptionStore.ts";
import { validateSpan } from "./run/run.ts";
import type { ExceptionId } from "./tables.ts";

let api: TestApi;
let token: string;
const hour = 3600;
const start = at("2026-10-01T22:00:00Z");
const days = 40;
const now = start + days * 24 * hour;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

/** Hourly archive of a meter that draws 1 to 3 kWh an hour, with values in the place of some. */
function archive(
  deviceId: DeviceId,
  odd: Readonly<Record<number, number | null>> = {},
  hours = days * 24,
): Incoming[] {
  let level = 1000;
  return Array.from({ length: hours }, (_, n) => {
    level = Math.round((level + loadOf(n)) * 1000) / 1000;
    const value = n in odd ? odd[n] : level;
    return {
      deviceId,
      msgType: 100,
      ts: start + n * hour,
      receivedAt: start + n * hour + 5,
      source: "polled" as const,
      value,
    };
  }).flatMap(({ value, ...rest }) =>
    typeof value === "number" ? [{ ...rest, values: { tariff0: value } }] : [],
  );
}
const loadOf = (n: number): number => 1 + (n % 24) / 12;
const levelAt = (n: number): number =>
  Math.round((1000 + Array.from({ length: n + 1 }, (_, k) => loadOf(k)).reduce((a, b) => a + b, 0)) * 1000) /
  1000;

const all = { from: start, to: now };
const judge = (deviceId: DeviceId) => validateSpan(api.services, { deviceId, ...all });
async function open(deviceId: DeviceId, state: "open" | "closed" = "open") {
  const { data, text } = await api.ask(validation.list, {
    token,
    language: "en",
    input: { body: { state, per_page: 250 } },
  });
  expect(text).toContain("exceptions");
  return data.exceptions.data.filter((each) => each.device_id === deviceId);
}
async function stored(deviceId: DeviceId, n: number) {
  const { rows } = await sql<{
    status: number;
    source: number;
    v: number;
    extra: { method?: string } | null;
  }>`
    select status, source, v[1] as v, extra from message
    where device_id = ${deviceId} and msg_type = 100 and ts = ${start + n * hour}`.execute(
    api.services.database.system,
  );
  return rows[0];
}
const ask = (verb: "accept" | "reject" | "estimate", id: number) => {
  const { accept, reject, estimate } = validation;
  return api.ask({ accept, reject, estimate }[verb], { token, input: { body: { exception_ids: [id] } } });
};

async function aMeter(odd: Readonly<Record<number, number | null>>): Promise<DeviceId> {
  const deviceId = await addMeter(api);
  await ingest(api.services, archive(deviceId, odd));
  await judge(deviceId);
  return deviceId;
}
/** One reading far too high in an hour of the last days. */
const n = 900;
const spiked = (): Promise<DeviceId> => aMeter({ [n]: levelAt(n) + 70 });
const hole = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [n + k, null]));

test("TRUST-015 a doubted value waits with its evidence, and a wrong one is found once however often it is judged", async () => {
  const deviceId = await spiked();
  await judge(deviceId);

  const found = await open(deviceId);
  const spike = found.find(({ kind }) => kind === "spike");

  // The fall after it has the same cause.
  expect(found.map(({ kind }) => kind)).toEqual(["spike"]);
  expect(spike).toMatchObject({ kind_title: "Spike", startDate: start + n * hour, values: 1 });
  expect(spike?.summary).toMatch(/^1 value, up to \d+\.\d{3}.kWh, ×\d+/);
  // Doubt alone alters no bill: the value stays until a person has decided.
  expect((await stored(deviceId, n))?.status).toBe(1);
});

test("TRUST-016 an estimate is marked, fitted to the readings around, and what it changes is said before", async () => {
  const deviceId = await spiked();
  const [spike] = (await open(deviceId)).filter(({ kind }) => kind === "spike");
  if (!spike) throw new Error("no spike");

  const { data: opened } = await api.ask(validation.get, {
    token,
    input: { body: { exception_id: spike.id } },
  });
  expect(opened.proposal?.method).toBe("interpolation");
  expect(opened.chart.estimate).toHaveLength(1);
  expect(opened.chart.suspect).toHaveLength(1);
  expect(opened.changes.map(({ period }) => period)).toEqual(["day", "month"]);
  expect(opened.can).toEqual({ accept: true, reject: true, estimate: true, ask: true, undo: false });

  const body = { exception_ids: [spike.id], method: "given" as const };
  const without = await api.ask(validation.estimate, { token, input: { body } });
  expect([without.status, Object.keys(without.attributes)]).toEqual([422, ["amount"]]);

  const answer = await ask("estimate", spike.id);
  expect(answer.data).toEqual({ decided: 1, left: 0 });
  expect(await stored(deviceId, n)).toMatchObject({
    status: 5,
    source: 5,
    extra: { method: "interpolation" },
  });
  // The reading after it had been taken for a fall; it is trusted again.
  expect(await stored(deviceId, n + 1)).toMatchObject({ status: 1, v: levelAt(n + 1) });

  await judge(deviceId);
  expect(await open(deviceId)).toEqual([]);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from message_revision
    where device_id = ${deviceId} and ts = ${start + n * hour}`.execute(api.services.database.system);
  expect(rows[0]?.n).toBeGreaterThan(0);
});

test("TRUST-016 an estimate gives way to a measured value that comes later", async () => {
  const deviceId = await aMeter(hole);
  const [gap] = (await open(deviceId)).filter(({ kind }) => kind === "gap");
  if (!gap) throw new Error("no gap");
  expect(gap.values).toBe(12);
  await ask("estimate", gap.id);
  const estimate = await stored(deviceId, n + 3);
  expect(estimate).toMatchObject({ status: 5, source: 5, extra: { method: "same_day_type" } });
  // Fitted between the readings around: the levels never leave them.
  expect(estimate?.v).toBeGreaterThan(levelAt(n - 1));
  expect(estimate?.v).toBeLessThan(levelAt(n + 12));

  await ingest(api.services, archive(deviceId));

  expect(await stored(deviceId, n + 3)).toMatchObject({ status: 1, source: 1, v: levelAt(n + 3) });
});

test("TRUST-015 an exception closes by itself when later data remove its cause, with the reason", async () => {
  const deviceId = await aMeter(hole);
  expect((await open(deviceId)).map(({ kind }) => kind)).toEqual(["gap"]);

  await ingest(api.services, archive(deviceId));
  await judge(deviceId);

  expect(await open(deviceId)).toEqual([]);
  const [gone] = await open(deviceId, "closed");
  expect(gone).toMatchObject({ outcome: "gone", outcome_reason: "The gap is filled" });
});

test("TRUST-015 an exception that lasts an odd number of seconds is opened with half of it on both sides", async () => {
  const deviceId = await aMeter(hole);
  const [gap] = await open(deviceId);
  const lasts = 20 * hour + 1;
  await sql`update validation_exception set to_ts = from_ts + ${lasts} where id = ${gap?.id ?? 0}`.execute(
    api.services.database.system,
  );

  const { status, data } = await api.ask(validation.get, {
    token,
    input: { body: { exception_id: gap?.id ?? 0 } },
  });

  expect(status).toBe(200);
  expect(data.chart.stopDate - data.chart.startDate).toBe(lasts + 2 * Math.ceil(lasts / 2));
});

test("TRUST-015 accepted values are confirmed, the rule stays silent for them, and a decision is taken back", async () => {
  const deviceId = await addMeter(api);
  const jump = archive(deviceId).map((each) =>
    each.ts < start + n * hour ? each : { ...each, values: { tariff0: (each.values["tariff0"] ?? 0) + 70 } },
  );
  await ingest(api.services, jump);
  await judge(deviceId);
  const [spike, ...others] = await open(deviceId);
  expect([spike?.kind, others]).toEqual(["spike", []]);

  await ask("accept", spike?.id ?? 0);
  await judge(deviceId);
  expect(await open(deviceId)).toEqual([]);
  expect((await stored(deviceId, n))?.status).toBe(6);
  expect((await ask("reject", spike?.id ?? 0)).code).toBe("validation_closed");

  const undone = await api.ask(validation.undo, { token, input: { body: { exception_id: spike?.id ?? 0 } } });
  expect(undone.data.restored).toBe(1);
  expect((await stored(deviceId, n))?.status).toBe(1);
  expect((await open(deviceId)).map(({ id }) => id)).toEqual([spike?.id]);
});

test("TRUST-001 TRUST-015 refused values enter nothing and leave a gap; undo puts every value back", async () => {
  const deviceId = await spiked();
  const [spike] = (await open(deviceId)).filter(({ kind }) => kind === "spike");
  const before = await stored(deviceId, n);
  await ask("reject", spike?.id ?? 0);
  expect((await stored(deviceId, n))?.status).toBe(4);
  // A retry of the meter does not lift it by itself: the same question is asked again.
  await ingest(api.services, archive(deviceId, { [n]: levelAt(n) + 70 }).slice(n, n + 1));
  await judge(deviceId);

  await api.ask(validation.undo, { token, input: { body: { exception_id: spike?.id ?? 0 } } });
  expect(await stored(deviceId, n)).toEqual(before);
  const { rows } = await sql<{ action: string }>`
    select action from audit where action like 'validation.%' and subject = ${`device ${String(deviceId)}`} order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ action }) => action)).toEqual(["validation.reject", "validation.undo"]);
});

test("TRUST-014 rules are set for the company, a resource, a model and a point: the most specific one holds", async () => {
  const deviceId = await spiked();
  const body = { kind: "spike", resource: "electricity", is_on: false, parameters: {} } as const;
  const { data } = await api.ask(validation.saveRule, { token, input: { body } });
  expect(data.rules).toContainEqual(
    expect.objectContaining({ kind: "spike", resource: "electricity", is_on: false }),
  );

  await judge(deviceId);
  expect((await open(deviceId)).map(({ kind }) => kind)).not.toContain("spike");
  const closed = await open(deviceId, "closed");
  expect(closed.find(({ kind }) => kind === "spike")?.outcome_reason).toBe(
    "The rule was switched off or changed",
  );

  const wrong = { ...body, parameters: { factor: 9000, colour: 1 } };
  const refused = await api.ask(validation.saveRule, { token, input: { body: wrong } });
  expect([refused.status, Object.keys(refused.attributes).sort()]).toEqual([
    422,
    ["parameters.colour", "parameters.factor"],
  ]);
  await api.ask(validation.resetRule, { token, input: { body: { kind: "spike", resource: "electricity" } } });
  await judge(deviceId);
  expect((await open(deviceId)).map(({ kind }) => kind)).toContain("spike");
});

test("TRUST-014 the rules of a point and a model say where they come from, and give way to what is inherited", async () => {
  const modelId = meterModels.find((model) => model.resource === "electricity")?.id;
  const { data: made } = await api.ask(accountingPoints.create, {
    token,
    input: { body: { title: "Input", resource_type_id: 3, timezone: "Etc/UTC" } },
  });
  const deviceId = await addMeter(api);
  const point_id = made.accounting_point.id;
  await api.ask(pointDevices.tieDevice, {
    token,
    input: { body: { accounting_point_id: point_id, device_id: deviceId } },
  });
  const held = async (subject: object) => {
    const { data } = await api.ask(validation.rules, { token, input: { body: subject } });
    const spike = data.holding.find(({ kind }) => kind === "spike");
    return [spike?.is_own, spike?.source, spike?.parameters["factor"], spike?.inherited.source];
  };
  const save = (scope: object, factor: number) =>
    api.ask(validation.saveRule, {
      token,
      input: { body: { kind: "spike", ...scope, is_on: true, parameters: { factor } } },
    });

  const usual = await held({ point_id });
  await save({ model_id: modelId }, 4);
  const ofModel = await held({ point_id });
  await save({ point_id }, 6);
  const ofPoint = await held({ point_id });
  const other = await held({ resource: "electricity" });
  const wrong = await save({ model_id: 999_999 }, 4);
  await api.ask(validation.resetRule, { token, input: { body: { kind: "spike", point_id } } });
  const after = await held({ point_id });
  await api.ask(validation.resetRule, { token, input: { body: { kind: "spike", model_id: modelId } } });

  expect(usual).toEqual([false, "default", other[2], "default"]);
  expect([ofModel, ofPoint, other[1]]).toEqual([
    [false, "model", 4, "model"],
    [true, "point", 6, "model"],
    "default",
  ]);
  expect([after, wrong.status, Object.keys(wrong.attributes)]).toEqual([ofModel, 422, ["model_id"]]);
});

test("TRUST-014 ACL-039 a rule of a point has what measures the point judged again, and nothing else", async () => {
  const { system } = api.services.database;
  const [device, other] = [await addMeter(api), await addMeter(api)];
  const { data } = await api.ask(accountingPoints.create, {
    token,
    input: { body: { title: "Input", resource_type_id: 3, timezone: "Etc/UTC" } },
  });
  const point_id = data.accounting_point.id;
  await api.ask(pointDevices.tieDevice, {
    token,
    input: { body: { accounting_point_id: point_id, device_id: device } },
  });
  await sql`
    insert into validation_exception (company_id, device_id, kind, field, msg_type, from_ts, to_ts, values_n, code, evidence,
      numbers, found_at)
    select company_id, id, 'unit', 'tariff0', 100, ${start}, ${start}, 1, 'unit', '{}', '{}', ${start}
    from device where id = any(${[device, other]}::int[])`.execute(system);
  await sql`delete from reading_due`.execute(system);

  const rule = { kind: "unit", point_id } as const;
  await api.ask(validation.saveRule, { token, input: { body: { ...rule, is_on: false, parameters: {} } } });

  const { rows } = await sql<{ device_id: number }>`select distinct device_id from reading_due`.execute(
    system,
  );
  await sql`delete from validation_exception where kind = 'unit'`.execute(system);
  expect(rows.map(({ device_id }) => device_id)).toEqual([device]);
});

test("TRUST-015 a whole rule is decided at once, and the summary counts what is left", async () => {
  await spiked();
  const filter = { kind: "spike" } as const;
  const { data: before } = await api.ask(validation.summary, { token, input: { body: filter } });
  const { data } = await api.ask(validation.reject, { token, input: { body: { filter } } });
  const { data: after } = await api.ask(validation.summary, { token, input: { body: filter } });

  expect(data.decided).toBe(before.groups[0]?.count);
  expect(data.left).toBe(0);
  expect(after.groups).toEqual([]);
  expect(after.closed_today).toBeGreaterThanOrEqual(data.decided);
});

test("TRUST-015 of an exception that comes and goes the newest steps are kept, and every comment", async () => {
  const deviceId = await spiked();
  const [spike] = await open(deviceId);
  if (!spike) throw new Error("no spike");
  const comment = (text: string) =>
    api.ask(validation.comment, { token, input: { body: { exception_id: spike.id, text } } });

  await comment("Seen at the meter");
  const times = validationBounds.steps + 5;
  for (let at = 1; at <= times; at++)
    await addStep(api.services.database.system, {
      exceptionId: spike.id as ExceptionId,
      companyId: api.companies.first,
      at: now + at,
      action: at % 2 === 0 ? "gone" : "returned",
    });
  await comment("Still there");

  const { data } = await api.ask(validation.get, { token, input: { body: { exception_id: spike.id } } });
  const kept = data.steps.filter(({ action }) => action !== "comment");
  expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([validationBounds.steps, now + 6, now + times]);
  expect(data.steps.filter(({ action }) => action === "comment").map(({ text }) => text)).toEqual([
    "Seen at the meter",
    "Still there",
  ]);
});

test("TRUST-014 of a device that was never heard one statement is asked, and its exceptions still go", async () => {
  const silent = await addMeter(api);
  const heard = await spiked();

  expect(await statementsOf(api, () => judge(silent))).toHaveLength(1);
  await sql`delete from message where device_id = ${heard}`.execute(api.services.database.system);
  await judge(heard);

  expect(await open(heard)).toEqual([]);
  const closed = await open(heard, "closed");
  expect(closed.map(({ outcome }) => outcome)).toContain("gone");
});
