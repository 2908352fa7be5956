let farewell: string | null = null;

/** What the login screen has to say about the session that has just ended; null once somebody has signed in. */
export function sayFarewell(text: string | null): void {
  farewell = text;
}

export function lastFarewell(): string | null {
  return farewell;
}
