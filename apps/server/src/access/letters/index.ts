import type { Domain } from "#core";
import { forgetting, startPost } from "./post.ts";

export type { Composed } from "./compose.ts";
export { createLetterKinds, defineLetter, ignoreLetter, letterText, type LetterKind } from "./kinds.ts";
export { hasHadEnough, isInvitedEnough, listLetters, readLetter, sendAgain, sendLetter } from "./letters.ts";
export { dropLinks, findLink, issueLink, spendLink, type FoundLink } from "./linkStore.ts";
export { outboxOf } from "./outbox.ts";
export { sendNext } from "./post.ts";
export type { ListedLetter, LetterListing } from "./store.ts";
export { letterStates, type LetterState, type LinkPurpose } from "./tables.ts";

/** Letters are sent through an outbox in the database by the worker. */
export const letters: Domain = { name: "letters", worker: startPost, scheduled: [forgetting] };
