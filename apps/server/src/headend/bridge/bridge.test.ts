import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { promisify } from "node:util";
import { auth } from "@metrum/contract/access";
import { bridge, bridgeBounds, control, modelClasses, pollResults, tasks } from "@metrum/contract/headend";
import { toHex } from "@metrum/protocols/core";
import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBus, openDatabase, type Database } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { placeConverters, registerPark } from "#testing/park";
import { until } from "#testing/until";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { startPlanner } from "../polling/planner.ts";
import { anotherProcess } from "#testing/anotherProcess";

/** A modem with Modbus meters, and a Modbus TCP converter. */
const demo = demoPlan(5);
const meter = demo.devices.find(({ modelId }) => modelId === 101);
const behindConverter = demo.devices.find(({ modelId }) => modelId === 104);
if (!meter || !behindConverter) throw new Error("the plan has no such meters");
const plan: Plan = {
  baseStations: [],
  devices: [meter, behindConverter],
  gateways: demo.gateways
    .filter(({ key }) => key === meter.gateway || key === behindConverter.gateway)
    .map((gateway) => (gateway.port === undefined ? gateway : { ...gateway, port: 0 })),
};

let api: TestApi;
/** The process that holds the lines shares nothing with that of the API except the database. */
let database: Database;
let dialogue: Dialogue;
let stopPlanner: () => Promise<void>;
let park: Park;
let ids: number[];
let token: string;
const sockets: Socket[] = [];
const ports = { first: 23_100, last: 23_110 };

beforeAll(async () => {
  api = await openTestApi({
    env: {
      METRUM_MODEM_PORTS: "0:imei",
      METRUM_MQTT_PORT: "0",
      METRUM_BRIDGE_PORTS: `${String(ports.first)}-${String(ports.last)}`,
    },
  });
  database = openDatabase({ ...api.database.connection, max: 6 });
  const bus = createBus((error) => {
    throw error;
  });
  const services = anotherProcess(api.services, { database, bus });
  dialogue = await openDialogue(services);
  stopPlanner = startPlanner(services);
  ids = await registerPark(api.services.database, api.companies.first, plan);
  park = await startPark(plan, { host: "127.0.0.1", ports: { modem: dialogue.ports.modemPorts[0] ?? 0 } });
  await placeConverters(api.services.database, plan, park);
  token = await api.token("engineer@metrum.example");
  const line = `modem:${String(await gatewayOf(idOf(101)))}`;
  await until(() => dialogue.ports.lines.held(line)?.isOpen === true);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const id of ids) await ask(id, false);
});
afterAll(async () => {
  await stopPlanner();
  await dialogue.stop();
  await park.stop();
  await database.close();
  await api.close();
});

const idOf = (modelId: number): number =>
  ids[plan.devices.findIndex((each) => each.modelId === modelId)] ?? 0;

