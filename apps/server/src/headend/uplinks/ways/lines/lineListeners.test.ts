import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { modelById } from "@metrum/catalogue";
import { fromHex, toHex } from "@metrum/protocols/core";
import { buildTelegram, type TelegramPlan } from "@metrum/protocols/wmbus";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLines, LineLent, tcpLine, type Lines } from "#headend/channels";
import { standardOffsetSec, systemClock } from "#core";
import { putDeviceSecret } from "#metering/devices";
import { loadSerial } from "#headend/channels";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { hasSocat, portPair } from "#testing/peers/pseudoTerminals";
import { startListening } from "./lineListeners.ts";

/** A Diehl radio water meter and a P1 reader of the catalogue. */
const [radioModel, p1Model] = [311, 132];
const [some] = demoPlan(1).devices;
const key = "000102030405060708090a0b0c0d0e0f";
const water: TelegramPlan = {
  manufacturer: "DME",
  id: "12345678",
  version: 0x70,
  medium: 7,
  accessNumber: 1,
  key: fromHex(key),
  security: "mode5",
};
const records = fromHex("0c13 80672900 0b3b 841200 025a 7200");
const lineOf = (telegram: Uint8Array): string =>
  `T1;1;1;2026-11-22 00:00:00;-71;148;1;0x${toHex(telegram)}\n`;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
const system = () => api.services.database.system;

let number = 0;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await sql`delete from gateway g where not exists (select from device d where d.gateway_id = g.id)`.execute(
    system(),
  );
  await sql`update gateway set listens = null`.execute(system());
});

/** A receiver that listens for connections. */
async function aReceiver() {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    sockets,
    say: (bytes: string | Uint8Array) => sockets.at(-1)?.write(bytes),
  };
}

async function aGateway(row: { readonly listens: object; readonly port?: number; readonly serial?: object }) {
  number += 1;
  const { rows } = await sql<{ id: number }>`
    insert into gateway (company_id, model_id, interface_id, name, device_id, host, port, serial, listens)
    values (${api.companies.first}, 603, 10, 'R', ${`RECEIVER-${String(number)}`}, ${row.port === undefined ? null : "127.0.0.1"},
      ${row.port ?? null}, ${row.serial === undefined ? null : JSON.stringify(row.serial)}::jsonb, ${JSON.stringify(row.listens)}::jsonb)
    returning id`.execute(system());
  return rows[0]?.id ?? 0;
}

async function aDevice(modelId: number, deviceID: string, gatewayId?: number): Promise<number> {
  if (!some) throw new Error("an empty plan");
  const [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [
      {
        ...some,
        modelId,
        deviceID,
        insideAddr: "",
        intervalSec: 30 * 86_400,
        impulseWeight: 1,
        startingValue: 0,
      },
    ],
  });
  if (gatewayId !== undefined)
    await sql`update device set gateway_id = ${gatewayId} where id = ${id}`.execute(system());
  return id;
}

async function listen(): Promise<Lines> {
  const open = hasSocat ? await loadSerial() : undefined;
  const lines = createLines({
    clock: systemClock,
    claim: () => Promise.resolve(true),
    release: () => Promise.resolve(),
    ...(open ? { openSerial: open } : {}),
  });
  const stop = startListening(api.services, lines);
  stops.push(async () => {
    await stop();
    await lines.closeAll();
  });
  return lines;
}

async function until<Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("did not happen in time");
}

interface Logged {
  readonly result: number;
  readonly line: string;
  readonly readings: number;
}

async function loggedOf(id: number, least = 1): Promise<readonly Logged[]> {
  return until(async () => {
    const { rows } = await sql<Logged>`
      select result, line, readings from poll_log where device_id = ${id} order by started_ms`.execute(
      system(),
    );
    return rows.length >= least ? rows : undefined;
  });
}

