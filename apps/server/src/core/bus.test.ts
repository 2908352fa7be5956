import { expect, test } from "vitest";
import { createBus } from "./bus.ts";

test("a listener that throws disturbs neither the publisher nor the other listeners, and is reported", () => {
  const reported: unknown[] = [];
  const received: string[] = [];
  const fault = new Error("listener");
  const bus = createBus((error) => reported.push(error));
  bus.on("accessChanged", () => {
    throw fault;
  });
  bus.on("accessChanged", (what) => received.push(what));

  expect(() => bus.publish("accessChanged", "user:7")).not.toThrow();
  bus.publish("accessChanged", "user:8");

  expect(received).toEqual(["user:7", "user:8"]);
  expect(reported).toEqual([fault, fault]);
});

test("a removed listener receives nothing more", () => {
  const received: string[] = [];
  const bus = createBus(() => undefined);
  const stop = bus.on("accessChanged", (what) => received.push(what));
  bus.publish("accessChanged", "user:7");

  stop();
  bus.publish("accessChanged", "user:8");

  expect(received).toEqual(["user:7"]);
});
