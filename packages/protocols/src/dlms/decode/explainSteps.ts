import type { Span } from "../../core/bytes.ts";
import type { ExplainedStep, SpokenStep } from "../../core/driver.ts";
import { explainIec } from "../../iec62056-21/decode.ts";
import { explainDlms, type DlmsCarrier } from "./explain.ts";
import { joinParts } from "./joinParts.ts";
import { isOfSignOn } from "../link/opticalHead.ts";
import type { DlmsOptions } from "../options.ts";

/** Link layer frames, or the lines of the preceding sign-on. */
function explain(options: DlmsOptions, bytes: Uint8Array): Span[] {
  const carrier = carrierOf(options, bytes);
  return carrier === "hdlc" && isOfSignOn(bytes) ? explainIec(bytes) : explainDlms(bytes, carrier);
}

/** The line that a meter had at the time is not in the log: the first bytes tell the wrapper. */
const carrierOf = ({ transport }: DlmsOptions, [first, second]: Uint8Array): DlmsCarrier =>
  first === 0 && second === 1 ? "wrapper" : transport;

/** Names every byte of one step. Errors: none. */
export const explainStep = (options: DlmsOptions, { sent, received }: SpokenStep): ExplainedStep => ({
  sent: explain(options, sent),
  received: explain(options, received),
});

/**
 * Names every byte of a dialogue. Over HDLC the parts of a long message come in separate steps. Errors: none.
 */
export function explainSteps(options: DlmsOptions, steps: readonly SpokenStep[]): ExplainedStep[] {
  const alone = steps.map((step) => explainStep(options, step));
  if (options.transport !== "hdlc") return alone;
  const joinedOf = (side: keyof SpokenStep) =>
    joinParts(steps.map((step, at) => ({ bytes: step[side], spans: alone[at]?.[side] ?? [] })));
  const [sent, received] = [joinedOf("sent"), joinedOf("received")];
  return alone.map((step, at) => ({ sent: sent[at] ?? step.sent, received: received[at] ?? step.received }));
}
