import { profile } from "@metrum/contract";
import { send } from "#lib/call";

const arrivalKey = "metrum.arrival";
const newsletterKey = "metrum.newsletterAsked";

/** Somebody has just signed in here: what is said only then waits for the shell, also over a reload. */
export function noteArrival(): void {
  sessionStorage.setItem(arrivalKey, "1");
}

export function hasArrived(): boolean {
  return sessionStorage.getItem(arrivalKey) !== null;
}

export function endArrival(): void {
  sessionStorage.removeItem(arrivalKey);
}

/** Asked once in this browser (SHELL-017). */
export function wasAskedForNews(): boolean {
  return localStorage.getItem(newsletterKey) !== null;
}

/** Sends the answer. One that was lost, which the snackbar says, keeps nobody out and is asked for at the next login. */
export async function answerNews(subscribe: boolean): Promise<void> {
  const isKept = await send(profile.subscribe, { body: { subscribe } }).then(
    () => true,
    () => false,
  );
  if (isKept) localStorage.setItem(newsletterKey, "1");
}

export type Greeting = "newsletter" | "expiry";

export interface ArrivalState {
  readonly hasArrived: boolean;
  readonly isFirstLogin: boolean;
  readonly wasAsked: boolean;
  /** A demonstration user changes nothing, and staff in another's account decide nothing for him. */
  readonly maySubscribe: boolean;
  readonly hasExpiryDialog: boolean;
}

/** What is said after signing in, in this order. */
export function greetingsOf(state: ArrivalState): readonly Greeting[] {
  if (!state.hasArrived) return [];
  return [
    ...(state.isFirstLogin && !state.wasAsked && state.maySubscribe ? (["newsletter"] as const) : []),
    ...(state.hasExpiryDialog ? (["expiry"] as const) : []),
  ];
}
