import type { AddressInfo } from "node:net";
import { accessGroups, auth, members } from "@metrum/contract/access";
import { ties } from "@metrum/contract/accounting";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createBus, openDatabase, type Services, type Stop } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";
import { createGathered } from "./gathered.ts";
import { live } from "./index.ts";

let api: TestApi;
let fixture: Fixture;
let url: string;
let stop: Stop;
const open: Socket[] = [];

beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  stop = (await live.api?.(api.services, api.fastify)) ?? (() => Promise.resolve());
  await api.fastify.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${String((api.fastify.server.address() as AddressInfo).port)}`;
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await stop();
  await api.close();
});

async function connect(token: string | undefined): Promise<Socket> {
  const socket = io(url, { auth: { token }, reconnection: false, transports: ["websocket"], forceNew: true });
  open.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", reject);
  });
  return socket;
}

async function connectInto(
  email: string,
  companyId: number,
): Promise<{ socket: Socket; joined: boolean; token: string }> {
  const token = await api.token(email);
  const socket = await connect(token);
  const { joined } = (await socket.emitWithAck("join", { company_id: companyId })) as { joined: boolean };
  return { socket, joined, token };
}

test("a user with a password duty receives no events, and is disconnected when the duty begins", async () => {
  const owe = (is: boolean) =>
    sql`update users set password_change_needed = ${is} where email = 'operator@metrum.example'`.execute(
      api.services.database.system,
    );
  const { socket, joined } = await connectInto("operator@metrum.example", api.companies.first);
  const end = ended(socket);

  await owe(true);

  expect([joined, await end]).toEqual([true, "io server disconnect"]);
  await expect(connect(await api.token("operator@metrum.example"))).rejects.toThrow("not_signed_in");
  await owe(false);
});

const messagesOf = (socket: Socket): unknown[] => {
  const messages: unknown[] = [];
  socket.on("device_data", (data: unknown) => messages.push(data));
  return messages;
};
const ended = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.on("disconnect", (reason) => resolve(reason)));

function stored(companyId: number, deviceId: number, from = 100, to = 200) {
  return [{ companyId, deviceId: deviceId as DeviceId, msgType: 1, from, to }];
}

test("a socket without a valid token is refused", async () => {
  for (const token of [undefined, "", "garbage", "a".repeat(43)])
    await expect(connect(token)).rejects.toThrow("not_signed_in");
});

test("NOTIF-011 a client in the room of its company receives new rows, once and with their range", async () => {
  const { socket, joined } = await connectInto("engineer@metrum.example", fixture.ours.company);
  const other = await connectInto("engineer2@metrum.example", fixture.theirs.company);
  const [messages, foreign] = [messagesOf(socket), messagesOf(other.socket)];

  api.services.bus.publish("readingsStored", stored(fixture.ours.company, fixture.ours.device, 100, 200));
  api.services.bus.publish("readingsStored", stored(fixture.ours.company, fixture.ours.device, 50, 150));

  await expect
    .poll(() => messages)
    .toEqual([{ device_id: fixture.ours.device, msgType: 1, from: 50, to: 200 }]);
  expect(joined && other.joined).toBe(true);
  expect(foreign).toEqual([]);
});

test("NOTIF-011 a session has thirty sockets at most, whether they are opened at once or one by one", async () => {
  const token = await api.token("engineer@metrum.example");
  const opened = await Promise.allSettled(Array.from({ length: 45 }, () => connect(token)));
  await expect.poll(() => open.filter(({ connected }) => connected).length).toBe(30);

  await expect(connect(token)).rejects.toThrow("too_many_requests");
  expect(opened).toHaveLength(45);
  open[0]?.disconnect();
  await expect
    .poll(() =>
      connect(token).then(
        ({ connected }) => connected,
        () => false,
      ),
    )
    .toBe(true);
});

test("NOTIF-018 a socket that joins without end is closed, and its joins share a query", async () => {
  const { socket } = await connectInto("operator@metrum.example", fixture.ours.company);
  const end = ended(socket);
  for (let count = 0; count < 3_000; count++) socket.emit("join", { company_id: fixture.ours.company });

  expect(await end).toBe("io server disconnect");
  expect((await connectInto("engineer2@metrum.example", fixture.theirs.company)).joined).toBe(true);
});

test("what is asked for at the same time runs once, and what is asked for later runs again", async () => {
  const gathered = createGathered();
  let runs = 0;
  const ask = () => gathered("user 1", () => Promise.resolve((runs += 1)));

  const together = await Promise.all(Array.from({ length: 1_000 }, ask));
  const later = await ask();
  const failed = await gathered("user 1", () => Promise.reject(new Error("away"))).catch(() => "failed");

  expect([new Set(together), later, failed, await ask()]).toEqual([new Set([1]), 2, "failed", 3]);
});

test("NOTIF-018 a socket cannot join the room of a company its token does not belong to", async () => {
  const { socket, joined } = await connectInto("engineer2@metrum.example", fixture.ours.company);
  const messages = messagesOf(socket);
  const witness = messagesOf((await connectInto("engineer@metrum.example", fixture.ours.company)).socket);

  api.services.bus.publish("readingsStored", stored(fixture.ours.company, fixture.ours.device));

  await expect.poll(() => witness.length).toBe(1);
  expect(joined).toBe(false);
  expect(messages).toEqual([]);
});

test("a user without read on 4 joins and receives no readings; a user tied to devices receives only theirs", async () => {
  const { system } = api.services.database;
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${fixture.ours.device}, id, company_id from users where email = 'operator@metrum.example'`.execute(
    system,
  );
  const rightless = messagesOf((await connectInto("norights@metrum.example", fixture.ours.company)).socket);
  const tied = messagesOf((await connectInto("operator@metrum.example", fixture.ours.company)).socket);
  const all = messagesOf((await connectInto("engineer@metrum.example", fixture.ours.company)).socket);

  api.services.bus.publish("readingsStored", [
    ...stored(fixture.ours.company, fixture.ours.device),
    ...stored(fixture.ours.company, fixture.ours.device + 1_000_000),
  ]);

  await expect.poll(() => all.length).toBe(2);
  expect(tied).toEqual([{ device_id: fixture.ours.device, msgType: 1, from: 100, to: 200 }]);
  expect(rightless).toEqual([]);
});