const quarantinedOf = (networkId: string) =>
  until(async () => {
    const { rows } = await sql<{ topic: string; reason: string }>`
      select topic, reason from uplink_aside where network_id = ${networkId}`.execute(system());
    return rows.length > 0 ? rows : undefined;
  });

/** A telegram of the simulated meter behind a P1 port, whose clock shows local time. */
function p1Telegram(deviceID: string, at: number, zone = "Europe/Berlin"): Uint8Array {
  const model = modelById(p1Model);
  if (model?.kind !== "meter" || model.driver.kind !== "uplink") throw new Error("no P1 model");
  const utcOffsetMinutes = standardOffsetSec(zone, at) / 60;
  const device = { insideAddr: "", deviceID, impulseWeight: 1, startingValue: 0, utcOffsetMinutes };
  return model.driver.encode(device, () => 12.5, at).payload;
}

describe("a receiver of wireless M-Bus", () => {
  test("over TCP: an encrypted telegram is read with the key of the device, once per interval", async () => {
    const receiver = await aReceiver();
    const id = await aDevice(radioModel, "12345678");
    await putDeviceSecret(
      { db: system(), secretBox: api.services.secretBox },
      { deviceId: id, name: "encryption", text: key },
    );
    await aGateway({
      listens: { to: "wmbus_lines", hello: toHex(new TextEncoder().encode("brt\r\n")) },
      port: receiver.port,
    });
    await listen();
    const socket = await until(() => receiver.sockets[0]);
    const hello: unknown[] = await once(socket, "data");

    for (const accessNumber of [1, 2, 3])
      receiver.say(lineOf(buildTelegram(records, { ...water, accessNumber })));
    receiver.say(lineOf(buildTelegram(fromHex("0c13 80672900"), { ...water, accessNumber: 4 })));

    const rows = await loggedOf(id, 2);
    const { rows: latest } = await sql<{ source: number }>`
      select source from device_latest where device_id = ${id}`.execute(system());
    expect(String(hello[0])).toBe("brt\r\n");
    expect(rows).toHaveLength(2);
    expect(rows.every(({ result, line }) => result === 0 && line === "wmbus")).toBe(true);
    expect(latest.every(({ source }) => source === 2)).toBe(true);
  });

  test("an unknown meter goes to the inbox under its manufacturer, number, version and type, once", async () => {
    const receiver = await aReceiver();
    await aGateway({ listens: { to: "wmbus_stick" }, port: receiver.port });
    await listen();
    await until(() => receiver.sockets[0]);
    const stranger = { ...water, id: "87654321" };
    const known = await aDevice(radioModel, "dme-11112222-70-07");

    for (const plan of [stranger, stranger, { ...water, id: "11112222", security: "none" as const }]) {
      const [, ...body] = buildTelegram(records, plan);
      receiver.say(Uint8Array.of(0xa5, 0x02, 0x03, body.length, ...body));
    }

    await loggedOf(known);
    expect(await quarantinedOf("dme-87654321-70-07")).toEqual([
      { topic: expect.stringMatching(/^wmbus\/RECEIVER-/) as string, reason: "unknown device" },
    ]);
  });

  test("is reconnected after a loss, and has no other users", async () => {
    const receiver = await aReceiver();
    await aGateway({ listens: { to: "wmbus_lines" }, port: receiver.port });
    const lines = await listen();
    const first = await until(() => receiver.sockets[0]);
    const target = {
      key: tcpLine("127.0.0.1", receiver.port),
      tcp: { host: "127.0.0.1", port: receiver.port },
    };

    await expect(lines.use(target, () => Promise.resolve())).rejects.toBeInstanceOf(LineLent);
    first.destroy();

    await until(() => receiver.sockets[1]);
    const id = await aDevice(radioModel, "33334444");
    receiver.say(lineOf(buildTelegram(records, { ...water, id: "33334444", security: "none" })));
    expect((await loggedOf(id))[0]?.result).toBe(0);
  });
});

