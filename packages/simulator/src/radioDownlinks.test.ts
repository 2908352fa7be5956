import { EventEmitter } from "node:events";
import { buildChirpStackDown } from "@metrum/protocols/chirpstack";
import { fromHex, toHex } from "@metrum/protocols/core";
import { expect, it } from "vitest";
import { createMeter } from "./meter.ts";
import { mixedPlan } from "./plans/mixedPlan.ts";
import { listenForDownlinks } from "./radioDownlinks.ts";

it("a simulated radio device receives its downlinks after its next uplink, in order, each once", () => {
  const planned = mixedPlan({ count: 60, seed: 3 }).devices.find(({ modelId }) => modelId === 301);
  if (!planned) throw new Error("the plan has no such device");
  const meter = createMeter(planned);
  const subscribed: string[] = [];
  const client = Object.assign(new EventEmitter(), {
    subscribe: (topic: string) => subscribed.push(topic),
  });
  const waiting = listenForDownlinks(client, {
    target: { url: "", prefix: "c12" },
    meters: [meter],
    now: () => 5.5,
    obedience: () => "obey",
  });
  const order = (payload: string): void => {
    const down = { devEui: planned.deviceID, fPort: 3, payload: fromHex(payload), confirmed: false };
    client.emit("message", "topic", Buffer.from(buildChirpStackDown(down)));
  };

  client.emit("connect");
  order("0010000104");
  order("01");
  client.emit("message", "topic", Buffer.from("no downlink"));
  const before = [...meter.orders.log];
  const answers = waiting.take(meter);

  expect(subscribed).toEqual(["c12/application/metrum-simulator/device/+/command/down"]);
  expect(before).toEqual([]);
  expect(meter.orders.log).toEqual([
    { at: 5, order: { kind: "set", name: "setting 16", value: [4] }, did: "obey" },
  ]);
  expect(answers.map(({ payload }) => toHex(payload))).toEqual([expect.stringContaining("10000104")]);
  expect(waiting.take(meter)).toEqual([]);
});