async function gatewayOf(deviceId: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select gateway_id as id from device where id = ${deviceId}`.execute(api.services.database.system);
  return rows[0]?.id ?? 0;
}

const ask = (device_id: number, on: boolean, by = token) =>
  api.ask(bridge.switch, { token: by, language: "en", input: { body: { device_id, on } } });

async function openPort(device_id: number): Promise<number> {
  const { status, data, text } = await ask(device_id, true);
  expect(status, text).toBe(200);
  return data.port ?? 0;
}

async function client(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Reads two input registers (the voltage of phase 1) of the Modbus meter with this address. */
function request(address: number): Uint8Array {
  const head = [address, 4, 0, 0, 0, 2];
  let crc = 0xffff;
  for (const byte of head) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return Uint8Array.from([...head, crc & 255, crc >> 8]);
}

async function exchange(socket: Socket, sent: Uint8Array, length: number): Promise<string> {
  const parts: Uint8Array[] = [];
  const enough = new Promise<void>((resolve) => {
    socket.on("data", (bytes: Uint8Array) => {
      parts.push(bytes);
      if (parts.reduce((sum, part) => sum + part.length, 0) >= length) resolve();
    });
  });
  socket.write(sent);
  await enough;
  return toHex(Uint8Array.from(parts.flatMap((part) => [...part])));
}

async function listed(id: number, by = token) {
  const { data } = await api.ask(bridge.list, {
    token: by,
    input: { body: { sort_field: "id", sort: "desc" } },
  });
  return data.data.find((row) => row.device_id === id);
}

const isClosed = async (id: number) => (await listed(id))?.is_active === false;

test("CTRL-019: a transparent port is connected byte for byte to the line of a modem, and both directions are logged", async () => {
  const id = idOf(101);
  const port = await openPort(id);
  const address = Number(meter.insideAddr);

  const answer = await exchange(await client(port), request(address), 9);

  expect(port).toBeGreaterThanOrEqual(23100);
  expect(answer.slice(0, 6)).toBe(`${address.toString(16).padStart(2, "0")}0404`);
  const closed = await ask(id, false);
  expect([closed.status, closed.data.port]).toEqual([200, null]);
  const input = { body: { device_id: id, type_id: 20, steps: true } };
  const row = await until(async () => (await api.ask(tasks.logs, { token, input })).data.logs.data[0]);
  expect((await listed(id))?.bytes_received).toBe(9);
  expect(row.steps?.[0]).toMatchObject({ sent: toHex(request(address)), received: answer });
  expect(row.message).toMatch(/8 bytes to the line, 9 from it/);
  const { rows } = await sql<{ action: string }>`
    select action from audit where subject = ${`device ${String(id)}`} order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ action }) => action)).toEqual(["bridge.open", "bridge.close"]);
});

test("polling of the line waits while it is bridged, reports it, and continues afterwards", async () => {
  const id = idOf(101);
  await openPort(id);

  const command = await api.ask(control.device, {
    token,
    input: { body: { id, management: { now_value: 1 } } },
  });
  await until(async () => (await lastResult(id)) === pollResults.line_busy.id);
  await ask(id, false);
  const taskId = command.data.device_task.id;

  await until(async () => {
    const { rows } = await sql<{
      status_id: number;
    }>`select status_id from device_task where id = ${taskId}`.execute(api.services.database.system);
    return rows[0]?.status_id === 3;
  });
});

async function lastResult(id: number): Promise<number | undefined> {
  const { data } = await api.ask(tasks.logs, { token, input: { body: { device_id: id, type_id: 2 } } });
  return data.logs.data[0]?.result_code;
}

test("a line has one port and one client, and other addresses are refused", async () => {
  const id = idOf(101);
  const port = await openPort(id);
  const other = await ask(id, true, await api.token("engineer@metrum.example"));
  const again = await openPort(id);
  const stranger = await client(port, "127.0.0.2");
  await once(stranger, "close");
  const first = await client(port);
  const second = await client(port);
  await once(second, "close");

  expect([other.status, other.code]).toEqual([409, "bridge_busy"]);
  expect(again).toBe(port);
  expect(first.destroyed).toBe(false);
});

