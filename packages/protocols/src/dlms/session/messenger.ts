import type { StepName } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError, type ProtocolErrorKind } from "../../core/errors.ts";
import { ByteReader } from "../../core/bytes.ts";
import { encodeApdu, readApdu } from "../apdu/apdu.ts";
import { openApdu, sealApdu, type Cipher } from "./cipher.ts";
import { isLost, type Link, type LinkLimits } from "../link/link.ts";
import type { Apdu, ExceptionResponse } from "../types.ts";

/** A request and how its answer is known. */
export interface Question {
  readonly label: StepName;
  readonly apdu: Apdu;
  readonly isAnswer: (answer: Apdu) => boolean;
  /** Requests that change the meter are sent once. */
  readonly isRepeatable: boolean;
}

export interface Messenger {
  readonly link: Link;
  readonly limits: LinkLimits;
  /** Undefined: messages are not protected. */
  cipher: Cipher | undefined;
}

/**
 * Sends a request and returns the answer. Each attempt of a ciphered request uses a new invocation counter;
 * an answer to another request, or a replay, is ignored (wrapper) or ends the attempt (HDLC, whose frames are
 * numbered).
 * Errors: ProtocolError of the link; "bad_password" when the answer cannot be opened, or the meter could not
 * open the request; "refused" and "unsupported" with the meter's exception in `detail`.
 */
export function* ask(messenger: Messenger, question: Question): Conversation<Apdu> {
  const { link, limits } = messenger;
  const tries = link.isReliable || !question.isRepeatable ? 1 : limits.tries;
  for (let attempt = 1; ; attempt++) {
    const failures: ProtocolError[] = [];
    const isAnswer = (bytes: Uint8Array): boolean => {
      const opened = tryOpen(messenger, bytes, failures);
      return opened !== undefined && (isException(opened.apdu) || question.isAnswer(opened.apdu));
    };
    try {
      const { cipher } = messenger;
      const apdu = cipher ? yield* sealApdu(cipher, question.apdu) : encodeApdu(question.apdu);
      return checked(messenger, question, yield* link.ask({ label: question.label, apdu, isAnswer }));
    } catch (error) {
      if (!isLost(error)) throw error;
      // No received message could be opened: more informative than a time-out.
      if (attempt >= tries) throw failures[0] ?? error;
    }
  }
}

function checked(messenger: Messenger, question: Question, bytes: Uint8Array): Apdu {
  const { apdu, counter } = openBytes(messenger, bytes);
  if (messenger.cipher && counter !== null) messenger.cipher.lastCounter = counter;
  if (apdu.type === "exceptionResponse") throw exceptionError(apdu);
  if (apdu.type === "confirmedServiceError")
    throw new ProtocolError("refused", `service error ${String(apdu.errorClass)}.${String(apdu.error)}`, {
      detail: apdu.error,
    });
  if (question.isAnswer(apdu)) return apdu;
  throw new ProtocolError("unexpected", `${apdu.type} is not the answer to this request`);
}

const isException = ({ type }: Apdu): boolean =>
  type === "exceptionResponse" || type === "confirmedServiceError";

function tryOpen(messenger: Messenger, bytes: Uint8Array, failures: ProtocolError[]) {
  try {
    return openBytes(messenger, bytes);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    failures.push(error);
    return undefined;
  }
}

/** Bytes after a complete message are ignored: a recorded meter repeats a part of its answers. */
const openBytes = ({ cipher }: Messenger, bytes: Uint8Array): { apdu: Apdu; counter: number | null } =>
  cipher ? openApdu(cipher, bytes) : { apdu: readApdu(new ByteReader(bytes)), counter: null };

/** Service errors of exception-response. Source: Green Book 9.4.6.6 and 9.5 (Exception-Response). */
const serviceErrors: Readonly<Record<number, readonly [ProtocolErrorKind, string]>> = {
  1: ["refused", "operation not possible"],
  2: ["unsupported", "service not supported"],
  3: ["refused", "other reason"],
  4: ["refused", "message too long"],
  5: ["bad_password", "the meter cannot decipher the request"],
  6: ["refused", "invocation counter too low"],
};

export function exceptionError({ stateError, serviceError, counter }: ExceptionResponse): ProtocolError {
  const [kind, name] = serviceErrors[serviceError] ?? ["refused", `service error ${String(serviceError)}`];
  const expected = counter === null ? "" : `, the meter counts from ${String(counter)}`;
  const state = stateError === 1 ? ", service not allowed" : "";
  return new ProtocolError(kind, `exception: ${name}${state}${expected}`, { detail: serviceError });
}
