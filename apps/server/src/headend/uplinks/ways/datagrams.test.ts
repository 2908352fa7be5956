import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { fromHex } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenForDatagrams, type UdpPort } from "../../channels/udp/udp.ts";
import { udpProfile } from "../../channels/modems/profiles.ts";
import { unpackSteps } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeDatagram } from "./datagrams.ts";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const imei = "356938035643809";
const frame = fromHex("01620600 bf006a15 10270000 01000000 00000000 00000000");

let api: TestApi;
let port: UdpPort;
let id: number;
let device: Socket;

beforeAll(async () => {
  api = await openTestApi();
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [{ ...counter, deviceID: imei }],
  });
  const { clock, log } = api.services;
  port = await listenForDatagrams({
    host: "127.0.0.1",
    port: 0,
    profile: udpProfile("imei", { greeting: "OK {id}", fport: "2" }),
    clock,
    log,
    onDatagram: (datagram) => takeDatagram(api.services, datagram),
  });
  device = createSocket("udp4");
});
afterAll(async () => {
  device.close();
  await port.stop();
  await api.close();
});

const send = (...parts: readonly (string | Uint8Array)[]) =>
  device.send(Buffer.concat(parts.map((part) => Buffer.from(part))), port.port, "127.0.0.1");

async function until(look: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !look();) {
    if (Date.now() > end) throw new Error("did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a datagram is a frame of the device it names, and is answered when stored", async () => {
  const answered = once(device, "message");
  send(imei, frame);

  const [answer] = (await answered) as [Buffer];
  const { rows } = await sql<{ source: number }>`
    select source from message where device_id = ${id}`.execute(api.services.database.system);
  expect(answer.toString()).toBe(`OK ${imei}`);
  expect(rows).toEqual([{ source: 2 }]);
});

test("a datagram without an identity, or of an unknown device, is counted and not answered", async () => {
  const answers: unknown[] = [];
  device.on("message", (answer) => answers.push(answer));
  send("hello");
  send("999999999999999", frame);
  send(new Uint8Array(5000));

  await until(() => port.counts().unnamed + port.counts().unknown + port.counts().dropped === 3);

  expect(port.counts()).toEqual({ taken: 1, unnamed: 1, unknown: 1, shared: 0, dropped: 1 });
  expect([...port.unknown()]).toEqual([["999999999999999", 1]]);
  expect(answers).toEqual([]);
});

test("a datagram whose identity two companies have is counted, not stored, and reported in both logs without the bytes", async () => {
  const [other = 0] = await registerPark(api.services.database, api.companies.second, {
    gateways: [],
    baseStations: [],
    devices: [{ ...counter, deviceID: imei }],
  });

  send(imei, frame);
  send(imei, frame);
  await until(() => port.counts().shared === 2);

  const { rows } = await sql<{ device_id: number; message: string; steps: Buffer }>`
    select device_id, message, steps from poll_log
    where message = 'several companies have this number' order by device_id
  `.execute(api.services.database.system);
  expect(rows.map(({ device_id }) => device_id)).toEqual([id, other]);
  expect(JSON.stringify(rows.map(({ steps }) => unpackSteps(steps)))).not.toContain("01620600");
  expect(port.counts()).toMatchObject({ taken: 1, unknown: 1 });
});