test("a request found several times before its device is loaded is served once, and the port closes", async () => {
  const id = idOf(101);
  await openPort(id);
  await ask(id, false);
  const free = await database.pool.connect();
  await free.query("begin; lock table device_secret in access exclusive mode");

  await api.services.database.pool.query(
    `insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, asked_at, ends_at)
      select company_id, device_id, user_id, session_id, address, line, process_id, asked_at, $2
      from transparent_port where device_id = $1 order by id desc limit 1`,
    [id, Math.floor(Date.now() / 1000) + 600],
  );
  for (let times = 0; times < 5; times++) {
    await api.services.database.pool.query(`select pg_notify('bridge_asked', '')`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await free.query("commit");
  free.release();
  const port = await until(async () => (await listed(id))?.port ?? undefined);
  const socket = await client(port);
  const ended = once(socket, "close");
  await ask(id, false);
  await ended;

  expect(await isClosed(id)).toBe(true);
});

test("a port of a killed process is closed by those that live on, and its line is free again", async () => {
  const { pool } = api.services.database;
  await openPort(idOf(101));
  await ask(idOf(101), false);
  const { rows } = await pool.query<{ id: number }>(
    `insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, asked_at, ends_at, state)
      select company_id, device_id, user_id, session_id, address, 'tcp:gone:1', 999, asked_at, $2, 'open'
      from transparent_port where device_id = $1 order by id desc limit 1 returning id`,
    [idOf(101), Math.floor(Date.now() / 1000) + 600],
  );

  const ended = await until(async () => {
    const found = await pool.query<{ state: string; end: string }>(
      `select state, ended_by as end from transparent_port where id = $1`,
      [rows[0]?.id],
    );
    return found.rows[0]?.state === "closed" && found.rows[0].end;
  });

  expect(ended).toBe("stopped");
});

test("when all ports of the installation are in use, this is reported and the line is released", async () => {
  const id = idOf(101);
  const takers = [];
  for (let port = ports.first; port <= ports.last; port++) {
    const taker = createServer().listen(port, "127.0.0.1");
    await once(taker, "listening");
    takers.push(taker);
  }
  const refused = await ask(id, true);
  for (const taker of takers) await new Promise((resolve) => taker.close(resolve));

  expect([refused.status, refused.code]).toEqual([409, "bridge_full"]);
  expect((await listed(id))?.end).toBe("no_port");
  expect(await openPort(id)).toBeGreaterThanOrEqual(ports.first);
});

test("a port is closed when the session that requested it signs out", async () => {
  const id = idOf(101);
  const own = await api.token("engineer@metrum.example");
  const { data } = await ask(id, true, own);
  const socket = await client(data.port ?? 0);
  // Before the request: it may be closed before the answer is here.
  const closed = once(socket, "close");

  await api.ask(auth.logout, { token: own });

  await closed;
  await until(async () => (await listed(id))?.end === "signed_out");
});

test("a port requested before the previous one has released the line waits for it, and is then connected", async () => {
  const id = idOf(101);
  const { pool } = api.services.database;
  const address = Number(meter.insideAddr);
  const socket = await client(await openPort(id));
  const holding = await pool.connect();
  await holding.query("begin");
  const { rows } = await holding.query<{ id: number }>(
    `select id from transparent_port where device_id = $1 order by id desc limit 1 for update`,
    [id],
  );
  const last = rows[0]?.id ?? 0;
  // Traffic is recorded between the check for closed ports and the check for requested ones.
  await exchange(socket, request(address), 9);
  await until(async () => {
    const blocked = await pool.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'update transparent_port set bytes'",
    );
    return blocked.rowCount === 1;
  });
  await holding.query(`update transparent_port set state = 'closed', ended_by = 'asked' where id = $1`, [
    last,
  ]);
  await holding.query(
    `insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, asked_at, ends_at)
      select company_id, device_id, user_id, session_id, address, line, process_id, asked_at, $2
      from transparent_port where id = $1`,
    [last, Math.floor(Date.now() / 1000) + 600],
  );
  await holding.query("commit");
  holding.release();

  const port = await until(async () => {
    const row = await listed(id);
    return row && row.id > last ? (row.end ?? row.port ?? undefined) : undefined;
  });
  await until(() => socket.destroyed);
  expect(port).toBeTypeOf("number");
  expect((await exchange(await client(Number(port)), request(address), 9)).slice(2, 6)).toBe("0404");
});

test("a port is closed when its device is switched off", async () => {
  const id = idOf(101);
  await openPort(id);

  await sql`update device set is_active = false where id = ${id}`.execute(api.services.database.system);

  await until(async () => (await listed(id))?.end === "switched_off");
  await sql`update device set is_active = true where id = ${id}`.execute(api.services.database.system);
});

describe("CTRL-109 a freeze", () => {
  const freeze = async (is_frozen: boolean, company_id?: number) => {
    const body = { is_frozen, reason: "Accident", ...(company_id ? { company_id } : {}) };
    const by = await api.token("admin@metrum.example");
    expect(await api.ask(control.freeze, { token: by, input: { body } })).toMatchObject({ status: 200 });
  };
  const places = ["installation", "company"] as const;
  const companyOf = (of: (typeof places)[number]) => (of === "company" ? api.companies.first : undefined);
  afterEach(async () => {
    for (const of of places) await freeze(false, companyOf(of));
  });

  test.each(places)(
    "of the %s closes the open port of another process, says why, and refuses a new one",
    async (of) => {
      const id = idOf(101);
      const socket = await client(await openPort(id));
      await exchange(socket, request(Number(meter.insideAddr)), 9);
      const ended = once(socket, "close");

      await freeze(true, companyOf(of));
      await ended;

      await until(async () => (await listed(id))?.end === "frozen");
      const { rows } = await sql<{ after: unknown }>`
        select after from audit where subject = ${`device ${String(id)}`} and action = 'bridge.close'
        order by id desc limit 1`.execute(api.services.database.system);
      expect(rows[0]?.after).toMatchObject({ reason: "frozen", bytes_sent: 8, bytes_received: 9 });
      const refused = await ask(id, true);
      expect([refused.status, refused.code]).toEqual([409, "control_frozen"]);
      expect(refused.msg).toContain("Accident");
      await freeze(false, companyOf(of));
      expect(await openPort(id)).toBeGreaterThanOrEqual(ports.first);
    },
  );

  test("of another company leaves the port open", async () => {
    const id = idOf(101);
    await openPort(id);

    await freeze(true, api.companies.second);
    await new Promise((resolve) => setTimeout(resolve, 1500));

    expect((await listed(id))?.is_active).toBe(true);
    await freeze(false, api.companies.second);
  });

  test.each([
    [101, "a modem"],
    [104, "a converter that the server connects to"],
  ])("that commits while a port is being opened leaves none: model %i behind %s", async (modelId) => {
    const id = idOf(modelId);
    const { pool } = api.services.database;
    const holding = await pool.connect();
    await holding.query("begin; lock table transparent_port in exclusive mode");
    const asked = ask(id, true);
    try {
      // The call has found no freeze.
      await until(async () => {
        const { rowCount } = await pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'insert into transparent_port'",
        );
        return rowCount === 1;
      });
      await freeze(true);
    } finally {
      await holding.query("commit");
      holding.release();
    }

    const refused = await asked;

    expect([refused.status, refused.code]).toEqual([409, "control_frozen"]);
    expect(await listed(id)).toMatchObject({ is_active: false, opened_at: null, end: "frozen" });
  });
});

