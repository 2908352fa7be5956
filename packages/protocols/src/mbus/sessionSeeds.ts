import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { sessionTarget } from "../core/fuzz/fuzzSession.ts";
import { mbus } from "./driver.ts";
import { searchMeters } from "./search.ts";

const now = 1_795_176_600;
const device = { insideAddr: "12345678", deviceID: "12345678" };
const driver = mbus({
  manufacturer: "MTR",
  version: 1,
  medium: 4,
  resource: "heat",
  records: [
    { code: "0c78" },
    { code: "046d" },
    { code: "0406", field: "tariff1" },
    { code: "0413", field: "V_in" },
    { code: "025a", field: "T_in" },
  ],
  archives: [{ msgType: 103, firstStorage: 1, count: 14, date: "026c", rows: [{ code: "0406" }] }],
});

/** A frame with a repaired checksum. Layout: `longFrame`. */
function sealed(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  if (copy.length > 6)
    copy[copy.length - 2] = copy.subarray(4, -2).reduce((total, byte) => (total + byte) & 0xff, 0);
  return copy;
}

const meter = () =>
  driver.respond(
    device,
    (field) => field.length,
    () => now,
  );

/** Polls over several telegrams, and the search of a line, with mutated answers. */
export const mbusSessionFuzz: readonly FuzzTarget[] = [
  sessionTarget({
    name: "poll-mbus",
    poll: () => driver.poll({ kind: "archive", msgType: 103, from: 0, to: now }, device),
    meter,
    seal: sealed,
  }),
  sessionTarget({
    name: "poll-mbus-clock",
    poll: () =>
      driver.commands.time_set?.(device, { time_set: "2026-11-20 12:00" }) ??
      driver.poll({ kind: "now" }, device),
    meter,
    seal: sealed,
  }),
  sessionTarget({
    name: "poll-mbus-search",
    poll: () => searchMeters({ maxSteps: 60 }),
    meter,
    seal: sealed,
  }),
];
