import type { PollResult } from "@metrum/contract/headend";
import type { Reading } from "@metrum/protocols/core";
import type { LoggedStep } from "#headend/exchanges";

/** Result of decoding an uplink: readings, or why there are none. */
export interface Interpretation {
  readonly result: PollResult;
  readonly message: string;
  readonly readings: readonly Reading[];
  readonly error?: LoggedStep["error"];
  /** Version of the company's codec that decoded it. */
  readonly codec?: number;
}
