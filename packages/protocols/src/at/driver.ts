import type { DeviceState } from "@metrum/vocabulary";
import {
  changeInSession,
  changing,
  isSetTo,
  isUnmoved,
  otherThanSet,
  type Change,
} from "../core/changing.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress, LineDriver } from "../core/driver.ts";
import { ByteReader } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { localSeconds } from "../core/localTime.ts";
import { explainStretch } from "../core/spans.ts";
import { readAtClock, writeAtClock, type AtClock } from "./clock.ts";
import { atExchange } from "./line.ts";
import { respondAt } from "./responder.ts";

const readTries = 3;
const clockStep = { code: "read", what: "at_clock" } as const;

/**
 * Modems whose AT commands can be reached over a connection: clock, restart, signal level.
 * Source: 3GPP TS 27.007, 8.15 (+CCLK), 8.2 (+CFUN), 8.5 (+CSQ). A change is sent once; the clock is read
 * back. Units: seconds, dBm. Errors: ProtocolError before the change is sent.
 */
export const atDriver: LineDriver = {
  kind: "line",
  protocol: "at",
  archives: [],
  commands: {
    get_datetime: (device) => clockState(device),
    time_set: (device, { time_set }) => change(() => setTime(device, localSeconds(time_set))),
    time_correct: (device, { time_correct }) => change(() => correctTime(device, time_correct)),
    signal_level: () => signalLevel(),
    reset: () => change(restart),
  } satisfies CommandFunctions,
  poll: () => {
    throw new ProtocolError("unsupported", "a modem has no readings");
  },
  respond: (device, _state, now, _history, takeOrder) => respondAt(device, now, takeOrder),
  explain: (sent, received) => ({ sent: explained(sent), received: explained(received) }),
};

const explained = (bytes: Uint8Array) =>
  explainStretch(0, bytes.length, (trace) => {
    if (bytes.length > 0) new ByteReader(bytes, { trace }).take(bytes.length, "at_line");
  });

const change = (work: () => Conversation<Change<undefined>>): Conversation<CommandResult> =>
  changeInSession<undefined>((task) => task(undefined), work);

function* readClock(): Conversation<AtClock> {
  return readAtClock(yield* atExchange({ label: clockStep, body: "+CCLK?", tries: readTries }));
}

/** A modem that does not tell its zone has that of its location. */
const utcOf = ({ local, offsetMinutes }: AtClock, { utcOffsetMinutes = 0 }: DeviceAddress): number =>
  local - (offsetMinutes ?? utcOffsetMinutes) * 60;

function* clockState(device: DeviceAddress): Conversation<DeviceState> {
  return { device_time: utcOf(yield* readClock(), device) };
}

const writeClock = (local: number, offsetMinutes: number): Conversation<CommandResult> =>
  changing(
    atExchange({
      label: { code: "write", what: "at_clock" },
      body: `+CCLK=${writeAtClock(local, offsetMinutes)}`,
      tries: 1,
    }),
  );

function* setTime(device: DeviceAddress, local: number): Conversation<Change<undefined>> {
  const { utcOffsetMinutes = 0 } = device;
  return {
    sent: yield* writeClock(local, utcOffsetMinutes),
    *read() {
      const now = utcOf(yield* readClock(), device);
      return isSetTo(now, local - utcOffsetMinutes * 60) ? { device_time: now } : otherThanSet("the clock");
    },
  };
}

/** A correction without an answer is not read back: the time that it took is not known. */
function* correctTime(device: DeviceAddress, seconds: number): Conversation<Change<undefined>> {
  const { local: first } = yield* readClock();
  const { local: second, offsetMinutes = device.utcOffsetMinutes ?? 0 } = yield* readClock();
  const sent = yield* writeClock(second + seconds, offsetMinutes);
  if (sent.state !== "done") return { sent };
  return {
    sent,
    *read() {
      const after = yield* readClock();
      return isUnmoved({ first, second, after: after.local }, seconds)
        ? otherThanSet("the clock")
        : { device_time: utcOf(after, device) };
    },
  };
}

/** Source: 3GPP TS 27.007, 8.2: full functionality, after a reset. */
function* restart(): Conversation<Change<undefined>> {
  return {
    sent: yield* changing(atExchange({ label: { code: "at_restart" }, body: "+CFUN=1,1", tries: 1 })),
  };
}

const unknownSignal = 99;

/** Source: 3GPP TS 27.007, 8.5: 0 is -113 dBm or less, each step 2 dBm, 99 not known. */
function* signalLevel(): Conversation<DeviceState> {
  const answer = yield* atExchange({
    label: { code: "read", what: "at_signal" },
    body: "+CSQ",
    tries: readTries,
  });
  const [, level] = /\+CSQ: ?(\d{1,2}),\d{1,2}/.exec(answer) ?? [];
  if (level === undefined) throw new ProtocolError("unexpected", "the answer holds no signal level");
  return Number(level) === unknownSignal
    ? { gateway_settings: {} }
    : { gateway_settings: { signal_level: -113 + 2 * Number(level) } };
}
