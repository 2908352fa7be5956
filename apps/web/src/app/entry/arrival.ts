const arrivalKey = "metrum.arrival";
const newsletterKey = "metrum.newsletterAsked";

/** Marks a new sign-in: messages shown only then wait for the shell, even over a reload. */
export function noteArrival(): void {
  sessionStorage.setItem(arrivalKey, "1");
}

export function hasArrived(): boolean {
  return sessionStorage.getItem(arrivalKey) !== null;
}

export function endArrival(): void {
  sessionStorage.removeItem(arrivalKey);
}

/** The question is asked once per browser (SHELL-017). */
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
  /** A demonstration user changes nothing, and staff acting as another user decide nothing for them. */
  readonly maySubscribe: boolean;
  readonly hasExpiryDialog: boolean;
}

/** Dialogs after signing in, in this order. */
export function greetingsOf(state: ArrivalState): readonly Greeting[] {
  if (!state.hasArrived) return [];
  return [
    ...(state.isFirstLogin && !state.wasAsked && state.maySubscribe ? (["newsletter"] as const) : []),
    ...(state.hasExpiryDialog ? (["expiry"] as const) : []),
  ];
}
