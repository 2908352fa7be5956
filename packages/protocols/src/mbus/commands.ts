import { changeInSession, changing, isSetTo, otherThanSet, type Change } from "../core/changing.ts";
import type { CommandFunctions } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { localSeconds } from "../core/localTime.ts";
import { encodeRecord, type RecordCode } from "./encode.ts";
import { clockOf, type ReadingPlan } from "./readings.ts";
import { reach, readTelegrams, writeRecord } from "./session.ts";
import { targetOf, type Target } from "./target.ts";

/** Resolution of date and time of type F, which has no seconds; types of 48 bits have them. */
const minuteSec = 60;
const codingOfSeconds = 6;

/** Resolution of the clock in a record, seconds. */
export const clockStepOf = ({ data }: RecordCode): number =>
  data.coding === codingOfSeconds ? 1 : minuteSec;

/**
 * The clock of a meter whose telegram has it: read, and set by the same record in a telegram to the meter.
 * Source: EN 13757-3, 7.3 (CI 51, data send) and annex A (types F and I). The meter acknowledges any data, so
 * only reading it back proves the change. A clock without seconds is set to the nearest minute. A correction by
 * seconds is not offered: type F has minutes.
 * Errors: ProtocolError before the clock is sent; "unexpected" for a telegram without a clock.
 */
export function mbusCommands(
  clock: RecordCode | undefined,
  of: { readonly planOf: (device: DeviceAddress) => ReadingPlan; readonly baud: number },
): CommandFunctions {
  if (!clock) return {};
  const code: RecordCode = clock;
  const resolution = clockStepOf(code);
  // A clock without seconds is somewhere in its minute: the middle is at most half of it wrong.
  const withinSec = Math.floor(resolution / 2);

  function* readClock(target: Target, device: DeviceAddress): Conversation<number> {
    const telegrams = yield* readTelegrams(target, of.baud);
    const at = clockOf(
      of.planOf(device),
      telegrams.flatMap(({ records }) => records),
    );
    if (at === undefined) throw new ProtocolError("unexpected", "the telegram has no clock");
    return at + withinSec;
  }

  function* setClock(target: Target, device: DeviceAddress, local: number): Conversation<Change<Target>> {
    const at = local - of.planOf(device).utcOffsetMinutes * 60;
    yield* reach(target, of.baud);
    return {
      sent: yield* changing(writeRecord(target, of.baud, encodeRecord(code, local))),
      *read(open) {
        const now = yield* readClock(open, device);
        return isSetTo(now, at) ? { device_time: now } : otherThanSet("the clock");
      },
    };
  }

  return {
    *get_datetime(device) {
      return { device_time: yield* readClock(targetOf(device), device) };
    },
    time_set(device, { time_set }) {
      const target = targetOf(device);
      const given = localSeconds(time_set);
      const local = Math.round(given / resolution) * resolution;
      return changeInSession<Target>(
        (work) => work(target),
        (to) => setClock(to, device, local),
      );
    },
  };
}
