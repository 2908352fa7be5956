import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fromHex, toHex } from "@metrum/protocols/core";
import { p1Equipment, p1Stream } from "@metrum/protocols/p1";
import { lineReceiver, readWmbus, wmbusSender } from "@metrum/protocols/wmbus";
import { afterEach, describe, expect, it } from "vitest";
import { demoPlan } from "./plans/demoPlan.ts";
import { createFaults, noFaults, type Faults } from "./faults.ts";
import { createMeter } from "./meter.ts";
import { damagerOf, startSpeaker } from "./speaker.ts";
import type { Timetable } from "./timetable.ts";

const plan = demoPlan(1);
const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A timetable whose clock is advanced by the test. */
function byHand() {
  const entries: { readonly at: number; readonly run: () => void }[] = [];
  let atMs = 1_795_251_600_000;
  const timetable: Timetable = {
    after: (ms, run) => void entries.push({ at: atMs + ms, run }),
    stop: () => undefined,
  };
  return {
    timetable,
    now: () => atMs / 1000,
    pass(seconds: number): void {
      const end = atMs + seconds * 1000;
      for (;;) {
        const [next] = entries.toSorted((a, b) => a.at - b.at);
        if (!next || next.at > end) break;
        entries.splice(entries.indexOf(next), 1);
        atMs = Math.max(atMs, next.at);
        next.run();
      }
      atMs = end;
    },
  };
}

/** A line of the demonstration with a client that records received bytes. */
async function aLine(key: string, faults: Partial<Faults> = {}) {
  const gateway = plan.gateways.find((each) => each.key === key);
  if (!gateway?.listens) throw new Error(`${key} is no line of the demonstration`);
  const { listens } = gateway;
  const clock = byHand();
  const speaker = await startSpeaker({
    host: "127.0.0.1",
    port: 0,
    listens,
    meters: plan.devices.filter((device) => device.gateway === key).map((device) => createMeter(device)),
    now: clock.now,
    timetable: clock.timetable,
    hasOutages: () => false,
    faults: createFaults(Object.assign(faults, { ...noFaults, ...faults }), 7, damagerOf(listens)),
  });
  stops.push(speaker.stop);
  const client = await aClient(speaker.port);
  while (!speaker.hasClient()) await turn();
  /** Advances time until enough has been received. */
  const receiveUntil = async (isEnough: (text: string) => boolean): Promise<Buffer> => {
    while (!isEnough(client.received().toString("latin1"))) {
      clock.pass(10);
      await turn();
    }
    return client.received();
  };
  return { ...client, clock, receiveUntil };
}

async function aClient(port: number) {
  const socket: Socket = connect({ host: "127.0.0.1", port });
  let received = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  stops.push(() => void socket.destroy());
  return { socket, received: () => received };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const linesIn = (text: string): number => text.split("\n").length - 1;
const endsIn = (text: string): number => text.split(/\n![^\n]*\n/).length - 1;

describe("a P1 port", () => {
  it("pushes a complete telegram of its meter every ten seconds", async () => {
    const { receiveUntil } = await aLine("p1-1");

    const telegrams = p1Stream().push(await receiveUntil((text) => endsIn(text) >= 6));

    expect(new Set(telegrams.map((each) => p1Equipment(each)))).toEqual(new Set(["E00471000001"]));
    const seconds = telegrams.map((each) =>
      Number(/0-0:1\.0\.0\(\d{10}(\d\d)/.exec(Buffer.from(each).toString("latin1"))?.[1]),
    );
    const steps = seconds.slice(1).map((each, at) => (each - (seconds[at] ?? 0) + 60) % 60);
    expect(new Set(steps)).toEqual(new Set([10]));
  });

  it("that damages telegrams is rejected", async () => {
    const { receiveUntil } = await aLine("p1-1", { wrongCrc: 1 });

    const [telegram = new Uint8Array(0)] = p1Stream().push(await receiveUntil((text) => endsIn(text) > 0));

    expect(() => p1Equipment(telegram)).toThrow(expect.objectContaining({ kind: "checksum" }));
  });
});

describe("a receiver of wireless M-Bus", () => {
  it("sends telegrams of all its meters, encrypted with their keys, complete though split", async () => {
    const { receiveUntil } = await aLine("wmbus1", { split: 1, delayMs: [0, 400] });

    const telegrams = lineReceiver().receive(await receiveUntil((text) => linesIn(text) >= 18));

    const devices = plan.devices.filter(({ gateway }) => gateway === "wmbus1");
    expect(telegrams.length).toBeGreaterThanOrEqual(18);
    for (const { deviceID, key } of devices) {
      const found = telegrams.find(({ telegram }) => wmbusSender(telegram).id === deviceID);
      if (!found) throw new Error(`nothing of ${deviceID}`);
      const { protection } = readWmbus(found.telegram, {
        key: key === undefined ? undefined : fromHex(key),
      });
      expect(protection === "none").toBe(key === undefined);
      expect(found.rssi).toBeLessThan(-50);
    }
    expect(new Set(telegrams.map(({ telegram }) => toHex(telegram))).size).toBe(telegrams.length);
  });

  it("with culfw is silent until it receives its opening command", async () => {
    const { clock, socket, received, receiveUntil } = await aLine("wmbus2");
    clock.pass(60);
    await turn();
    expect(received()).toHaveLength(0);

    socket.write("brt\r\n");

    const output = await receiveUntil((text) => linesIn(text) >= 5);
    expect(lineReceiver().receive(output).length).toBeGreaterThanOrEqual(5);
    expect(output.toString("latin1")).toMatch(/^b[0-9A-F]+\r\n/);
  });

  it.each(["wmbus1", "wmbus2"])("(%s) hands on no damaged telegram that could be believed", async (key) => {
    const { socket, receiveUntil } = await aLine(key, { wrongCrc: 1 });
    socket.write("brt\r\n");

    const received = lineReceiver().receive(await receiveUntil((text) => linesIn(text) >= 5));

    for (const { telegram } of received) expect(() => wmbusSender(telegram)).toThrow();
  });

  it("loses telegrams as configured, and is received again afterwards", async () => {
    const faults = { ...noFaults, loss: 1 };
    const { clock, receiveUntil } = await aLine("wmbus1", faults);
    clock.pass(600);
    const before = new Date(clock.now() * 1000).toISOString().replace("T", " ");
    faults.loss = 0;

    const received = (await receiveUntil((text) => linesIn(text) >= 6)).toString("latin1").trim().split("\n");

    expect(received.every((line) => (line.split(";")[3] ?? "") >= before.slice(0, 16))).toBe(true);
  });
});
