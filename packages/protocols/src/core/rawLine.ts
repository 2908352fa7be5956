import { ByteReader, fromHex, toHex } from "./bytes.ts";
import type { CommandResult } from "./command.ts";
import type { Conversation } from "./conversation.ts";
import type { LineDriver } from "./driver.ts";
import { ProtocolError } from "./errors.ts";
import { explainStretch } from "./spans.ts";

const limits = { firstByteMs: 3_000, interByteMs: 500, tries: 1, endsBySilence: true } as const;

/**
 * Bytes of a user on the line behind a transparent gateway, sent once and unchanged. Whatever answers before
 * the line is silent is the proof; without an answer the outcome is not known. Errors: none once sent.
 */
export const rawLine: LineDriver = {
  kind: "line",
  protocol: "raw",
  archives: [],
  commands: { bytes: (_, { bytes }) => sendBytes(fromHex(bytes)) },
  poll: () => {
    throw new ProtocolError("unsupported", "a transparent gateway has no readings");
  },
  respond: () => ({ receive: () => [] }),
  explain: (sent, received) => ({ sent: explained(sent), received: explained(received) }),
};

const explained = (bytes: Uint8Array) =>
  explainStretch(0, bytes.length, (trace) => {
    if (bytes.length > 0) new ByteReader(bytes, { trace }).take(bytes.length, "data");
  });

function* sendBytes(send: Uint8Array): Conversation<CommandResult> {
  try {
    const answer = yield { ...limits, label: { code: "raw_bytes" }, send, match: () => ({ state: "more" }) };
    return { state: "done", read: { raw_answer: toHex(answer) } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { state: "unknown", reason: error };
  }
}
