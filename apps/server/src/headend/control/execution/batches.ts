import { Batcher, isDatabaseAway, type Services } from "#core";
import { settleAll, type Attempted } from "./settle.ts";
import { takeAll, type Taking } from "./take.ts";
import { turnsOf, type Turn } from "./turns.ts";

/** Work on commands in the database that the lines of this process do together. */
export interface CommandBatches {
  readonly turns: Batcher<number, Turn>;
  readonly takings: Batcher<Taking, boolean>;
  readonly outcomes: Batcher<Attempted, undefined>;
}

declare module "#core" {
  interface Parts {
    readonly commandBatches: CommandBatches;
  }
}

/** A command on an idle process waits for nothing; hundreds of lines at work fill a batch while another is written. */
const options = {
  fullAt: 200,
  closeAfterMs: 1,
  flights: 1,
  mostWaiting: 20_000,
  // Whatever fails, but for a database that is away, is of one line until it fails alone.
  isOfItem: (error: unknown) => !isDatabaseAway(error),
};

export function openCommandBatches(services: Pick<Services, "database" | "bus" | "clock">): CommandBatches {
  return {
    turns: new Batcher({ ...options, write: (ids) => turnsOf(services, ids) }),
    takings: new Batcher({ ...options, write: (takings) => takeAll(services, takings) }),
    outcomes: new Batcher({
      ...options,
      write: async (attempts) => {
        await settleAll(services, attempts);
        return attempts.map(() => undefined);
      },
    }),
  };
}
