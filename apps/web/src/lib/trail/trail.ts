/** What has happened before something went wrong: that many steps are kept (PROD-028). */
export const trailLength = 25;

export interface Step {
  /** Milliseconds since the page was opened. */
  readonly atMs: number;
  /** Route or call without its search, and how it ended: "GET user/access 200". */
  readonly what: string;
}

let steps: readonly Step[] = [];

/** Notes a change of state. Never with what a person has typed. */
export function leaveTrail(what: string): void {
  steps = [...steps, { atMs: Math.round(performance.now()), what }].slice(-trailLength);
}

export function trail(): readonly Step[] {
  return steps;
}
