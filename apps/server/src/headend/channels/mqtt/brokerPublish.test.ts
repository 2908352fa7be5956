import { afterEach, expect, test } from "vitest";
import { testBrokers } from "#testing/peers/broker";

const { aBroker, aClient, stop } = testBrokers();
afterEach(stop);

test("a downlink reaches only the network server of its company", async () => {
  const broker = await aBroker();
  const [own, other] = [await aClient(broker, "c7"), await aClient(broker, "c8")];
  await own.subscribeAsync("c7/application/+/device/+/command/#", { qos: 1 });
  await other.subscribeAsync("c8/#", { qos: 1 });

  expect(await broker.publish("c7/application/a/device/1/command/down", "{}")).toBe(true);

  await expect.poll(() => own.received).toEqual(["c7/application/a/device/1/command/down {}"]);
  expect(other.received).toEqual([]);
});

test("an order is refused when no network server of the company is connected", async () => {
  const broker = await aBroker();
  const other = await aClient(broker, "c8");

  expect(await broker.publish("c7/a", "{}")).toBe(false);
  expect(await broker.publish("c8/a", "{}")).toBe(true);
  await other.endAsync();

  await expect.poll(() => broker.publish("c8/a", "{}")).toBe(false);
});
