let farewell: string | null = null;

/** Message of the login screen about the session that has just ended; null after a sign-in. */
export function sayFarewell(text: string | null): void {
  farewell = text;
}

export function lastFarewell(): string | null {
  return farewell;
}
