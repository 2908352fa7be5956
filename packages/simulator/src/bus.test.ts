import { expect, test } from "vitest";
import { createBus, type OnAnswer } from "./bus.ts";
import { createFaults, createObedience, noFaults } from "./faults.ts";
import { createMeter, type Meter } from "./meter.ts";
import { scalePlan } from "./plans/scalePlan.ts";

const plan = scalePlan({ count: 2, mix: "electricity", seed: 1 });
/** Reads an input register of the second of two SDM630. */
const request = Uint8Array.of(2, 4, 0, 0, 0, 2, 0x71, 0xf8);

const answersWith = (onAnswer?: OnAnswer): number =>
  createBus({
    meters: plan.devices.map((device) => createMeter(device)),
    now: () => 1_780_000_000,
    isUnreachable: () => false,
    obedience: createObedience(noFaults, 1),
    faults: createFaults(noFaults, 1),
    onAnswer,
  }).receive(request).length;

test("only the addressed meter is announced, and what it is told to answer is sent", () => {
  const announced: [Meter["device"]["insideAddr"], Uint8Array][] = [];

  const sent = answersWith((meter, asked, answers) => {
    announced.push([meter.device.insideAddr, asked]);
    return answers;
  });

  expect(announced).toEqual([["2", request]]);
  expect([answersWith(), sent, answersWith(() => [])]).toEqual([1, 1, 0]);
});
