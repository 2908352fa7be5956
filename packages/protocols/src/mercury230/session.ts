import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { fromHex } from "../core/bytes.ts";
import {
  afterEcho,
  closeFrame,
  echoError,
  isEcho,
  matchAnswer,
  openFrame,
  statusError,
  statusOf,
} from "./frame.ts";
import { requests, type MercuryRequest } from "./requests.ts";

/** Level 1 reads and corrects the clock, level 2 writes. */
export type AccessLevel = 1 | 2;

export interface MercurySession {
  readonly address: number;
  readonly level: AccessLevel;
  readonly password: Uint8Array;
  /** The channel was reopened because the meter had closed it; this happens at most once. */
  isReopened: boolean;
}

/** Response time of a meter; silence between bytes is some 5 ms at 9600 baud, on modems tens of ms. */
const limits = { firstByteMs: 1000, interByteMs: 150 };

/**
 * Address on the bus as the user entered it; when empty, the factory default: the last three digits of the
 * serial number, the last two when those are above 239, 1 for 0.
 * Units and range: 0 (any single meter) to 239. Errors: ProtocolError "unexpected".
 */
export function addressOf(device: DeviceAddress): number {
  const typed = device.insideAddr.trim();
  if (/^\d{1,3}$/.test(typed) && Number(typed) <= 239) return Number(typed);
  const digits = device.deviceID.replaceAll(/\D/g, "");
  if (typed !== "" || digits === "")
    throw new ProtocolError("unexpected", `address ${typed} is not a number from 0 to 239`);
  const last = Number(digits.slice(-3));
  return (last > 239 ? last % 100 : last) || 1;
}

/** Passwords that `passwordBytes` accepts, except the empty one. */
export const passwordForm = /^(?:[0-9a-f]{12}|[\x20-\x7e]{6})$/i;

/**
 * The six bytes of a password. Six characters: digits are sent as numbers (`01`), or as characters (`31`)
 * where the meter is set so (`isAscii`). Twelve hexadecimal digits are the bytes themselves. Empty: the
 * maker's default, six times the level.
 * Errors: ProtocolError "unexpected" for another length.
 */
export function passwordBytes(typed: string | undefined, level: AccessLevel, isAscii: boolean): Uint8Array {
  const text = typed === undefined || typed === "" ? String(level).repeat(6) : typed;
  if (/^[0-9a-f]{12}$/i.test(text)) return fromHex(text);
  if (!/^[\x20-\x7e]{6}$/.test(text))
    throw new ProtocolError("unexpected", "the password is neither 6 characters nor 12 hexadecimal digits");
  const digit = (char: string) => (isAscii || !/\d/.test(char) ? char.charCodeAt(0) : Number(char));
  return Uint8Array.from(text, digit);
}

/**
 * A session of this device, for polls and for commands. Errors: ProtocolError "unexpected" for a wrong
 * address or password.
 */
export function mercurySession(
  device: DeviceAddress,
  level: AccessLevel,
  isPasswordAscii = false,
): MercurySession {
  const password = passwordBytes(device.password, level, isPasswordAscii);
  return { address: addressOf(device), level, password, isReopened: false };
}

/**
 * Runs `work` inside an open channel and closes it afterwards, also when the work fails.
 * Source: Incotex protocol, codes 01 and 02. The meter closes the channel itself after 240 s of silence [from
 * experience].
 * Errors: those of `work`; ProtocolError "bad_password" when the meter refuses to open, "timeout",
 * "checksum".
 */
export function* inSession<Result>(
  session: MercurySession,
  work: (session: MercurySession) => Conversation<Result>,
): Conversation<Result> {
  yield* openChannel(session);
  try {
    return yield* work(session);
  } finally {
    yield* closeChannel(session);
  }
}

function* openChannel(session: MercurySession): Conversation<void> {
  const { level, password } = session;
  const status = statusOf(yield* exchange(session, requests.open(level, password), 3));
  if (status === 0) return;
  const { message } = statusError(status ?? -1);
  throw new ProtocolError(
    status === 2 ? "refused" : "bad_password",
    `the channel does not open: ${message}`,
    {
      ...(status === undefined ? {} : { detail: status }),
    },
  );
}

/** A meter that does not answer the closing request closes the session itself. */
function* closeChannel(session: MercurySession): Conversation<void> {
  try {
    yield* exchange(session, requests.close(), 1);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * Whether a meter is there, by the test of the channel, which any meter answers without a password.
 * Source: Incotex protocol, code 00. Errors: ProtocolError "timeout", "checksum", "unexpected" for an answer
 * that is no status.
 */
export function* testChannel(address: number): Conversation<void> {
  const status = statusOf(yield* exchange({ address }, requests.test(), 3));
  if (status === undefined) throw new ProtocolError("unexpected", "the answer is no status");
}

function* exchange(
  session: Pick<MercurySession, "address">,
  request: MercuryRequest,
  tries: number,
): Conversation<Uint8Array> {
  const send = closeFrame(session.address, request.body);
  const reply = yield {
    ...limits,
    label: request.label,
    send,
    match: afterEcho(send, matchAnswer(session.address, request.dataBytes)),
    tries,
    endsBySilence: true,
  };
  if (isEcho(send, reply)) throw echoError();
  const { address, body } = openFrame(reply);
  if (session.address !== 0 && address !== session.address)
    throw new ProtocolError("unexpected", `meter ${address} answers in place of ${session.address}`);
  return body;
}

/**
 * Data of one read. A channel closed by the meter is reopened once. Errors: ProtocolError of the status,
 * "unexpected" when the answer has another length than requested.
 */
export function* ask(session: MercurySession, request: MercuryRequest): Conversation<Uint8Array> {
  const body = yield* orReopened(session, request);
  const status = statusOf(body);
  if (status !== undefined && request.dataBytes !== 1) throw statusError(status);
  if (request.dataBytes !== undefined && body.length !== request.dataBytes)
    throw new ProtocolError("unexpected", `${request.dataBytes} bytes wanted, ${body.length} came`);
  return body;
}

/**
 * Executes a command; it is sent once, because it has an effect, also when the meter says that the channel is
 * closed: an answer does not tell its request. Errors: ProtocolError of a status other than 0.
 */
export function* command(session: MercurySession, request: MercuryRequest): Conversation<void> {
  const status = statusOf(yield* exchange(session, request, 1));
  if (status === undefined) throw new ProtocolError("unexpected", "the answer is no status");
  if (status !== 0) throw statusError(status);
}

const readTries = 3;

function* orReopened(session: MercurySession, request: MercuryRequest): Conversation<Uint8Array> {
  const body = yield* exchange(session, request, readTries);
  if (statusOf(body) !== 5 || session.isReopened) return body;
  session.isReopened = true;
  yield* openChannel(session);
  return yield* exchange(session, request, readTries);
}
