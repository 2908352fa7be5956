import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { lines, type Line, type LineInput } from "@metrum/contract/headend";
import { demoPlan, startPark, type Park } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dialogue } from "#headend/dialogue";
import type { TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { until } from "#testing/until";

const engineer = "engineer@metrum.example";
const port = "/dev/serial/by-id/test-0";

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let meter: { readonly port: number; readonly address: string };
let token: string;

beforeAll(async () => {
  // Private, but named by the operator; every other private address is refused.
  ({ api, dialogue } = await openTestDialogue({ env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } }));
  token = await api.token(engineer);
  const plan = demoPlan(5);
  const device = plan.devices.find(({ modelId, gateway }) => modelId === 101 && gateway !== undefined);
  const gateway = plan.gateways.find(({ key }) => key === device?.gateway);
  if (!device || !gateway) throw new Error("the demonstration has no meter behind a modem");
  park = await startPark(
    { baseStations: [], devices: [device], gateways: [{ ...gateway, modelId: 603 }] },
    { host: "127.0.0.1", ports: { modem: 0 }, faults: { delayMs: [1, 5] } },
  );
  meter = { port: park.converters.get(gateway.key)?.port ?? 0, address: device.insideAddr };
  await sql`insert into line_holder (line, process_id) select ${`serial:${port}`}, id from process`.execute(
    system(),
  );
});
afterAll(async () => {
  await park.stop();
  await dialogue.stop();
  await api.close();
});

const system = () => api.services.database.system;

