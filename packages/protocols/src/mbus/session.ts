import { toHex } from "../core/bytes.ts";
import type { Conversation, Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeTelegram, type Telegram } from "./application.ts";
import { address, control, longFrame, matchAnswer, parseFrame, shortFrame } from "./frame.ts";
import { fitsMask, type Target } from "./target.ts";

/** More telegrams than any meter sends; a meter that never stops announcing is cut off here. */
const maxTelegrams = 16;

/** Answer time of a slave: 330 bit times + 50 ms (EN 13757-2, 5.5.2), doubled as converters add their own. */
export const answerMs = (baud: number): number => Math.ceil((330_000 / baud + 50) * 2);

/**
 * Reads all telegrams of one meter.
 * Source: EN 13757-2, 5.5 (FCB), EN 13757-3, 11.3 (selection). Layout: SND_NKE -> E5; by identity SND_NKE and
 * SND_UD with CI 52 to 253 -> E5; then REQ_UD2, first with FCB 1 (7B), toggled for each telegram after one
 * that ends in DIF 1F. A retry sends the same FCB, which makes the meter repeat. Ends without 1F, at a
 * telegram that repeats, or after 16.
 * Errors: ProtocolError "timeout", "checksum", "unexpected" (another meter answers), "refused" and
 * "unsupported" as `decodeTelegram`.
 */
export function* readTelegrams(target: Target, baud: number): Conversation<Telegram[]> {
  yield* reach(target, baud);
  const telegrams: Telegram[] = [];
  let last: string | undefined;
  let isFcbSet = true;
  while (telegrams.length < maxTelegrams) {
    const data = yield* request(target, { baud, isFcbSet, number: telegrams.length + 1 });
    const telegram = decodeTelegram(data.ci, data.bytes);
    checkIdentity(target, telegram);
    const content = contentOf(data.ci, data.bytes);
    if (content === last) break;
    telegrams.push(telegram);
    if (!telegram.isMoreFollowing) break;
    last = content;
    isFcbSet = !isFcbSet;
  }
  return telegrams;
}

/** Resets the link of a meter, or selects it. Errors: ProtocolError "timeout", "checksum". */
export function* reach(target: Target, baud: number): Conversation<void> {
  const reset = acknowledged(shortFrame(control.sndNke, target.address), baud);
  if (target.kind === "primary") {
    yield { ...reset, label: { code: "initialise", n: target.address } };
    return;
  }
  try {
    yield { ...reset, label: "deselect", tries: 1 };
  } catch (error) {
    // Silence is normal here: only a meter that was selected before answers.
    if (!(error instanceof ProtocolError)) throw error;
  }
  const select = longFrame(control.sndUd, address.selected, 0x52, target.selection);
  yield { ...acknowledged(select, baud), label: { code: "select", n: target.id } };
}

/**
 * Sends a record to a meter that `reach` has addressed, once. Source: EN 13757-2, 5.5 (SND_UD with FCB 1 after SND_NKE); EN 13757-3, 7.3
 * (CI 51). The acknowledgement says that the frame was received, not that the record was carried out.
 * Errors: ProtocolError "timeout", "checksum".
 */
export function* writeRecord(target: Target, baud: number, record: Uint8Array): Conversation<void> {
  const send = longFrame(control.sndUd | control.fcb, target.address, 0x51, record);
  yield { ...acknowledged(send, baud), label: "set_clock", tries: 1 };
}

const acknowledged = (send: Uint8Array, baud: number): Omit<Step, "label"> => ({
  send,
  match: matchAnswer("ack"),
  ...limits(baud),
});

const limits = (baud: number) => ({ firstByteMs: answerMs(baud), interByteMs: answerMs(baud), tries: 3 });

function* request(
  target: Target,
  of: { baud: number; isFcbSet: boolean; number: number },
): Conversation<{ ci: number; bytes: Uint8Array }> {
  const from = target.address > 250 ? undefined : target.address;
  const send = shortFrame(control.reqUd2 | (of.isFcbSet ? control.fcb : 0), target.address);
  const frame = parseFrame(
    yield {
      label: { code: "read_telegram", n: of.number },
      send,
      match: matchAnswer("data", from),
      ...limits(of.baud),
    },
  );
  if (frame.kind !== "long") throw new ProtocolError("unexpected", "an acknowledgement instead of data");
  return { ci: frame.ci, bytes: frame.data };
}

/** The telegram without the part that differs in a repetition: the access number of the long header. */
function contentOf(ci: number, bytes: Uint8Array): string {
  return ci === 0x72 ? toHex(bytes.subarray(0, 8)) + toHex(bytes.subarray(9)) : toHex(bytes);
}

function checkIdentity(target: Target, { header }: Telegram): void {
  if (target.kind === "secondary" && header?.id !== undefined && !fitsMask(header.id, target.id))
    throw new ProtocolError("unexpected", `meter ${header.id} answers in place of ${target.id}`);
}
