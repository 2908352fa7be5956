import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { sessionTarget } from "../core/fuzz/fuzzSession.ts";
import { atDriver } from "./driver.ts";

const device = { insideAddr: "", deviceID: "" };
const now = () => 1_700_000_000;

const dialogues = {
  "at-clock": () => atDriver.commands.get_datetime?.(device),
  "at-time-set": () => atDriver.commands.time_set?.(device, { time_set: "2026-01-02 03:04" }),
  "at-time-correct": () => atDriver.commands.time_correct?.(device, { time_correct: 5 }),
  "at-signal": () => atDriver.commands.signal_level?.(device),
} as const;

/** Commands to a modem with mutated answers. */
export const atFuzz: readonly FuzzTarget[] = Object.entries(dialogues).map(([name, begin]) =>
  sessionTarget({
    name,
    poll: () => begin() ?? atDriver.poll({ kind: "now" }, device),
    meter: () => atDriver.respond(device, () => 0, now),
    seal: (frame) => frame,
  }),
);
