import type { PollResult } from "@metrum/contract/headend";
import {
  ProtocolError,
  type Conversation,
  type DeviceAddress,
  type LineDriver,
} from "@metrum/protocols/core";
import { standardOffsetSec, type Services } from "#core";
import { LineElsewhere, LineLent, LineLost, LinesClosing, type Channel } from "#headend/channels";
import {
  bytesToMask,
  lineFacts,
  spokenDriver,
  recordExchange,
  secretsOf,
  type AskedDevice,
  type Exchange,
  type ExchangeRow,
} from "#headend/exchanges";
import { reserveNumbers, type DeviceSecrets } from "#metering/devices";
import { converse } from "./converse.ts";

/** Failure of a session, for the exchange log and waiting callers. */
export interface Failure {
  readonly result: PollResult;
  readonly message: string;
}

/** Outcome of a session, for its row of the exchange log. */
export interface ExchangeEnd extends Failure {
  /** Time of receipt of the stored readings; null when none were stored. */
  readonly receivedAt?: number | null;
  readonly readings?: number;
}

interface Opening {
  readonly device: AskedDevice;
  /** The record of the session since it was opened, as a row of the exchange log. */
  readonly exchange: (end: ExchangeEnd) => ExchangeRow;
}

/** A device ready for a dialogue: its driver, address and keys, its line and the record of every byte. */
export interface Session extends Opening {
  readonly isOpen: true;
  readonly driver: LineDriver;
  /** How often bytes were written to the line since the session was opened, or may have been. */
  readonly writes: () => number;
  /**
   * Runs one conversation with exclusive use of the line; `before` once the line is ours, before the first byte.
   * Rejects with ProtocolError, as `Lines.use`, and as `before`: then nothing was sent.
   */
  readonly talk: <Result>(
    begin: (driver: LineDriver, address: DeviceAddress) => Conversation<Result>,
    before?: () => Promise<void>,
  ) => Promise<Result>;
}

/** No dialogue with the device is possible. */
export interface RefusedSession extends Opening {
  readonly isOpen: false;
  readonly failure: Failure;
}

export interface SessionOptions {
  readonly kind: "poll" | "request";
  readonly taskId?: number | undefined;
  /** Key of the line for the log; empty for a device without one. */
  readonly line: string;
  /** Gives the line to one conversation; absent: there is no line. */
  readonly use?: (<Result>(run: (channel: Channel) => Promise<Result>) => Promise<Result>) | undefined;
  /** Time limit of all conversations together; without it each has that of `converse`. */
  readonly sessionMs?: number;
}

/** Opens a session with a device: nothing is sent yet, and the line is only taken for each conversation. */
export function openSession(
  services: Services,
  device: AskedDevice,
  options: SessionOptions,
): Session | RefusedSession {
  const { clock, database } = services;
  const secrets = openedSecrets(services, device);
  const record = recordExchange(clock, secrets ? bytesToMask(secrets, device.modelId) : []);
  const opening = { device, exchange: exchangeOf(services, { device, record, options }) };
  const refuse = (result: PollResult, message: string): RefusedSession => ({
    ...opening,
    isOpen: false,
    failure: { result, message },
  });
  if (!secrets)
    return refuse("internal", "the secrets of the device do not open with the key file of this installation");
  const driver = spokenDriver(device.modelId);
  if (!driver) return refuse("unsupported", "the model is not asked over a line");
  const { use, sessionMs } = options;
  if (!use) return refuse("no_line", "the device has neither gateway nor address");
  const endsAtMs = sessionMs === undefined ? undefined : clock.monotonicMs() + sessionMs;
  let written = 0;
  return {
    ...opening,
    isOpen: true,
    driver,
    writes: () => written,
    talk: (begin, before) =>
      use(async (channel) => {
        await before?.();
        return converse(begin(driver, addressOf(services, device, secrets)), {
          channel,
          clock,
          exchange: record,
          onWrite: () => (written += 1),
          reserve: (reservation) => reserveNumbers(database, device.id, reservation),
          ...(endsAtMs === undefined ? {} : { sessionMs: Math.max(0, endsAtMs - clock.monotonicMs()) }),
        });
      }),
  };
}

/**
 * Maps an error of a conversation to the outcome of its session. Rethrows errors after which another process
 * must continue the work: `LineElsewhere` and `LinesClosing`.
 */
export function failureOf({ log }: Pick<Services, "log">, device: AskedDevice, error: unknown): Failure {
  if (error instanceof LineElsewhere || error instanceof LinesClosing) throw error;
  if (error instanceof ProtocolError) return { result: error.kind, message: error.message };
  if (error instanceof LineLent) return { result: "line_busy", message: error.message };
  if (error instanceof LineLost) return { result: "no_line", message: error.message };
  log.error({ err: error, device: device.id }, "a session with a device failed with an internal error");
  return { result: "internal", message: "" };
}

function addressOf({ clock }: Services, device: AskedDevice, secrets: DeviceSecrets): DeviceAddress {
  const { insideAddr, deviceID, zone } = device;
  const utcOffsetMinutes = standardOffsetSec(zone, clock.now()) / 60;
  return { insideAddr, deviceID, utcOffsetMinutes, ...lineFacts(device), ...secrets };
}

/** Undefined when they were sealed with another key file: a failure of this device only. */
function openedSecrets({ secretBox, log }: Services, device: AskedDevice): DeviceSecrets | undefined {
  try {
    return secretsOf(secretBox, device);
  } catch (error) {
    log.error({ err: error, device: device.id }, "secrets of a device do not open");
    return undefined;
  }
}

interface Recorded {
  readonly device: AskedDevice;
  readonly record: Exchange;
  readonly options: SessionOptions;
}

function exchangeOf({ clock }: Services, { device, record, options }: Recorded): Opening["exchange"] {
  const [startedMs, beganMs] = [clock.nowMs(), clock.monotonicMs()];
  return ({ result, message, receivedAt = null, readings = 0 }) => ({
    deviceId: device.id,
    startedMs,
    receivedAt,
    kind: options.kind,
    result,
    tries: record.retries() + 1,
    durationMs: Math.round(clock.monotonicMs() - beganMs),
    line: options.line,
    readings,
    message,
    taskId: options.taskId ?? null,
    steps: record.steps(),
  });
}
