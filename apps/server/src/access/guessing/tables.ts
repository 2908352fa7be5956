export interface GuessTable {
  /** SHA-256 of kind and name: the text typed as an e-mail address may be anything. */
  subject: Buffer;
  /** Times of the failures, epoch milliseconds, oldest first. */
  failed_at: number[];
}

declare module "#core" {
  interface Tables {
    guess: GuessTable;
  }
}
