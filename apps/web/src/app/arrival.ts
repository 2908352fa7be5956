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

export function noteNewsAnswer(): void {
  localStorage.setItem(newsletterKey, "1");
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