test("signing out disconnects the socket of the token", async () => {
  const { socket, token } = await connectInto("engineer@metrum.example", fixture.ours.company);
  const end = ended(socket);

  await api.ask(auth.logout, { token });

  expect(await end).toBe("io server disconnect");
});

test("SERV-007 a switched-off user is disconnected; one tied to a device receives only its events", async () => {
  const token = await api.token("engineer@metrum.example");
  const user = async (name: string) => {
    const email = `${name}@metrum.example`;
    const group = await api.ask(accessGroups.create, {
      token,
      input: { body: { name, access_rules: { read: [4] } } },
    });
    const body = { name, email, access_group_id: group.data.access_group.id };
    const { id } = (await api.ask(members.create, { token, input: { body } })).data.user;
    return { id, email, ...(await connectInto(email, fixture.ours.company)) };
  };
  const [off, tied] = [await user("off"), await user("tied")];
  const ends = [ended(off.socket), ended(tied.socket)];

  await api.ask(members.switch, {
    token,
    input: { params: { id: String(off.id) }, body: { is_active: false } },
  });
  const body = { device_id: fixture.ours.device, user_ids: [tied.id] };
  await api.ask(ties.set, { token, input: { body } });

  expect(await Promise.all(ends)).toEqual(["io server disconnect", "io server disconnect"]);
  const messages = messagesOf((await connectInto(tied.email, fixture.ours.company)).socket);
  const all = messagesOf((await connectInto("engineer@metrum.example", fixture.ours.company)).socket);
  api.services.bus.publish("readingsStored", [
    ...stored(fixture.ours.company, fixture.ours.device),
    ...stored(fixture.ours.company, fixture.ours.device + 1_000_000),
  ]);
  await expect.poll(() => all.length).toBe(2);
  expect(messages).toEqual([{ device_id: fixture.ours.device, msgType: 1, from: 100, to: 200 }]);
});

test("ACL-045 a right revoked in another process disconnects the socket", async () => {
  const { socket } = await connectInto("viewer@metrum.example", fixture.theirs.company);
  const end = ended(socket);

  await sql`update access_group set access_rules = '{}' where name = 'Viewers'`.execute(
    api.services.database.system,
  );

  expect(await end).toBe("io server disconnect");
});

test("readings stored by a process without sockets reach the browsers of another one", async () => {
  const { socket } = await connectInto("engineer@metrum.example", fixture.ours.company);
  const messages = messagesOf(socket);
  const broker: Services = {
    ...api.services,
    config: { ...api.services.config, roles: ["broker"] },
    database: openDatabase({ ...api.database.connection, max: 2 }),
    bus: createBus(() => undefined),
  };
  const stopBroker = await live.broker?.(broker);

  const ids = Array.from({ length: 500 }, (_, index) => index + 1);
  broker.bus.publish(
    "readingsStored",
    ids.flatMap((id) => stored(fixture.ours.company, id)),
  );

  await expect.poll(() => messages.length, { timeout: 30_000 }).toBe(500);
  await stopBroker?.();
  await broker.database.close();
});

