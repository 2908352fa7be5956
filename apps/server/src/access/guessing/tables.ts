export interface GuessTable {
  /** SHA-256 of kind and name: what was typed as an e-mail may be anything. */
  subject: Buffer;
  /** When it failed, epoch milliseconds, oldest first. */
  failed_at: number[];
}

declare module "#core" {
  interface Tables {
    guess: GuessTable;
  }
}
