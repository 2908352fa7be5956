import type { Fixture, Records } from "../../records.ts";

interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** How the walking tests make one call. */
export interface Example {
  /** Account for which the call succeeds; the engineer if absent. */
  readonly as?: string;
  /** Status where the installation has not enabled it; 200 if absent. */
  readonly answers?: number;
  /** Only this build has the call; any if absent. */
  readonly build?: "server";
  readonly input?: (fixture: Fixture) => Input | Promise<Input>;
  /**
   * If the input contains an id of a company's own record: its kind, and the input with another id in its
   * place (in a list, next to an own one). The tests insert a foreign and an unknown id and compare the
   * answers.
   */
  readonly foreign?: {
    readonly kind: keyof Records;
    readonly input: (id: number, fixture: Fixture) => Input;
  };
}

/** Examples by the id of their call. */
export type Examples = Readonly<Record<string, Example>>;