test("CTRL-020: an open port shows its address, remaining time and traffic; its final count is kept", async () => {
  const id = idOf(101);
  const port = await openPort(id);
  const ofDevice = async () => {
    const body = { device_id: id, model_class_id: modelClasses.device, sort: "desc" } as const;
    const { data } = await api.ask(bridge.list, { token, input: { body } });
    expect(data.data.every((row) => row.device_id === id)).toBe(true);
    return data.data[0];
  };
  await exchange(await client(port), request(Number(meter.insideAddr)), 9);

  await until(async () => (await ofDevice())?.bytes_received === 9);

  const open = await ofDevice();
  expect(open).toMatchObject({ host: "127.0.0.1", port, is_active: true, bytes_sent: 8, end: null });
  expect(open?.seconds_left).toBeGreaterThan(bridgeBounds.longest - 600);
  expect(open?.seconds_left).toBeLessThanOrEqual(bridgeBounds.longest);
  await ask(id, false);
  expect(await ofDevice()).toMatchObject({ is_active: false, seconds_left: 0, bytes_sent: 8, end: "asked" });
});

test("X-57: the same call opens the port of a gateway", async () => {
  const gateway = await gatewayOf(idOf(101));
  const body = { device_id: gateway, model_class_id: modelClasses.gateway };

  const opened = await api.ask(bridge.switch, { token, input: { body: { ...body, on: true } } });
  const answer = await exchange(await client(opened.data.port ?? 0), request(Number(meter.insideAddr)), 9);
  await api.ask(bridge.switch, { token, input: { body: { ...body, on: false } } });

  expect(answer).toMatch(/^..0404/);
  await until(() => isClosed(gateway));
});

