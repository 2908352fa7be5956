import type { TraceName } from "@metrum/vocabulary";
import type { Conversation } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { dataOf, exchange, restOf, step, type IecLine } from "./exchange.ts";
import { commandBlock } from "./message.ts";
import { acknowledgement, callMeter } from "./signOn.ts";

/** Access to programming mode. */
export interface IecAccess {
  /** Undefined: no password is required. */
  readonly password?: string;
  /**
   * Answer to the meter's seed where the password must be ciphered (P2); the algorithm is the manufacturer's.
   */
  readonly cipher?: (seed: string, password: string) => string;
}

/**
 * Holds `work` in programming mode and leaves with a break, also when the work fails.
 * Source: IEC 62056-21, 6.4.3.2 and 6.5. Errors: those of `work`; ProtocolError "bad_password" when the meter
 * refuses it or breaks off.
 */
export function* inProgramming<Result>(
  line: IecLine,
  access: IecAccess,
  work: () => Conversation<Result>,
): Conversation<Result> {
  const identification = yield* callMeter(line);
  const opened = yield* exchange(line, {
    label: "enter_programming",
    ...acknowledgement(line, identification.baud, { mode: "1" }),
    isSafe: true,
  });
  try {
    if (opened.kind !== "command" || opened.command !== "P0")
      throw new ProtocolError("unsupported", "the meter has no programming mode");
    if (access.password !== undefined)
      yield* signIn(line, access, { seed: opened.text, password: access.password });
    return yield* work();
  } finally {
    yield { ...step(line, "break_off", commandBlock("B0", undefined, line.check)), match: undefined };
  }
}

function* signIn(
  line: IecLine,
  access: IecAccess,
  of: { seed: string; password: string },
): Conversation<void> {
  const seed = /^\((.*)\)$/.exec(of.seed)?.[1] ?? of.seed;
  const send = access.cipher
    ? commandBlock("P2", `(${access.cipher(seed, of.password)})`, line.check)
    : commandBlock("P1", `(${of.password})`, line.check);
  const answer = yield* exchange(line, { label: "send_password", send, isSafe: false });
  if (answer.kind === "ack") return;
  const detail = answer.kind === "data" ? errorOf(answer.text, line)?.detail : undefined;
  throw new ProtocolError(
    "bad_password",
    "the meter does not take the password",
    detail === undefined ? {} : { detail },
  );
}

/**
 * Reads a value or a block in programming mode.
 * Source: IEC 62056-21, 6.3.7 (R1 to R6). `data` is `address(arguments)`. Partial blocks are acknowledged one
 * by one and joined.
 * Errors: ProtocolError "refused" with the number of `(ERRnn)`, "timeout", "checksum", "unexpected".
 */
export function* readValue(line: IecLine, data: string, command = "R1"): Conversation<string> {
  const answer = yield* exchange(line, {
    label: { code: "read", what: dataSet(data.replace(/\(\)$/, "")) },
    send: commandBlock(command, data, line.check),
    isSafe: true,
  });
  const first = dataOf(answer);
  const text = first.text + (yield* restOf(line, first));
  const error = errorOf(text, line);
  if (error) throw error;
  return text;
}

/**
 * Writes a value (W1 to W5) or has a command carried out (E2). It is sent again only when the meter reports
 * it as damaged.
 * Errors: ProtocolError "refused" with the number of `(ERRnn)`, "timeout", "unexpected".
 */
export function* writeValue(line: IecLine, data: string, command = "W1"): Conversation<void> {
  const answer = yield* exchange(line, {
    label: { code: "write", what: dataSet(data.replace(/\(.*/s, "")) },
    send: commandBlock(command, data, line.check),
    isSafe: false,
  });
  if (answer.kind === "ack") return;
  throw (
    (answer.kind === "data" ? errorOf(answer.text, line) : undefined) ??
    new ProtocolError("refused", "the meter does not take the value")
  );
}

const written = /^[^()]*\(ER(?:R(?:OR)?)?[ :]?(\d{1,4})?[^()]*\)/;
/** Neva: published captures of an MT 324 show `(01)` for an address that it does not have. */
const bare = /^\((\d{2})\)\s*$/;

/** `(ERR12)`, `(ERROR)`, `ER`: error answers of the meter; the number is in `detail`. */
function errorOf(
  text: string,
  { hasBareErrors = false }: Pick<IecLine, "hasBareErrors"> = {},
): ProtocolError | undefined {
  const [whole, number] = written.exec(text) ?? (hasBareErrors ? bare.exec(text) : null) ?? [];
  if (whole === undefined) return undefined;
  return new ProtocolError(
    "refused",
    `the meter says ${whole.trim()}`,
    number === undefined ? {} : { detail: Number(number) },
  );
}

const dataSet = (address: string): TraceName => ({ code: "data_set", n: address });
