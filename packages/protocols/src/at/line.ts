import type { StepName } from "@metrum/vocabulary";
import type { Conversation, Match } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";

/** More bytes than any answer to these commands has. */
const longest = 1_024;
const limits = { firstByteMs: 5_000, interByteMs: 500 } as const;

/** A final result code on a line of its own. */
const finalCode = /(?:^|\r\n)(OK|ERROR|\+CME ERROR: ?[^\r\n]*)\r\n/;
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** An AT command. */
export interface AtCommand {
  readonly label: StepName;
  /** Without "AT" and the carriage return. */
  readonly body: string;
  readonly tries: number;
}

/**
 * Sends one command; the text before its final result code, an echo of the command included.
 * Source: ITU-T V.250, 5.2.1 (command line) and 5.7.1 (result codes); 3GPP TS 27.007, 9.1 (+CME ERROR).
 * Layout: "AT" body CR; answers are lines in CR LF, the last of them OK, ERROR or +CME ERROR: n.
 * Errors: ProtocolError "timeout"; "refused" for ERROR and +CME ERROR (its number is in `detail`), of which 4
 * is "unsupported"; "unexpected" for more than 1,024 bytes without a result code.
 */
export function* atExchange({ label, body, tries }: AtCommand): Conversation<string> {
  const send = new TextEncoder().encode(`AT${body}\r`);
  const reply = textOf(yield { ...limits, tries, label, send, match: matchResult });
  const found = finalCode.exec(reply);
  const code = found?.[1] ?? "";
  if (code !== "OK") throw refusal(code);
  return reply.slice(0, found?.index);
}

function matchResult(received: Uint8Array): Match {
  const found = finalCode.exec(textOf(received.subarray(0, longest)));
  if (found) return { state: "frame", length: found.index + found[0].length };
  if (received.length > longest) throw new ProtocolError("unexpected", "no result code in what has come");
  return { state: "more" };
}

/** Source: 3GPP TS 27.007, 9.2: 4 is "operation not supported". */
const notSupported = 4;

function refusal(code: string): ProtocolError {
  const number = Number(/^\+CME ERROR: ?(\d{1,4})$/.exec(code)?.[1] ?? 0);
  const kind = number === notSupported ? "unsupported" : "refused";
  return new ProtocolError(kind, `the modem answers ${code}`, { detail: number });
}
