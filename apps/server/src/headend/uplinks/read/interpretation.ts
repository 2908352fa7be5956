import type { PollResult } from "@metrum/contract";
import type { Reading } from "@metrum/protocols";
import type { LoggedStep } from "#headend/exchanges";

/** What a model or codec made of an uplink: readings, or why there are none. */
export interface Interpretation {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
  readonly error?: LoggedStep["error"];
  /** Version of the company's codec that read it. */
  readonly codec?: number;
}
