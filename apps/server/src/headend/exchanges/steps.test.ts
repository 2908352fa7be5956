import { describe, expect, test } from "vitest";
import type { LoggedStep } from "./exchange.ts";
import { packSteps, unpackSteps } from "./steps.ts";

const step: LoggedStep = {
  label: "read registers 0-9",
  try: 1,
  tries: 3,
  at: 3,
  answered: 41,
  ended: 52,
  sent: "010300000014450b",
  received: "01032800000000000000000000000000000000000000000000000000000000000000000000000000000000a1b2",
};

/** Fields common to all steps of an uplink. */
const uplinkStep = { try: 1, tries: 1, at: 0, answered: 0, ended: 0, sent: "" };

describe("TRUST-022 steps of an exchange", () => {
  test.each([
    ["none", []],
    ["a usual one", [step]],
    [
      "of an uplink",
      [
        {
          ...step,
          label: "Uplink 5, port 2",
          ...uplinkStep,
          received: "0a1b",
          fport: 2,
          heardAt: 1_790_000_000,
        },
        { ...step, label: "Radio | -70 dBm", ...uplinkStep, received: "" },
      ],
    ],
    [
      "of an uplink, by codes",
      [
        { ...step, label: { code: "uplink", n: 5, port: 2 }, ...uplinkStep, received: "0a1b" },
        { ...step, label: { code: "radio", rssi: -70, gateways: 2 }, ...uplinkStep, received: "" },
      ],
    ],
    [
      "of a long answer",
      [
        { ...step, label: "associate" },
        { ...step, label: { code: "read_attribute", obis: "1.0.99.1.0.255", n: 2, block: 3 } },
      ],
    ],
    [
      "of an uplink that could not be read",
      [{ ...step, ...uplinkStep, codec: 7, error: { kind: "crc", message: "no" } }],
    ],
    ["of a long uplink", [{ ...step, ...uplinkStep, received: "5a".repeat(2_000) }]],
    ["many", Array.from({ length: 400 }, (_, n) => ({ ...step, at: n }))],
    ["in any script", [{ ...step, label: "Нэг хэмжилт", error: { kind: "timeout", message: "нет ответа" } }]],
    ["long", [{ ...step, received: "5a".repeat(65_536) }]],
  ] as const)("come back as they were: %s", (_, steps) => {
    expect(unpackSteps(packSteps(steps))).toEqual(steps);
  });

  test("from before packing are still read", () => {
    const stored = Buffer.concat([Buffer.of(0), Buffer.from(JSON.stringify([step]))]);

    expect(unpackSteps(stored)).toEqual([step]);
  });

  test("packed by this version are read by every later one", () => {
    const kept =
      "038bc62e8c2b6451c3d6c012b7038d911d688270a1a911dc89068606c6908034343131354842753248d6c8023dc82905898649464ab5b100";
    const label = { code: "read_registers", from: "0x0000", to: "0x0009" };

    expect(unpackSteps(Buffer.from(kept, "hex"))).toEqual([{ ...step, label }]);
  });

  test("packed when they had text labels are read by every later version", () => {
    const kept =
      "0143722d5ac018e85ae2b4c418d91213842da646706b0c0c0d8c2101636862626a90846a2d48d6c8023d082905898649464ab5b100";

    expect(unpackSteps(Buffer.from(kept, "hex"))).toEqual([step]);
  });

  test("of an uplink packed by this version are read by every later one", () => {
    const kept = Buffer.from(
      '\u0002[["Uplink 5, port 2","0a1b",{"fport":2,"heardAt":1790000000}],["Radio | -70 dBm"]]',
    );

    expect(unpackSteps(kept)).toEqual([
      { label: "Uplink 5, port 2", ...uplinkStep, received: "0a1b", fport: 2, heardAt: 1_790_000_000 },
      { label: "Radio | -70 dBm", ...uplinkStep, received: "" },
    ]);
  });

  test("that are damaged or packed by a newer version are not misread", () => {
    expect(() => unpackSteps(Buffer.of(9, 1, 2))).toThrow(/packed in a way/);
    expect(() => unpackSteps(packSteps([step]).subarray(0, 20))).toThrow();
  });

  test("take a third of the bytes of their JSON", () => {
    expect(packSteps([step]).length * 3).toBeLessThan(JSON.stringify([step]).length);
  });
});