async function aGateway(company = api.companies.first, modelId = 603): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into gateway (company_id, model_id, interface_id, name, device_id)
    values (${company}, ${modelId}, 10, 'Boiler house', gen_random_uuid()::text) returning id`.execute(
    system(),
  );
  return rows[0]?.id ?? 0;
}
const save = (body: LineInput, as = token) => api.ask(lines.save, { token: as, input: { body } });
const list = async (body = {}, as = token) =>
  (await api.ask(lines.list, { token: as, input: { body: { paginate: false, ...body } } })).data.lines;
const rowOf = async (id: number) => (await list()).data.find((each) => each.id === id);
const askFor = (gateway_id: number, body: object = {}) =>
  api.ask(lines.test, { token, input: { body: { gateway_id, kind: "ask", ...body } } });
const aSerial = (path = port): NonNullable<LineInput["serial"]> => ({
  path,
  baud_rate: 2400,
  data_bits: 8,
  parity: "even",
  stop_bits: 1,
});
const toMeter = () => ({ host: "127.0.0.1", port: meter.port });

describe("DEV-065 lines", () => {
  test("can be created, listed, searched, changed and removed; the log has both values", async () => {
    const id = await aGateway();
    const saved = await save({ gateway_id: id, tcp: { host: "Meters.Example.COM", port: 5000 } });
    const listening = await save({
      gateway_id: id,
      tcp: { host: "8.8.4.4", port: 502 },
      listens: { to: "wmbus_lines", hello: "6272740d0a" },
    });
    const found = await list({ search_string: "8.8.4.4:502", way: "tcp", is_receiver: true });
    const polled = await list({ search_string: "8.8.4.4:502", is_receiver: false });
    const removed = await api.ask(lines.remove, { token, input: { params: { id: String(id) } } });

    expect([saved.status, saved.msg]).toEqual([200, "Линия сохранена"]);
    expect(saved.data.line).toMatchObject({
      id,
      name: "Boiler house",
      way: "tcp",
      tcp: { host: "meters.example.com", port: 5000 },
      serial: null,
      listens: null,
      state: "idle",
    } satisfies Partial<Line>);
    expect(listening.data.line).toMatchObject({
      listens: { to: "wmbus_lines", hello: "6272740d0a" },
      state: "lost",
    });
    expect([found.data, found.total]).toEqual([[listening.data.line], 1]);
    expect(polled.total).toBe(0);
    expect(removed.status).toBe(200);
    expect(await rowOf(id)).toBeUndefined();
    const { rows } = await sql<{ before: object; after: object }>`select before, after from audit
      where action = 'gateway.line' and subject = ${`gateway ${String(id)}`} and user_id is not null
      order by id`.execute(system());
    const none = { host: null, port: null, serial: null, listens: null };
    expect(rows.map(({ before, after }) => [before, after])).toEqual([
      [none, { ...none, host: "meters.example.com", port: 5000 }],
      [
        { ...none, host: "meters.example.com", port: 5000 },
        { host: "8.8.4.4", port: 502, serial: null, listens: listening.data.line.listens },
      ],
      [{ host: "8.8.4.4", port: 502, serial: null, listens: listening.data.line.listens }, none],
    ]);
  });

  test("a user reaches no host of the provider's network, and only ports of converters", async () => {
    const id = await aGateway();
    const hosts = ["10.0.0.5", "169.254.169.254", "192.168.1.1", "::1", "100.64.1.1"];

    const answers = await Promise.all(
      hosts.map((host) => save({ gateway_id: id, tcp: { host, port: 5000 } })),
    );
    const low = await save({ gateway_id: id, tcp: { host: "8.8.8.8", port: 25 } });
    const address = await save({ gateway_id: id, tcp: { host: "http://8.8.8.8", port: 5000 } });

    expect(answers.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual(
      hosts.map(() => [422, ["tcp.host"]]),
    );
    expect([low.status, Object.keys(low.attributes)]).toEqual([422, ["tcp.port"]]);
    expect(address.status).toBe(422);
  });

  test("a name of a private host is refused when it is resolved", async () => {
    const id = await aGateway();
    await save({ gateway_id: id, tcp: { host: "localhost", port: meter.port } });

    const { data } = await askFor(id, { kind: "listen" });

    expect(data.test).toMatchObject({ result: "no_line", fault: "not_allowed", steps: [] });
  });

  test("a private address set by the operator stays usable when a user changes the receiver", async () => {
    const id = await aGateway();
    await sql`update gateway set host = 'localhost', port = ${meter.port} where id = ${id}`.execute(system());

    const { status } = await save({
      gateway_id: id,
      tcp: { host: "localhost", port: meter.port },
      listens: null,
    });
    const { data } = await askFor(id, { model_id: 101, inside_addr: meter.address });

    expect(status).toBe(200);
    expect(data.test.result).toBe("ok");
  });

  test("an address belongs to one company", async () => {
    const theirs = await aGateway(api.companies.second);
    await sql`update gateway set host = '8.8.8.8', port = 5001 where id = ${theirs}`.execute(system());

    const answer = await save({ gateway_id: await aGateway(), tcp: { host: "8.8.8.8", port: 5001 } });
    const refused = await save({ gateway_id: await aGateway(), tcp: { host: "10.8.8.8", port: 5001 } });

    expect([answer.status, answer.attributes]).toEqual([refused.status, refused.attributes]);
    expect(answer.text).not.toContain("Boiler");
  });

  test("a serial port is assigned by staff of the provider, and its settings are those of the company", async () => {
    const id = await aGateway();
    const staff = await api.token("admin@metrum.example");
    const staffGateway = await aGateway(api.services.config.providerCompanyId as typeof api.companies.first);

    const refused = await save({ gateway_id: id, serial: aSerial() });
    const unseen = await api.ask(lines.ports, { token });
    const offered = await api.ask(lines.ports, { token: staff });
    const assigned = await save({ gateway_id: staffGateway, serial: aSerial() }, staff);
    await sql`update gateway set serial = null where id = ${staffGateway}`.execute(system());
    await sql`update gateway set serial = ${JSON.stringify(aSerial())}::jsonb where id = ${id}`.execute(
      system(),
    );
    const changed = await save({ gateway_id: id, serial: { ...aSerial(), baud_rate: 9600 } });
    const seen = await api.ask(lines.ports, { token });
    const taken = await save({ gateway_id: staffGateway, serial: aSerial() }, staff);
    const other = await save({ gateway_id: id, serial: aSerial("/etc/passwd") });

    expect([refused.status, Object.keys(refused.attributes)]).toEqual([422, ["serial.path"]]);
    expect(unseen.data).toEqual({ ports: [], may_assign: false });
    expect(offered.data).toEqual({ ports: [{ path: port, is_taken: false }], may_assign: true });
    expect(assigned.data.line).toMatchObject({ way: "serial", serial: aSerial(), state: "ready" });
    expect(changed.data.line.serial?.baud_rate).toBe(9600);
    expect(seen.data).toEqual({ ports: [{ path: port, is_taken: false }], may_assign: false });
    expect([taken.status, Object.keys(taken.attributes)]).toEqual([422, ["serial.path"]]);
    expect([other.status, Object.keys(other.attributes)]).toEqual([422, ["serial.path"]]);
  });

  test("a modem that dials in, or a gateway of another company, cannot have such a line", async () => {
    const tcp = { host: "8.8.8.8", port: 5002 };

    const dialIn = await save({ gateway_id: await aGateway(api.companies.first, 601), tcp });
    const theirs = await save({ gateway_id: await aGateway(api.companies.second), tcp });
    const both = await save({ gateway_id: await aGateway(), tcp, serial: aSerial() });
    const none = await save({ gateway_id: await aGateway() });

    expect([dialIn.status, Object.keys(dialIn.attributes)]).toEqual([422, ["gateway_id"]]);
    expect(theirs.status).toBe(404);
    expect([both.status, none.status]).toEqual([422, 422]);
  });
});

describe("DEV-065 a test of a line", () => {
  test("identifies a meter of a given model and shows every byte; no reading is stored, and the log has an entry", async () => {
    const id = await aGateway();
    await save({ gateway_id: id, tcp: toMeter() });

    const { data } = await askFor(id, { model_id: 101, inside_addr: meter.address });

    expect(data.test).toMatchObject({ result: "ok", fault: null, model_id: 101, resource: "electricity" });
    expect(data.test.received_bytes).toBeGreaterThan(4);
    expect(data.test.steps[0]?.sent).not.toBe("");
    expect(data.test.steps[0]?.received_spans.length).toBeGreaterThan(0);
    const { rows } = await sql<{ after: object }>`select after from audit
      where action = 'line.test' and subject = ${`gateway ${String(id)}`}`.execute(system());
    expect(rows.map(({ after }) => after)).toEqual([
      { line: `tcp:127.0.0.1:${String(meter.port)}`, kind: "ask", model_id: 101, inside_addr: meter.address },
    ]);
  });

  test("without a model the common ones are tried in turn", async () => {
    const id = await aGateway();
    await save({ gateway_id: id, tcp: toMeter() });

    const { data } = await askFor(id);

    expect(data.test.steps.length).toBeGreaterThan(0);
    expect(["ok", "timeout"]).toContain(data.test.result);
  });

  test("a receiver shows its telegrams without interrupting reception", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const at = server.address();
    const id = await aGateway();
    await save({
      gateway_id: id,
      tcp: { host: "127.0.0.1", port: typeof at === "object" && at ? at.port : 0 },
      listens: { to: "p1", hello: "" },
    });
    await until(async () => ((await rowOf(id))?.state === "open" ? true : undefined));
    const say = setInterval(() => sockets.at(-1)?.write("/KFM5KAIFA\r\n\r\n0-0:96.1.1(31)\r\n!0000\r\n"), 50);

    const pending = askFor(id, { kind: "listen" });
    const { data } = await until(async () => {
      setTimeout(() => clearInterval(say), 1000);
      return pending;
    });
    const state = (await rowOf(id))?.state;
    await api.ask(lines.remove, { token, input: { params: { id: String(id) } } });
    for (const socket of sockets) socket.destroy();
    server.close();

    expect(data.test.received_bytes).toBeGreaterThan(0);
    expect(data.test.result).toBe("ok");
    expect(state).toBe("open");
  });

  test("a line in use is not interrupted, and no second test is started", async () => {
    const id = await aGateway();
    await save({ gateway_id: id, tcp: toMeter() });
    const line = `tcp:127.0.0.1:${String(meter.port)}`;
    await sql`insert into line_test (gateway_id, line, asked, asked_at)
      values (${id}, ${line}, '{}', ${api.services.clock.now()})`.execute(system());

    const busy = await askFor(id);
    await sql`delete from line_test`.execute(system());

    expect([busy.status, busy.code]).toEqual([409, "line_busy"]);
  });

  test("a company can run twenty tests a minute, and only of gateways with a line", async () => {
    const id = await aGateway();
    await sql`insert into line_test (gateway_id, line, asked, asked_at, is_over)
      select ${id}::int, 'tcp:x:' || n, '{}', ${api.services.clock.now()}::bigint, true from generate_series(1, 20) n`.execute(
      system(),
    );
    const unset = await askFor(id);
    await save({ gateway_id: id, tcp: toMeter() });

    const many = await askFor(id);
    await sql`delete from line_test`.execute(system());

    expect(unset.code).toBe("line_not_set");
    expect([many.status, many.code]).toEqual([409, "line_test_limit"]);
  });
});
