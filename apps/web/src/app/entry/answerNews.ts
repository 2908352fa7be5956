import { profile } from "@metrum/contract/access";
import { send } from "#lib/call";
import { noteNewsAnswer } from "./arrival.ts";

/**
 * Sends the answer. A failure, reported by the snackbar, is ignored: the question is repeated at the next
 * login.
 */
export async function answerNews(subscribe: boolean): Promise<void> {
  const isKept = await send(profile.subscribe, { body: { subscribe } }).then(
    () => true,
    () => false,
  );
  if (isKept) noteNewsAnswer();
}
