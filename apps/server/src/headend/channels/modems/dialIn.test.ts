import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createLog, systemClock, type Clock } from "#core";
import { createConnectionLimiter } from "../bounds.ts";
import type { Channel } from "../channel.ts";
import type { Admission } from "./admission.ts";
import { listenForModems, type DialIn } from "./dialIn.ts";
import { modemProfiles } from "./identity.ts";

const imei = "004401950000017";
const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A port with a clock that the test advances. */
async function aPort(
  admit: (id: string) => Promise<Admission> = () => Promise.resolve({ state: "welcome", line: "modem:1" }),
) {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => performance.now() + aheadMs };
  const channels: Channel[] = [];
  const port = await listenForModems({
    host: "127.0.0.1",
    port: 0,
    profile: modemProfiles.imei,
    clock,
    log: createLog("silent"),
    limiter: createConnectionLimiter(clock),
    admit,
    onLine: (_, channel) => channels.push(channel),
    onUnused: () => undefined,
  });
  stops.push(port.stop);
  return { port, channels, later: (seconds: number) => (aheadMs += seconds * 1000) };
}

async function aModem({ port }: DialIn, text?: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => undefined);
  stops.push(() => void socket.destroy());
  await once(socket, "connect");
  if (text !== undefined) socket.write(text);
  return socket;
}

async function until(look: () => boolean, withinMs = 60_000): Promise<void> {
  for (const end = Date.now() + withinMs; !look();) {
    if (Date.now() > end) throw new Error("did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a modem that identifies itself becomes a line; its heartbeats never reach the dialogue", async () => {
  const { port, channels } = await aPort();
  const modem = await aModem(port, imei.slice(0, 8));
  modem.write(imei.slice(8));
  await until(() => channels.length === 1);

  const received: number[] = [];
  channels[0]?.listen((bytes) => void received.push(...bytes));
  modem.write(Buffer.concat([Buffer.from(imei), Buffer.from([1, 2, 3]), Buffer.from(imei.slice(0, 5))]));
  await until(() => received.length === 3);
  modem.write(Buffer.concat([Buffer.from(imei.slice(5)), Buffer.from([4])]));
  await until(() => received.length === 4);

  expect(received).toEqual([1, 2, 3, 4]);
  expect(port.counts()).toEqual({ unnamed: 0, live: 1, waiting: 0 });
});

test("a connection without valid identification within 30 s is closed", async () => {
  const { port, later } = await aPort();
  const silent = await aModem(port);
  const babbling = await aModem(port, "x".repeat(300));

  await until(() => babbling.destroyed || babbling.readableEnded);
  expect(port.counts().unnamed).toBe(1);
  later(31);
  await until(() => silent.destroyed || silent.readableEnded);

  expect(port.counts().unnamed).toBe(0);
});

test("an unknown identifier is counted and listed, and gets no line", async () => {
  const { port, channels } = await aPort(() => Promise.resolve({ state: "unknown" }));
  await aModem(port, imei);
  await aModem(port, imei);

  await until(() => port.unknown().get(imei) === 2);

  expect(channels).toHaveLength(0);
});

test("GW-002 the line of a trashed gateway is closed when its identity is checked again; others stay open", async () => {
  const known = new Set([imei, "004401950000025"]);
  const { port, channels } = await aPort((id) =>
    Promise.resolve(known.has(id) ? { state: "welcome", line: `modem:${id}` } : { state: "unknown" }),
  );
  await aModem(port, imei);
  await aModem(port, "004401950000025");
  await until(() => channels.length === 2);

  known.delete(imei);
  for (const id of [imei, "004401950000025"]) port.reconsider(id);
  await until(() => port.counts().live === 1);

  expect(port.seen().map(({ identity }) => identity)).toEqual(["004401950000025"]);
});

test("a second connection with the same identifier waits, and takes over when the first has been silent for a keep-alive period", async () => {
  const { port, channels, later } = await aPort();
  const first = await aModem(port, imei);
  await until(() => channels.length === 1);
  await aModem(port, imei);
  await until(() => port.counts().waiting === 1);
  expect(first.destroyed).toBe(false);

  later(331);
  await until(() => channels.length === 2);

  expect(channels[0]?.isOpen).toBe(false);
  expect(channels[1]?.isOpen).toBe(true);
});

test("a line is closed after twice the keep-alive without a byte", async () => {
  const { port, channels, later } = await aPort();
  await aModem(port, imei);
  await until(() => channels.length === 1);

  later(661);

  await until(() => channels[0]?.isOpen === false);
});

test("a listener that is not ready pauses the peer instead of filling memory", async () => {
  const { port, channels } = await aPort();
  const modem = await aModem(port, imei);
  await until(() => channels.length === 1);
  let received = 0;
  let release = (): void => undefined;
  channels[0]?.listen((bytes) => {
    received += bytes.length;
    return received < 1000 ? undefined : new Promise<void>((resolve) => (release = resolve));
  });

  const block = Buffer.alloc(64 * 1024, 0xff);
  let isHeldBack = false;
  for (let at = 0; at < 400 && !isHeldBack; at++) {
    isHeldBack = !modem.write(block) && modem.writableLength > 4 * 1024 * 1024;
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(isHeldBack).toBe(true);
  expect(received).toBeLessThan(1024 * 1024);
  release();
});

test("connections beyond the limits are refused", () => {
  let nowMs = 0;
  const limiter = createConnectionLimiter({ ...systemClock, monotonicMs: () => nowMs });
  let welcome = 0;
  for (let at = 0; at < 600; at++) if (limiter.enter("10.0.0.1")) welcome += 1;
  expect(welcome).toBe(500);

  for (nowMs = 1000; nowMs <= 60_000; nowMs += 1000)
    for (let at = 0; at < 500; at++) if (limiter.enter("10.0.0.1")) welcome += 1;
  expect(welcome).toBe(5000);

  for (; nowMs <= 200_000; nowMs += 1000)
    for (let at = 0; at < 500; at++) if (limiter.enter(`10.0.1.${String(at % 250)}`)) welcome += 1;
  expect(welcome).toBe(20_000);
});
