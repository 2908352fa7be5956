import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unpackSteps } from "#headend/exchanges";
import { openDatabaseAt, releasedStep, type OldDatabase } from "#testing/migrations";

const now = Math.floor(Date.now() / 1000);
const steps = [{ label: "a", try: 1, tries: 3, at: 0, answered: 4, ended: 9, sent: "0103", received: "0a" }];

describe("TRUST-022 a database of the previous release", () => {
  let old: OldDatabase;
  const rowsOf = async (text: string) => (await old.pool.query<Record<string, unknown>>(text)).rows;
  const before = new Map<string, unknown>();
  const asked = {
    log: "select device_id, started_ms, received_at, kind, result, tries, duration_ms, line, readings, message, device_task_id from poll_log order by 1, 2",
    tasks:
      "select id, company_id, user_id, title, title_en, command_type, status_id, management, created_at, expires_at, ended_at from device_task order by id",
    items:
      "select task_id, device_id, company_id, status_id, result, message, planned_at, started_ms, ended_at from device_task_item order by 1, 2",
    messages: "select * from uplink_aside order by id",
    audit:
      "select company_id, at, id, user_id, impersonator_id, address, action, subject, before, after, result, via from audit order by id",
  };
  beforeAll(async () => {
    old = await openDatabaseAt(releasedStep);
    await old.pool.query(
      `
      insert into company (path, name, active_modules) values ('1', 'Old', '[]'), ('2', 'Empty', '[]');
      insert into users (company_id, email, name, password_hash) values (1, 'a@old.example', 'A', '');
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
        select 1, 101, 'M', 4, 3, 4, 'D ' || n, n::text from generate_series(1, 3) n;
      insert into poll_log (device_id, started_ms, received_at, kind, result, tries, duration_ms, line, readings, message, device_task_id, steps)
        select 1 + n % 3, (${String(now)} - n * 43200)::bigint * 1000 + n, null, 1, n % 4, 1, 5, 'line', n, 'm', null, '${JSON.stringify(steps)}'
        from generate_series(0, 99) n;
      insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, steps) values (1, 12345, 1, 0, 1, 5, 'wrong clock', '[]');
      insert into device_task (company_id, user_id, title, command_type, status_id, management, created_at, expires_at)
        select 1, 1, 'T ' || n, 'poll', 1 + n % 6, '{"a": 1}', ${String(now)} - n * 864000, ${String(now)} from generate_series(1, 20) n;
      insert into device_task_item (task_id, device_id, company_id, status_id)
        select t, d, 1, 1 + t % 6 from generate_series(1, 20) t, generate_series(1, 3) d;
      insert into uplink_aside (company_id, received_at, topic, payload, reason, network_id)
        select 1 + n % 2, ${String(now)} - n * 86400, 't', '\\x0102', 'unknown device', nullif('eui' || n % 5, 'eui0') from generate_series(1, 100) n;
      insert into audit (company_id, at, action, subject, before, after, via)
        select 1, now() - make_interval(days => n * 11), 'auth.login', 'user 1', '{"x": 1}', null, 'token' from generate_series(0, 90) n`,
    );
    for (const [name, text] of Object.entries(asked)) before.set(name, await rowsOf(text));
    await old.upgrade();
  });
  afterAll(() => old.drop());

  test("keeps every row of the exchange log, the tasks, the audit log and the messages in quarantine", async () => {
    for (const [name, text] of Object.entries(asked))
      expect(await rowsOf(text), name).toEqual(before.get(name));
    const kept = await old.pool.query<{ steps: Buffer }>("select steps from poll_log where readings = 7");
    expect(unpackSteps(kept.rows[0]?.steps ?? Buffer.of())).toEqual(steps);
  });

  test("has them in partitions, with rows of implausible times in the default partition", async () => {
    const [rest] = await rowsOf(`
      select (select count(*)::int from poll_log_rest) as log, (select count(*)::int from device_task_rest) as tasks,
        (select count(*)::int from device_task_item_rest) as items, (select count(*)::int from audit_rest) as audit,
        (select count(*)::int from uplink_aside_rest) as messages`);

    expect(rest).toEqual({ log: 0, tasks: 0, items: 0, audit: 0, messages: 0 });
    const [early] = await rowsOf(
      "select tableoid::regclass::text as name from poll_log where line = 'wrong clock'",
    );
    expect(early).toEqual({ name: "poll_log_1970" });
  });

  test("keeps counting, with the same row-level security", async () => {
    const [made] = await rowsOf(`
      with t as (insert into device_task (company_id, title, command_type, created_at, expires_at)
          values (1, 'next', 'poll', ${String(now)}, ${String(now)}) returning id),
        a as (insert into audit (company_id, action) values (1, 'auth.login') returning id),
        m as (insert into uplink_aside (company_id, received_at, topic, payload, reason)
          values (1, ${String(now)}, 't', '', 'next') returning id)
      select t.id as task, a.id as audit, m.id as message from t, a, m`);
    const [walls] = await rowsOf(`
      select bool_and(relrowsecurity and relforcerowsecurity) as rows,
        bool_and(not has_table_privilege('metrum_api', oid, 'delete')) as kept,
        has_table_privilege('metrum_api', 'audit', 'update') as changed
      from pg_class where relname in ('device_task', 'device_task_item', 'audit', 'uplink_aside')`);

    expect(made).toEqual({ task: 21, audit: 92, message: 101 });
    expect(walls).toEqual({ rows: true, kept: true, changed: false });
  });

  test("reports since when it has exchanges: they were kept for 30 days", async () => {
    const [row] = await rowsOf("select company_id, kind, months, expired_to from company_retention");

    expect(row).toMatchObject({ company_id: 1, kind: "exchanges", months: null });
    expect(row?.["expired_to"]).toBe(12);
  });
});
