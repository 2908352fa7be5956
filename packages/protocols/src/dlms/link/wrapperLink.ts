import type { Conversation } from "../../core/conversation.ts";
import { stepLimits, type Link, type LinkAddress, type LinkLimits } from "./link.ts";
import type { WrapperFrame } from "./frames.ts";
import { encodeWrapper, matchWrapper, parseWrapper } from "./wrapper.ts";

/**
 * Messages in the wrapper of TCP.
 * Source: IEC 62056-47, 5.3. Layout: client and logical device as ports; nothing to open or to close. A lost
 * answer is not requested again here: the message may contain a counter that must not repeat.
 * Errors: see `Link`.
 */
export function wrapperLink({ client, server }: LinkAddress, limits: LinkLimits): Link {
  const isFromServer = ({ source, destination }: WrapperFrame): boolean =>
    source === server.upper && destination === client;
  return {
    name: "wrapper",
    isReliable: false,
    *open() {
      // TCP has connected already.
    },
    *ask({ label, apdu, isAnswer }): Conversation<Uint8Array> {
      const received = yield {
        label,
        send: encodeWrapper({ source: client, destination: server.upper, payload: apdu }),
        match: matchWrapper((frame) => isFromServer(frame) && isAnswer(frame.payload)),
        ...stepLimits(limits),
        tries: 1,
      };
      return parseWrapper(received).payload;
    },
    *close() {
      // The line belongs to the runner.
    },
  };
}
