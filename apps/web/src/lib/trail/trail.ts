/** Breadcrumbs for error reports: maximum number of steps (PROD-028). */
export const trailLength = 25;

export interface Step {
  /** Milliseconds since the page was opened. */
  readonly atMs: number;
  /** Route or call without its query, and its outcome: "GET user/access 200". */
  readonly what: string;
}

let steps: readonly Step[] = [];

/** Records a change of state. Never include user input. */
export function leaveTrail(what: string): void {
  steps = [...steps, { atMs: Math.round(performance.now()), what }].slice(-trailLength);
}

export function trail(): readonly Step[] {
  return steps;
}