describe("a P1 port", () => {
  test("over TCP: the telegrams are those of the only device behind it, one per interval", async () => {
    const receiver = await aReceiver();
    const gateway = await aGateway({ listens: { to: "p1" }, port: receiver.port });
    const id = await aDevice(p1Model, "P1-1", gateway);
    await listen();
    await until(() => receiver.sockets[0]);
    const now = systemClock.now();

    const damaged = p1Telegram("E0041", now);
    damaged[60] = (damaged[60] ?? 0) ^ 1;
    receiver.say(damaged);
    for (const at of [now, now + 1, now + 2]) receiver.say(p1Telegram("E0041", at));

    const [row] = await loggedOf(id);
    const { rows } = await sql`select from message where device_id = ${id} and msg_type = 1`.execute(
      system(),
    );
    expect(row).toMatchObject({ result: 0, line: "p1", readings: 2 });
    expect(rows).toHaveLength(1);
  });

  test("the clock of a telegram is local time at the location of the device", async () => {
    const receiver = await aReceiver();
    const gateway = await aGateway({ listens: { to: "p1" }, port: receiver.port });
    const id = await aDevice(p1Model, "P1-8", gateway);
    const zone = "Asia/Ulaanbaatar";
    await sql`update device set timezone = ${zone} where id = ${id}`.execute(system());
    await listen();
    await until(() => receiver.sockets[0]);
    const now = systemClock.now();

    receiver.say(p1Telegram("E0048", now, zone));
    await loggedOf(id);

    const { rows } = await sql<{ ts: number }>`
      select ts from message where device_id = ${id} and msg_type = 1`.execute(system());
    expect(rows).toEqual([{ ts: now }]);
  });

  test("with several devices behind it, or none, telegrams are those of the device with the number of the meter", async () => {
    const receiver = await aReceiver();
    const gateway = await aGateway({ listens: { to: "p1" }, port: receiver.port });
    await aDevice(p1Model, "P1-2", gateway);
    await aDevice(p1Model, "P1-3", gateway);
    const id = await aDevice(p1Model, "e0042");
    await listen();
    await until(() => receiver.sockets[0]);

    receiver.say(p1Telegram("E0042", systemClock.now()));
    receiver.say(p1Telegram("E0043", systemClock.now()));

    expect((await loggedOf(id))[0]?.result).toBe(0);
    expect((await quarantinedOf("e0043"))[0]?.reason).toBe("unknown device");
  });

  const why = hasSocat ? "" : " (skipped: socat is not installed)";
  test.skipIf(!hasSocat)(
    `over a serial port, also after the adapter was unplugged and plugged in again${why}`,
    async () => {
      const ports = await portPair();
      stops.push(ports.remove);
      const gateway = await aGateway({
        listens: { to: "p1" },
        serial: { path: ports.ours, baud_rate: 115_200 },
      });
      const id = await aDevice(p1Model, "P1-4", gateway);
      const lines = await listen();
      const isUp = () => (lines.held(`serial:${ports.ours}`)?.isOpen === true ? true : undefined);
      const say = async (bytes: Uint8Array): Promise<void> => {
        const port = createWriteStream(ports.theirs);
        await new Promise((resolve) => port.end(bytes, () => resolve(undefined)));
      };
      await until(isUp);
      await say(p1Telegram("E0044", systemClock.now()));
      const before = await loggedOf(id);

      await ports.pullOut();
      await until(() => (isUp() ? undefined : true));
      await ports.plugIn();
      await until(isUp);
      await sql`update device set report_period_update = 1 where id = ${id}`.execute(system());
      const after = await until(async () => {
        await say(p1Telegram("E0044", systemClock.now()));
        const rows = await loggedOf(id);
        return rows.length > before.length ? rows : undefined;
      });

      expect(before[0]).toMatchObject({ result: 0, line: "p1" });
      expect(after.at(-1)).toMatchObject({ result: 0, line: "p1" });
    },
  );
});
