import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lineOfGateway } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { setLine } from "./line.ts";
import { UsageError } from "../usage.ts";

let api: TestApi;
const set = (...args: string[]) => setLine(api.services.database.system, ["LINE-1", ...args]);

beforeAll(async () => {
  api = await openTestApi();
  await sql`insert into gateway (company_id, model_id, interface_id, name, device_id)
    values (${api.companies.first}, 603, 10, 'L', 'LINE-1')`.execute(api.services.database.system);
});
afterAll(() => api.close());

async function gateways(): Promise<{ readonly id: number }[]> {
  const { database } = api.services;
  return (
    await sql<{ id: number }>`select id from gateway where device_id = 'LINE-1'`.execute(database.system)
  ).rows;
}

async function logLength(): Promise<number> {
  const { database } = api.services;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit`.execute(
    database.system,
  );
  return rows[0]?.count ?? 0;
}

test("the line of a gateway is set to a serial port, to an address, and to listening", async () => {
  const serial = await set("--serial", "/dev/ttyUSB0", "--baud", "2400", "--parity", "even");
  const withListening = await set("--listen", "wmbus_lines", "--hello", "6272740d0a");
  const tcp = await set("--tcp", "10.0.0.5:5000");
  const off = await set("--listen", "off");
  const shown = await set();

  const port = { path: "/dev/ttyUSB0", baud_rate: 2400, data_bits: 8, parity: "even", stop_bits: 1 };
  const listens = { to: "wmbus_lines", hello: "6272740d0a" };
  expect(serial).toEqual({ host: null, port: null, serial: port, listens: null });
  expect(withListening).toEqual({ ...serial, listens });
  expect(tcp).toEqual({ host: "10.0.0.5", port: 5000, serial: null, listens });
  expect(off).toEqual({ ...tcp, listens: null });
  expect(shown).toEqual(off);
  expect(lineOfGateway({ gatewayId: 1, gatewayModelId: 603, isEntered: false, ...serial })?.key).toBe(
    "serial:/dev/ttyUSB0",
  );
});

test("an optical head is signed on to by mode E, which needs 8 data bits", async () => {
  const head = await set("--serial", "/dev/ttyUSB1", "--baud", "300", "--sign-on", "mode_e");

  expect(
    lineOfGateway({ gatewayId: 1, gatewayModelId: 603, isEntered: false, ...head })?.serial,
  ).toMatchObject({
    baud_rate: 300,
    sign_on: "mode_e",
  });
  await expect(set("--serial", "/dev/ttyUSB1", "--sign-on", "mode_e", "--data-bits", "7")).rejects.toThrow(
    "serial.data_bits: the sign-on of mode E wants 8",
  );
  await expect(set("--serial", "/dev/ttyUSB1", "--sign-on", "b")).rejects.toThrow("serial.sign_on: ");
});

test("changes of a line by a terminal are in the log of the company, with old and new values", async () => {
  await set("--tcp", "10.0.0.6:5000");
  await set();
  await set("--tcp", "10.0.0.7:5001", "--listen", "p1");

  const { rows } = await sql`select company_id, user_id, address, subject, before, after, result from audit
    where action = 'gateway.line' order by id desc limit 2`.execute(api.services.database.system);
  const [gateway] = await gateways();
  const before = { host: "10.0.0.6", port: 5000, serial: null, listens: null };
  const after = { host: "10.0.0.7", port: 5001, serial: null, listens: { to: "p1", hello: "" } };
  const subject = `gateway ${String(gateway?.id)}`;
  const common = { company_id: api.companies.first, user_id: null, address: "", subject, result: "ok" };
  expect(rows).toEqual([
    { ...common, before, after },
    { ...common, before: expect.anything() as unknown, after: before },
  ]);
});

test.each([
  [["--serial", "/dev/ttyUSB0", "--baud", "fast"], "serial.baud_rate"],
  [["--serial", "/dev/ttyUSB0", "--parity", "mark"], "serial.parity"],
  [["--tcp", "10.0.0.5"], "--tcp"],
  [["--tcp", "10.0.0.5:70000"], "--tcp"],
  [["--tcp", "10.0.0.5:1", "--serial", "/dev/ttyUSB0"], "exclude"],
  [["--listen", "radio"], "--listen"],
  [["--listen", "p1", "--hello", "brt"], "--hello"],
  [["--speed", "1"], "--speed"],
])("an invalid setting is refused by name and changes nothing: %j", async (args, named) => {
  const before = await set();
  const logged = await logLength();

  const refused = set(...args);

  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(named);
  expect(await set()).toEqual(before);
  expect(await logLength()).toBe(logged);
});

test("an unknown gateway is refused", async () => {
  await expect(setLine(api.services.database.system, ["LINE-2"])).rejects.toThrow("no gateway LINE-2");
});