test("a disconnected line and a foreign device have no port; users who may only read cannot open one", async () => {
  const [lone = 0] = await registerPark(api.services.database, api.companies.first, {
    baseStations: [],
    gateways: [{ key: "absent", modelId: 601, name: "GW-9", place: "", deviceID: "999999999999999" }],
    devices: [{ ...meter, gateway: "absent", deviceID: "absent" }],
  });
  const absent = await ask(lone, true);
  const foreign = await ask(idOf(101), true, await api.token("engineer2@metrum.example"));
  const reader = await ask(idOf(101), true, await api.token("viewer@metrum.example"));

  expect([absent.status, absent.code]).toEqual([409, "line_down"]);
  expect([foreign.status, reader.status]).toEqual([404, 403]);
});

test("DEV-012, SERV-028: ports are listed with filters; staff see and close those of every company", async () => {
  const id = idOf(101);
  await openPort(id);
  const staff = await api.token("admin@metrum.example");
  const stranger = await api.token("engineer2@metrum.example");
  const listOf = (by: string, body: object) => api.ask(bridge.list, { token: by, input: { body } });

  const active = await listOf(token, { is_active: true, model_id: 101, model_class_id: modelClasses.device });
  const gateways = await listOf(token, { is_active: true, model_class_id: modelClasses.gateway });
  const theirs = await listOf(stranger, {});
  const seen = await listOf(staff, { is_active: true });
  const [row] = seen.data.data;
  await api.ask(bridge.close, { token: staff, input: { params: { id: String(row?.id) } } });

  expect(active.data.data).toMatchObject([{ device_id: id, name: meter.name, is_active: true }]);
  expect([gateways.data.total, theirs.data.total]).toEqual([0, 0]);
  expect(row?.device_id).toBe(id);
  await until(() => isClosed(id));
});

const mbpoll = "/usr/bin/mbpoll";
const socat = "/usr/bin/socat";
const run = promisify(execFile);

test.skipIf(!existsSync(mbpoll))(
  "mbpoll reads a meter behind a Modbus TCP converter through the port",
  async () => {
    const port = await openPort(idOf(104));

    const { stdout } = await run(mbpoll, [
      ...["-m", "tcp", "-p", String(port), "-a", behindConverter.insideAddr, "-t", "3"],
      ...["-r", "1", "-c", "2", "-1", "127.0.0.1"],
    ]);

    expect(stdout).toMatch(/\[2\]:\s+\d/);
  },
);

test.skipIf(!existsSync(mbpoll) || !existsSync(socat))(
  "mbpoll reads a meter behind a modem through the port and a pseudo terminal",
  async () => {
    const port = await openPort(idOf(101));
    const link = `/tmp/metrum-bridge-${String(process.pid)}`;
    const pty = spawn(socat, [`pty,raw,echo=0,link=${link}`, `tcp:127.0.0.1:${String(port)}`]);
    await until(() => existsSync(link));

    const { stdout } = await run(mbpoll, [
      ...["-m", "rtu", "-b", "9600", "-P", "none", "-a", meter.insideAddr, "-t", "3:float", "-B"],
      ...["-r", "1", "-c", "1", "-1", "-o", "5", link],
    ]).finally(() => pty.kill());

    expect(stdout).toMatch(/\[1\]:\s+\d/);
  },
);
