import type { Fixture, Records } from "../records.ts";

interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** How the walking tests ask one call. */
export interface Example {
  /** Account that may do it and for which it succeeds; the engineer without. */
  readonly as?: string;
  /** What is answered where the installation has not switched it on; 200 without. */
  readonly answers?: number;
  /** Only this build knows the call; any without. */
  readonly build?: "server";
  readonly input?: (fixture: Fixture) => Input | Promise<Input>;
  /**
   * Where the input holds an id of a company's own record: its kind, and the input with another id in that place (in a
   * list, beside an own one). The tests put in a foreign and an unknown id and compare the answers.
   */
  readonly foreign?: {
    readonly kind: keyof Records;
    readonly input: (id: number, fixture: Fixture) => Input;
  };
}

/** Examples by the id of their call. */
export type Examples = Readonly<Record<string, Example>>;
