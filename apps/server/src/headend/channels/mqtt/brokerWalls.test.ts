import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { testBrokers } from "#testing/peers/broker";

const { aBroker, aClient, onStop, stop } = testBrokers();
afterEach(stop);

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 20_000, interval: 10 };

const asleep = { clientId: "esp32", clean: false };

test("two companies with one client id are connected side by side", async () => {
  const broker = await aBroker();

  const first = await aClient(broker, "c7", { clientId: "esp32" });
  const second = await aClient(broker, "c8", { clientId: "esp32" });
  await second.publishAsync("c8/a", "1", { qos: 1 });
  await first.publishAsync("c7/a", "1", { qos: 1 });

  expect([first.connected, second.connected]).toEqual([true, true]);
});

test("a client id used by another company opens an empty session of one's own company", async () => {
  const broker = await aBroker();
  const victim = await aClient(broker, "c7", asleep);
  await victim.subscribeAsync("c7/secret", { qos: 1 });
  await victim.endAsync();
  const publisher = await aClient(broker, "c7");
  await publisher.publishAsync("c7/secret", "before", { qos: 1 });

  const thief = await aClient(broker, "c8", asleep);
  const park = await aClient(broker, "c7-park", asleep);
  await publisher.publishAsync("c7/secret", "during", { qos: 1 });
  const back = await aClient(broker, "c7", asleep);
  await vi.waitFor(() => expect(back.received).toHaveLength(2), patience);

  expect([thief.sessionPresent, park.sessionPresent, back.sessionPresent]).toEqual([false, false, true]);
  expect([thief.received, park.received]).toEqual([[], []]);
  expect(back.received).toEqual(["c7/secret before", "c7/secret during"]);
});

test("a clean start, a will and a wrong password with the client id of another company do not affect it", async () => {
  const broker = await aBroker();
  const victim = await aClient(broker, "c7", asleep);
  await victim.subscribeAsync("c7/#", { qos: 1 });
  await victim.endAsync();

  const clean = await aClient(broker, "c8", { clientId: "esp32", clean: true });
  await expect(aClient(broker, "c7", { ...asleep, password: "guess" })).rejects.toThrow();
  await expect(aClient(broker, "c7", { clientId: "esp32", password: "guess" })).rejects.toThrow();
  const dying = await aClient(broker, "c8", {
    clientId: "dying",
    will: { topic: "c7/will", payload: Buffer.from("x"), qos: 1, retain: false },
  });
  dying.stream.destroy();
  await clean.publishAsync("c8/a", "1", { qos: 1 });
  const publisher = await aClient(broker, "c7");
  await publisher.publishAsync("c7/a", "own", { qos: 1 });
  const back = await aClient(broker, "c7", asleep);
  await vi.waitFor(() => expect(back.received).toContain("c7/a own"), patience);

  expect(back.sessionPresent).toBe(true);
  expect(back.received).toEqual(["c7/a own"]);
});

test("a refused filter beside a granted one is not stored in the session", async () => {
  const broker = await aBroker();
  const spy = await aClient(broker, "c8", { clientId: "spy", clean: false });
  const granted = new Promise<unknown>((resolve) => {
    spy.on("packetreceive", (packet) => (packet.cmd === "suback" ? resolve(packet.granted) : undefined));
  });
  await spy
    .subscribeAsync({ "c8/own": { qos: 1 }, "c7/#": { qos: 1 }, "#": { qos: 1 } })
    .catch(() => undefined);
  expect(await granted).toEqual([1, 128, 128]);
  await spy.endAsync();
  const other = await aClient(broker, "c7");
  await other.publishAsync("c7/secret", "1", { qos: 1 });
  const own = await aClient(broker, "c8");
  await own.publishAsync("c8/own", "2", { qos: 1 });

  const back = await aClient(broker, "c8", { clientId: "spy", clean: false });
  await vi.waitFor(() => expect(back.received).toContain("c8/own 2"), patience);

  expect(back.received).toEqual(["c8/own 2"]);
});

test("a client without an id cannot request a persistent session", async () => {
  const { port } = await aBroker();
  const socket = connectSocket({ host: "127.0.0.1", port });
  onStop(() => Promise.resolve(socket.destroy()));
  const fields = ["MQTT", "", "c7", "secret"].map((text) => [0, text.length, ...Buffer.from(text)]);
  const [name = [], ...payload] = fields;
  // Level 4, flags: user name and password, no clean session; keep-alive 60 s.
  const body = [...name, 4, 0xc0, 0, 60, ...payload.flat()];

  socket.write(Uint8Array.of(0x10, body.length, ...body));

  expect(await once(socket, "data")).toEqual([Buffer.of(0x20, 2, 0, 2)]);
});

test("the last will of a client reaches its own company", async () => {
  const broker = await aBroker();
  const watcher = await aClient(broker, "c7");
  await watcher.subscribeAsync("c7/#", { qos: 1 });
  const dying = await aClient(broker, "c7", {
    clientId: "dying",
    will: { topic: "c7/will", payload: Buffer.from("gone"), qos: 1, retain: false },
  });

  dying.stream.destroy();
  await vi.waitFor(() => expect(watcher.received).toEqual(["c7/will gone"]), patience);
});