test("closing the server ends open sockets and does not wait for them", async () => {
  const other = await openTestApi();
  const stopOther = await live.api?.(other.services, other.fastify);
  await other.fastify.listen({ host: "127.0.0.1", port: 0 });
  const port = String((other.fastify.server.address() as AddressInfo).port);
  const socket = io(`http://127.0.0.1:${port}`, {
    auth: { token: await other.token("engineer@metrum.example") },
    reconnection: false,
    transports: ["websocket"],
  });
  await new Promise<void>((resolve) => socket.on("connect", resolve));

  await Promise.all([ended(socket), other.fastify.close()]);

  await stopOther?.();
  await other.close();
  expect(socket.connected).toBe(false);
});

test("TRUST-008 users who receive events and see the device are notified of quarantined readings, in their language", async () => {
  const { system } = api.services.database;
  const company = fixture.ours.company;
  await sql`update device set name = 'Meter' where id = ${fixture.ours.device}`.execute(system);
  await sql`update users set language = 'ru' where email = 'operator@metrum.example'`.execute(system);
  await sql`update users set language = 'en' where email = 'engineer@metrum.example'`.execute(system);
  const { rows } = await sql<{ id: DeviceId }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${company}, 101, 'M', 4, 3, 4, 'Second', 'second') returning id`.execute(system);
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${fixture.ours.device}, id, company_id from users where email = 'operator@metrum.example'
    on conflict do nothing`.execute(system);
  const seen = [fixture.ours.device as DeviceId, ...rows.map(({ id }) => id)];
  const eventsOf = async (email: string, of: number) => {
    const { socket } = await connectInto(email, of);
    const events: { msg: string }[] = [];
    socket.on("device_event", (event: { msg: string }) => events.push(event));
    return events;
  };
  const [all, tied, noEvents, foreign] = [
    await eventsOf("engineer@metrum.example", company),
    await eventsOf("operator@metrum.example", company),
    await eventsOf("norights@metrum.example", company),
    await eventsOf("engineer2@metrum.example", fixture.theirs.company),
  ];
  const broker: Services = {
    ...api.services,
    config: { ...api.services.config, roles: ["broker"] },
    database: openDatabase({ ...api.database.connection, max: 2 }),
    bus: createBus(() => undefined),
  };
  const stopBroker = await live.broker?.(broker);

  broker.bus.publish(
    "quarantineBegan",
    seen.map((deviceId) => ({ companyId: company, deviceId })),
  );

  await expect.poll(() => [all.length, tied.length], { timeout: 30_000 }).toEqual([1, 1]);
  expect(tied[0]?.msg).toBe("Meter: показания с невозможным временем ждут в карантине");
  expect(all[0]?.msg).toBe("Readings whose time cannot be right wait in quarantine, devices: 2");
  expect([noEvents, foreign]).toEqual([[], []]);
  await stopBroker?.();
  await broker.database.close();
});

test("TASK-009 new states of a task reach users who may read its devices, and no other company", async () => {
  const { companyId, deviceId } = {
    companyId: fixture.ours.company as CompanyId,
    deviceId: fixture.ours.device as DeviceId,
  };
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${deviceId}, id, company_id from users where email = 'operator@metrum.example' on conflict do nothing`.execute(
    api.services.database.system,
  );
  const sockets = [
    await connectInto("engineer@metrum.example", fixture.ours.company),
    await connectInto("operator@metrum.example", fixture.ours.company),
    await connectInto("norights@metrum.example", fixture.ours.company),
    await connectInto("engineer2@metrum.example", fixture.theirs.company),
  ];
  const received = sockets.map(({ socket }) => {
    const messages: unknown[] = [];
    socket.on("device_task", (data: unknown) => messages.push(data));
    return messages;
  });

  api.services.bus.publish("tasksChanged", [
    { companyId, taskId: 7, deviceId, statusId: 2 },
    { companyId, taskId: 7, deviceId, statusId: 3 },
    { companyId, taskId: 7, deviceId: 999_999 as DeviceId, statusId: 4 },
    { companyId, taskId: 7, statusId: 6, userId: 5 },
  ]);

  const ofDevice = { device_task_id: 7, device_id: deviceId, status_id: 3 };
  await expect
    .poll(() => received[0])
    .toEqual([
      ofDevice,
      { device_task_id: 7, device_id: 999_999, status_id: 4 },
      { device_task_id: 7, status_id: 6, user_id: 5 },
    ]);
  expect(received.slice(1)).toEqual([[ofDevice], [], []]);
});
