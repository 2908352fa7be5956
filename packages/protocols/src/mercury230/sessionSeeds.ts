import type { Conversation } from "../core/conversation.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { identification, seedMeter, sessionTarget } from "../core/fuzz/fuzzSession.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame } from "./frame.ts";
import { readInfo, readJournal, readPhaseEnergy } from "./reads.ts";
import { inSession, mercurySession } from "./session.ts";

const now = 1_795_176_600;
const device = { insideAddr: "78", deviceID: "12345678" };
const driver = mercury230({ tariffs: 1, keeps: ["rPlus"], profile: { memoryBytes: 65_536 } });

const sealed = (frame: Uint8Array): Uint8Array =>
  frame.length > 3 ? closeFrame(frame[0] ?? 0, frame.subarray(1, -2)) : frame;

/** Requests other than readings: identification, a journal, energy by phase. */
function* others(): Conversation<unknown> {
  const session = mercurySession(device, 1);
  return yield* inSession(session, function* () {
    return [
      yield* readInfo(session),
      yield* readJournal(session, 1, 0),
      yield* readPhaseEnergy(session, 1),
    ] as const;
  });
}

const { commands } = driver;

const polls: readonly (readonly [name: string, poll: () => Conversation<unknown>])[] = [
  ["now", () => driver.poll({ kind: "now" }, device)],
  ["profile", () => driver.poll({ kind: "archive", msgType: 5, from: now - 20_000, to: now }, device)],
  ["months", () => driver.poll({ kind: "archive", msgType: 103, from: now - 6_000_000, to: now }, device)],
  ["others", others],
  ["identify", () => identification(driver, device)],
  ["power", () => commands.power?.(device, { power: 0 }) ?? others()],
  ["limit", () => commands.limit?.(device, { limit: 5 }) ?? others()],
  ["time-correct", () => commands.time_correct?.(device, { time_correct: 10 }) ?? others()],
  ["time-set", () => commands.time_set?.(device, { time_set: "2026-11-21 00:00" }) ?? others()],
];

/** Sessions with a simulated meter with mutated answers. */
export const mercurySessionFuzz: readonly FuzzTarget[] = polls.map(([name, poll]) =>
  sessionTarget({
    name: `poll-mercury230-${name}`,
    poll,
    meter: seedMeter(driver, device, now),
    seal: sealed,
  }),
);
