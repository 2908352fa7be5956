import type { Conversation } from "../core/conversation.ts";
import type { LineDriver } from "../core/driver.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { identification, sessionTarget } from "../core/fuzz/fuzzSession.ts";
import { iec62056 } from "./driver.ts";
import { bccOf, type BlockCheck } from "./message.ts";
import type { IecOptions } from "./options.ts";

const now = 1_795_176_600;
const device = { insideAddr: "12345678", deviceID: "12345678", password: "777777" };
const common = {
  manufacturer: "MTR",
  type: "SIM",
  rows: [
    { obis: "1.8.0", field: "tariff0", isBilled: true },
    { obis: "32.7.0", field: "voltage1" },
  ],
  clock: { date: "0.9.2", time: "0.9.1" },
  billing: { stamp: "0.1.2" },
  utcOffsetMinutes: 60,
} as const satisfies Omit<IecOptions, "access">;

/** A block whose check character is right again. */
const sealed =
  (check: BlockCheck) =>
  (block: Uint8Array): Uint8Array => {
    const copy = block.slice();
    if (copy.length > 2) copy[copy.length - 1] = bccOf(copy.subarray(1, -1), check);
    return copy;
  };

const target = (
  name: string,
  { access, ...of }: Pick<IecOptions, "access" | "check" | "layout" | "hasBareErrors">,
  poll = (driver: LineDriver): Conversation<unknown> => driver.poll({ kind: "now" }, device),
): FuzzTarget => {
  const driver = iec62056({ ...common, ...of, access });
  return sessionTarget({
    name: `poll-iec62056-21-${name}`,
    poll: () => poll(driver),
    meter: () =>
      driver.respond(
        device,
        (field) => field.length,
        () => now,
      ),
    seal: sealed(of.check ?? "xor"),
  });
};

const reads = ["1.8.0()", "32.7.0()"];

/** Read-out, sign-on and programming mode with mutated answers. */
export const iecSessionFuzz: readonly FuzzTarget[] = [
  target("readout", { access: "readout" }),
  target("identify", { access: "readout" }, (driver) => identification(driver, device)),
  target("programming", { access: { reads } }),
  target("sum", { access: { reads }, check: "sum", layout: "named_lines", hasBareErrors: true }),
];
