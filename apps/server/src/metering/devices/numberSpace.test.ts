import { bridge } from "@metrum/contract/headend";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { openDatabaseAt, releasedStep, type OldDatabase } from "#testing/migrations";
import { makeFixture, type Fixture } from "#testing/records";

describe("DEV-059 a database of the previous release", () => {
  let old: OldDatabase;
  const one = async <Row extends object>(text: string): Promise<Row> => {
    const { rows } = await old.pool.query<Row>(text);
    const [row] = rows;
    if (!row) throw new Error(`no row: ${text}`);
    return row;
  };
  beforeAll(async () => {
    old = await openDatabaseAt(releasedStep);
    await old.pool.query(`
      insert into company (path, name, active_modules) values ('1', 'Old', '[]');
      insert into users (company_id, email, name, password_hash) values (1, 'a@old.example', 'A', '');
      insert into gateway (company_id, model_id, interface_id, name, device_id)
        select 1, 601, 4, 'GW ' || n, 'imei ' || n from generate_series(1, 5) n;
      insert into base_station (company_id, model_id, name, device_id)
        select 1, 701, 'BS ' || n, 'eui ' || n from generate_series(1, 7) n;
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id,
          base_station_id, name, "deviceID")
        select 1, 101, 'M', 4, 3, 4, n, n, 'D ' || n, n::text from generate_series(1, 4) n;
      delete from device where id = 4;
      insert into modem_connection (port, identity, profile, state, is_online, ip_address, connected_at, last_at, gateway_id)
        values (7001, 'imei 2', 'p', 'live', false, '10.0.0.1', 1, 1, 2);
      insert into transparent_port (company_id, gateway_id, user_id, session_id, address, line, process_id, asked_at, ends_at)
        values (1, 3, 1, 1, '10.0.0.1', 'modem:3', 1, 1, 2);
      insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, steps)
        values (2, 1790000000000, 1, 0, 1, 5, 'modem:2', '[]'), (3, 1790000000000, 1, 0, 1, 5, 'modem:5', '[]');
      insert into audit (company_id, action, subject) values (1, 'bridge.open', 'gateway 3'), (1, 'device.switch', 'device 3')`);
    await old.upgrade();
  });
  afterAll(() => old.drop());

  test("has unique numbers, and devices keep theirs", async () => {
    const numbers = await one<{ n: number; distinct: number; devices: number[] }>(`
      with every as (select id from device union all select id from gateway union all select id from base_station)
      select count(*)::int as n, count(distinct id)::int as distinct,
        (select array_agg(id order by id) from device) as devices from every`);

    expect(numbers).toEqual({ n: 15, distinct: 15, devices: [1, 2, 3] });
  });

  test("keeps every reference, also of lines and the audit log", async () => {
    const { rows: devices } = await old.pool.query<{ device: string; gateway: string; station: string }>(`
      select d.name as device, g.name as gateway, b.name as station
      from device d join gateway g on g.id = d.gateway_id join base_station b on b.id = d.base_station_id order by d.id`);
    const kept = await one<Record<string, unknown>>(`
      select (select name from gateway g join modem_connection c on c.gateway_id = g.id) as modem,
        (select g.name from gateway g join transparent_port p on p.gateway_id = g.id and p.line = 'modem:' || g.id) as port,
        (select array_agg(g.name order by g.name) from poll_log l join gateway g on l.line = 'modem:' || g.id) as log,
        (select g.name from audit a join gateway g on a.subject = 'gateway ' || g.id) as audit,
        (select count(*)::int from audit where subject = 'device 3') as device`);

    expect(devices).toEqual(
      [1, 2, 3].map((n) => ({ device: `D ${n}`, gateway: `GW ${n}`, station: `BS ${n}` })),
    );
    expect(kept).toEqual({ modem: "GW 2", port: "GW 3", log: ["GW 2", "GW 5"], audit: "GW 3", device: 1 });
  });

  test("reuses no number, not even that of something deleted", async () => {
    const before = await one<{ most: number }>(
      "select greatest(max(d.id), max(g.id), max(b.id)) as most from device d, gateway g, base_station b",
    );
    await old.pool.query("delete from base_station where id = (select max(id) from base_station)");
    const made = await one<{ gateway: number; station: number; device: number }>(`
      with g as (insert into gateway (company_id, model_id, interface_id, name, device_id) values (1, 601, 4, 'N', 'n') returning id),
        b as (insert into base_station (company_id, model_id, name, device_id) values (1, 701, 'N', 'n') returning id),
        d as (insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
          values (1, 101, 'M', 4, 3, 4, 'N', 'n') returning id)
      select g.id as gateway, b.id as station, d.id as device from g, b, d`);

    const ids = Object.values(made);
    expect(new Set(ids).size).toBe(3);
    for (const id of [...ids, 4]) expect(id === 4 || id > before.most).toBe(true);
    const { rows } = await old.pool.query("select from gateway where id <= 4");
    expect(rows).toEqual([]);
  });
});

describe("DEV-059 an id of another kind", () => {
  let api: TestApi;
  let fixture: Fixture;
  beforeAll(async () => {
    api = await openTestApi();
    fixture = await makeFixture(api);
  });
  afterAll(() => api.close());

  test("is unknown to a call, whatever kind the call is for", async () => {
    const { device, gateway } = fixture.ours;
    const token = await api.token("engineer@metrum.example");
    const ask = (device_id: number, model_class_id: 1 | 2) =>
      api.ask(bridge.switch, { token, input: { body: { device_id, model_class_id, on: false } } });

    expect(device).not.toBe(gateway);
    expect((await ask(device, 1)).status).toBe(200);
    expect((await ask(gateway, 2)).status).toBe(200);
    expect((await ask(gateway, 1)).status).toBe(404);
    expect((await ask(device, 2)).status).toBe(404);
  });
});
