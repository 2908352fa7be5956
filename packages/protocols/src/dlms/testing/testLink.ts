import type { StepName } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import type { Link } from "../link/link.ts";
import type { Apdu } from "../types.ts";

/** What a meter says to one request: messages, or why none is received. */
export type Said = readonly Apdu[] | ProtocolError;

export interface TestLink {
  readonly link: Link;
  readonly asked: { readonly label: StepName; readonly apdu: Apdu }[];
  readonly isOpen: () => boolean;
}

/** A link to a meter that says this, in turn. A reliable one gives the first message, the other one the first that answers. */
export function testLink(said: readonly Said[], isReliable = false): TestLink {
  const left = [...said];
  const asked: { label: StepName; apdu: Apdu }[] = [];
  let isOpen = false;
  const link: Link = {
    name: isReliable ? "hdlc" : "wrapper",
    isReliable,
    open: () => atOnce(() => void (isOpen = true)),
    ask: ({ label, apdu, isAnswer }) =>
      atOnce(() => {
        asked.push({ label, apdu: decodeApdu(apdu) });
        const next = left.shift() ?? [];
        if (next instanceof ProtocolError) throw next;
        const found = next.map(encodeApdu).find((each) => isReliable || isAnswer(each));
        if (!found) throw new ProtocolError("timeout", "no answer");
        return found;
      }),
    close: () => atOnce(() => void (isOpen = false)),
  };
  return { link, asked, isOpen: () => isOpen };
}

/** A dialogue that sends nothing. */
// oxlint-disable-next-line require-yield -- the meter answers at once
export function* atOnce<Result>(work: () => Result): Conversation<Result> {
  return work();
}

/** The result of a dialogue that sends nothing. */
export function ended<Result>(dialogue: Conversation<Result>): Result {
  const turn = dialogue.next();
  if (turn.done !== true) throw new Error("something is sent");
  return turn.value;
}
