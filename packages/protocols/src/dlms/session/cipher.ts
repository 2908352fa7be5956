import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { ByteReader } from "../../core/bytes.ts";
import { encodeApdu, readApdu } from "../apdu/apdu.ts";
import { cipherApdu, decipherApdu } from "../apdu/apduCiphered.ts";
import type { NumberRow } from "./numbers.ts";
import type { Apdu, CipheredApdu, SecurityContext, SecurityControl } from "../types.ts";

/** Authenticated and encrypted, suite 0. */
export const fullSecurity: SecurityControl = {
  suite: 0,
  isAuthenticated: true,
  isEncrypted: true,
  isBroadcastKey: false,
  isCompressed: false,
};

export interface CipherKeys {
  readonly encryptionKey: Uint8Array;
  readonly authenticationKey: Uint8Array;
  /** Of the client. */
  readonly systemTitle: Uint8Array;
}

/** Protects sent messages and opens received ones, within one association. */
export interface Cipher {
  readonly keys: CipherKeys;
  readonly numbers: NumberRow;
  /** Messages as general-glo, with our title; else with the tag of their service. */
  isGeneral: boolean;
  /** Taken from the answer to the association. */
  serverTitle: Uint8Array | null;
  /** Highest counter used by the meter; a lower one is a replay. */
  lastCounter: number;
}

export const createCipher = (keys: CipherKeys, numbers: NumberRow): Cipher => ({
  keys,
  numbers,
  isGeneral: false,
  serverTitle: null,
  lastCounter: -1,
});

/** The client's side of the keys. */
export const clientContext = ({ keys }: Cipher): SecurityContext => keys;

/** The meter's side. Errors: ProtocolError "unexpected" while its title is not known. */
export function serverContext({ keys, serverTitle }: Cipher): SecurityContext {
  if (serverTitle === null) throw new ProtocolError("unexpected", "the meter has not told its system title");
  return { ...keys, systemTitle: serverTitle };
}

/**
 * A message protected with the next invocation counter.
 * Source: Green Book 9.2.7.2.4. Layout: see `protect`. Errors: of the counter; ProtocolError "unsupported"
 * for keys of a wrong length.
 */
export function* seal(
  cipher: Cipher,
  plain: Uint8Array,
  type: CipheredApdu["type"] = cipher.isGeneral ? "generalGlo" : "glo",
): Conversation<CipheredApdu> {
  const counter = yield* cipher.numbers.next();
  return cipherApdu(plain, type, { context: clientContext(cipher), security: fullSecurity, counter });
}

export function* sealApdu(cipher: Cipher, apdu: Apdu): Conversation<Uint8Array> {
  return encodeApdu(yield* seal(cipher, encodeApdu(apdu)));
}

/**
 * Contents of a protected message of the meter. It must be authenticated and encrypted like the client's,
 * come from the expected meter, and its counter must be new; `accept` records the counter.
 * Errors: ProtocolError "bad_password" when the tag does not match, "unexpected" for weaker protection or a
 * replay.
 */
export function open(cipher: Cipher, apdu: CipheredApdu): Uint8Array {
  const { security, counter, systemTitle } = apdu;
  if (apdu.type === "ded" || apdu.type === "generalDed")
    throw new ProtocolError("unexpected", "a message under a dedicated key that was not agreed");
  if (!security.isAuthenticated || !security.isEncrypted)
    throw new ProtocolError("unexpected", "the answer is not protected as was agreed");
  const context = serverContext(cipher);
  if (systemTitle !== null && systemTitle.length > 0 && !sameBytes(systemTitle, context.systemTitle))
    throw new ProtocolError("unexpected", "the answer is of another meter");
  if (counter <= cipher.lastCounter)
    throw new ProtocolError("unexpected", "the answer is an old one, sent again");
  return decipherApdu(apdu, context);
}

/** The message inside, within a ciphered association; only `exceptionResponse` may be unprotected. */
export function openApdu(cipher: Cipher, bytes: Uint8Array): { apdu: Apdu; counter: number | null } {
  const outer = readApdu(new ByteReader(bytes));
  switch (outer.type) {
    case "glo":
    case "generalGlo":
    case "ded":
    case "generalDed":
      return { apdu: readApdu(new ByteReader(open(cipher, outer))), counter: outer.counter };
    case "exceptionResponse":
    case "confirmedServiceError":
      return { apdu: outer, counter: null };
    default:
      throw new ProtocolError("unexpected", "the answer is not protected as was agreed");
  }
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
