import {
  converse,
  ProtocolError,
  type CommandResult,
  type Conversation,
  type LineDriver,
} from "@metrum/protocols/core";
import { expect, it } from "vitest";
import { createBus } from "./bus.ts";
import { createFaults, createObedience, noFaults } from "./faults.ts";
import { origin } from "./load.ts";
import { createMeter, type Meter } from "./meter.ts";
import { mixedPlan } from "./plans/mixedPlan.ts";
import { sequence } from "./random.ts";

const start = origin + 500 * 86_400;
const faults = { ...noFaults, loss: 0.06, wrongCrc: 0.04, refuse: 0.1, lie: 0.2 };

type Ask = () => Conversation<CommandResult> | undefined;

const localText = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ");

/** A command that changes the device, whatever its state is. */
function nextCommand(driver: LineDriver, meter: Meter, at: number): Ask {
  const { commands } = driver;
  const { address } = meter;
  const isOn = meter.stateAt(start)("power_active") > 0;
  const asks: readonly Ask[] = [
    () => commands.power?.(address, { power: isOn ? 0 : 1 }),
    () => commands.limit?.(address, { limit: 1 + at / 100 }),
    () => commands.time_correct?.(address, { time_correct: 10 + (at % 20) }),
    () => commands.time_set?.(address, { time_set: localText(start + at * 3600) }),
    () =>
      commands.set_shedule_tariff?.(address, {
        tariff0: [localText(start + at * 60).slice(11, 16)],
        tariff1: ["00:00"],
      }),
  ];
  const offered = asks.filter((ask) => ask() !== undefined);
  return offered[at % offered.length] ?? (() => undefined);
}

const models = [
  ["Mercury 230", 120],
  ["SPODES", 702],
  ["M-Bus heat meter", 201],
] as const;

it.each(models)(
  "CTRL-106 CTRL-108: 200 commands to a %s over a bad line, with lies: none twice, none done without being done",
  (_, modelId) => {
    const planned = mixedPlan({ count: 60, seed: 3 }).devices.find((each) => each.modelId === modelId);
    if (!planned) throw new Error("the plan has no such meter");
    const meter = createMeter(planned);
    const { driver } = meter.model;
    if (driver.kind !== "line") throw new Error("not on a line");
    const chance = sequence(5);
    const bus = createBus({
      meters: [meter],
      now: () => start,
      isUnreachable: () => false,
      obedience: createObedience(faults, 7),
      faults: createFaults(faults, 11),
    });
    const line = {
      receive: (bytes: Uint8Array) => (chance() < 0.03 ? [] : bus.receive(bytes).map((piece) => piece.bytes)),
    };
    const seen = { done: 0, refused: 0, unknown: 0, thrown: 0 };

    for (let count = 1; count <= 200; count++) {
      const ask = nextCommand(driver, meter, count);
      const dialogue = ask();
      if (!dialogue) throw new Error("the meter has no command");
      const before = meter.orders.log.length;
      let state: keyof typeof seen = "thrown";
      try {
        state = converse(dialogue, line).state;
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
      seen[state] += 1;

      const taken = meter.orders.log.slice(before);
      const obeyed = taken.filter(({ did }) => did === "obey");
      const kinds = taken.map(({ order }) => (order.kind === "set" ? order.name : order.kind));
      expect(new Set(kinds).size, kinds.join()).toBe(kinds.length);
      if (state === "done") expect(obeyed.length).toBe(taken.length);
      if (state === "done") expect(obeyed.length).toBeGreaterThan(0);
      if (state === "thrown") expect(taken).toEqual([]);
    }

    for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(0);
  },
);
