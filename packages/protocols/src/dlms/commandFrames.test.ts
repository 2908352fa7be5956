import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import { talk } from "../core/testing/testLine.ts";
import { dlms } from "./driver.ts";
import { aMeter, device, options } from "./testing/testMeter.ts";

type Ask = (of: Required<CommandFunctions>) => Conversation<CommandResult>;

/** The dialogue of a command with the simulated meter. */
function stepsOf(ask: Ask) {
  const driver = dlms(options({ transport: "wrapper" }));
  const meter = aMeter(driver.options);
  const steps: { sent: Uint8Array; received: Uint8Array }[] = [];
  talk(ask(driver.commands as Required<CommandFunctions>), {
    receive(bytes) {
      const answers = meter.receive(bytes);
      steps.push({ sent: bytes, received: Uint8Array.from(answers.flatMap((each) => [...each])) });
      return answers;
    },
  });
  return { driver, steps };
}

/** Class, logical name, attribute or method, and value, by the Green Book 9.5; the invoke id is left out. */
const changes: readonly (readonly [string, Ask, readonly string[]])[] = [
  [
    "disconnects: method 1, int8 0",
    (of) => of.power(device, { power: 0 }),
    ["c301 0046 000060030aff 01 01 0f00"],
  ],
  [
    "reconnects: method 2, int8 0",
    (of) => of.power(device, { power: 1 }),
    ["c301 0046 000060030aff 02 01 0f00"],
  ],
  [
    "limits: attribute 4, 7500 W in the type of the meter",
    (of) => of.limit(device, { limit: 7.5 }),
    ["c101 0047 0000110000ff 04 00 06 00001d4c"],
  ],
  [
    "shifts the clock: method 6, int16",
    (of) => of.time_correct(device, { time_correct: -20 }),
    ["c301 0008 0000010000ff 06 01 10 ffec"],
  ],
  [
    "sets the clock: attribute 2, local time with deviation",
    (of) => of.time_set(device, { time_set: "2026-11-20 21:00:05" }),
    ["c101 0008 0000010000ff 02 00 09 0c 07ea0b1405 15000500 fe20 00"],
  ],
  [
    "writes the passive calendar, activates it, then the special days",
    (of) => of.set_special_day(device, { shedule: { tariff0: ["00:00"] }, day_list: ["01-01"] }),
    [
      "c101 0014 00000d0000ff 06 00 09 00",
      "c101 0014 00000d0000ff 07 00 01 00",
      "c101 0014 00000d0000ff 08 00 01 00",
      "c101 0014 00000d0000ff 09 00 01 01 02 02 11 02 01 01 02 03 09 04 00000000 09 06 00000a0064ff 12 0001",
      "c301 0014 00000d0000ff 01 01 0f00",
      "c101 000b 00000b0000ff 02 00 01 01 02 03 12 0001 09 05 ffff0101ff 11 02",
    ],
  ],
];

describe("the frames of DLMS commands", () => {
  it.each(changes)("a command %s", (_, ask, wanted) => {
    const { steps } = stepsOf(ask);
    const apdus = steps.map(({ sent }) => toHex(sent.subarray(8)));
    const changing = apdus.filter((hex) => /^c[13]01/.test(hex));

    expect(changing.map((hex) => hex.slice(0, 4) + hex.slice(6))).toEqual(
      wanted.map((hex) => hex.replaceAll(" ", "")),
    );
  });

  it.each(changes)("every byte is named of a command that %s", (_, ask) => {
    const { driver, steps } = stepsOf(ask);

    const explained = driver.explainDialogue?.(steps) ?? [];

    for (const [at, { sent, received }] of steps.entries())
      for (const [spans, bytes] of [
        [explained[at]?.sent ?? [], sent],
        [explained[at]?.received ?? [], received],
      ] as const) {
        expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(bytes.length);
        expect(spans.map(({ name }) => (typeof name === "string" ? name : name.code))).not.toContain(
          "undecoded",
        );
      }
  });
});
