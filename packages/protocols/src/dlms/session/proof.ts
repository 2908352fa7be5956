import { fromHex } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import type { DeviceAddress } from "../../core/driver.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Proof } from "./association.ts";
import { createCipher, fullSecurity, type CipherKeys } from "./cipher.ts";
import { hdlcLink } from "../link/hdlcLink.ts";
import { defaultLimits, type Link, type LinkLimits } from "../link/link.ts";
import { numberRow } from "./numbers.ts";
import { integerOf } from "../objects/values.ts";
import { opticalLink } from "../link/opticalHead.ts";
import {
  clientTitle,
  serverAddress,
  transportOf,
  type Authentication,
  type DlmsOptions,
} from "../options.ts";
import { protect } from "./security.ts";
import { withSession } from "./session.ts";
import { wrapperLink } from "../link/wrapperLink.ts";

export const limitsOf = ({ limits }: DlmsOptions): LinkLimits => ({ ...defaultLimits, ...limits });

export function linkOf(options: DlmsOptions, device: DeviceAddress, client = options.client): Link {
  const limits = limitsOf(options);
  if (transportOf(options, device) === "wrapper")
    return wrapperLink({ client, server: { upper: options.server.logical, lower: null, bytes: 1 } }, limits);
  const link = hdlcLink({
    client,
    server: serverAddress(options.server, device),
    limits,
    ...(options.maxInfo === undefined ? {} : { maxInfo: options.maxInfo }),
  });
  return device.signOn ? opticalLink(link, device, device.signOn) : link;
}

/**
 * Credentials for this device. For GMAC the counters are first read by the public client, if the model gives
 * their object, and a range above them is reserved.
 * Errors: ProtocolError "bad_password" when the device has no password or keys, or keys of a wrong length;
 * those of the public session.
 */
export function* proofFor(options: DlmsOptions, device: DeviceAddress): Conversation<Proof> {
  const { authentication } = options;
  if (authentication.kind === "none") return { kind: "none" };
  if (authentication.kind === "lls") {
    const password = device.password ?? authentication.default;
    if (password === undefined) throw new ProtocolError("bad_password", "the device has no password");
    return { kind: "lls", password: new TextEncoder().encode(password) };
  }
  const keys = keysOf(authentication, device);
  const atLeast = authentication.counter
    ? (yield* readCounter(options, device, authentication.counter)) + 1
    : 1;
  const numbers = numberRow({ counter: `dlms:${String(options.client)}`, atLeast, atOnce: numbersAtOnce });
  return {
    kind: "gmac",
    cipher: createCipher(keys, numbers),
    challenge: makeChallenge(keys, yield* numbers.next()),
  };
}

/** A poll of a day takes several dozen requests. */
const numbersAtOnce = 64;
const challengeBytes = 16;

/**
 * An unpredictable challenge that never repeats, without a random source: zeros, encrypted with the client's
 * key under a counter used for nothing else.
 */
const makeChallenge = (keys: CipherKeys, counter: number): Uint8Array =>
  protect(new Uint8Array(challengeBytes), {
    context: keys,
    security: { ...fullSecurity, isAuthenticated: false },
    counter,
  });

function keysOf(
  { systemTitle }: Extract<Authentication, { kind: "gmac" }>,
  { keys, deviceID }: DeviceAddress,
): CipherKeys {
  return {
    encryptionKey: keyOf(keys?.encryption, "encryption"),
    authenticationKey: keyOf(keys?.authentication, "authentication"),
    systemTitle: systemTitle === undefined ? clientTitle(deviceID) : fromHex(systemTitle),
  };
}

/** Keys of a device as bytes; undefined when one is missing or no key. */
export function keysOfDevice(keys: DeviceAddress["keys"]): Omit<CipherKeys, "systemTitle"> | undefined {
  const isKey = (text: string | undefined): text is string => text !== undefined && keyPattern.test(text);
  if (!isKey(keys?.encryption) || !isKey(keys.authentication)) return undefined;
  return { encryptionKey: fromHex(keys.encryption), authenticationKey: fromHex(keys.authentication) };
}

const keyPattern = /^[0-9a-fA-F]{32}$/;

function keyOf(text: string | undefined, name: string): Uint8Array {
  if (text === undefined) throw new ProtocolError("bad_password", `the device has no ${name} key`);
  if (!keyPattern.test(text))
    throw new ProtocolError("bad_password", `the ${name} key is not of 32 hexadecimal digits`);
  return fromHex(text);
}

function* readCounter(
  options: DlmsOptions,
  device: DeviceAddress,
  { obis, client }: { obis: string; client: number },
): Conversation<number> {
  const session = {
    link: linkOf(options, device, client),
    limits: limitsOf(options),
    proof: { kind: "none" },
  } as const;
  const { fixedInvokeId, isReleased } = options;
  const value = yield* withSession(
    {
      ...session,
      ...(fixedInvokeId === undefined ? {} : { fixedInvokeId }),
      ...(isReleased === undefined ? {} : { isReleased }),
    },
    (open) => open.value({ classId: 1, obis, attribute: 2 }),
  );
  return integerOf(value, "invocation counter");
}
