export interface GuessTable {
  /** SHA-256 of kind and name: the e-mail address as typed may be any text. */
  subject: Buffer;
  /** Times of the failures, epoch milliseconds, oldest first. */
  failed_at: number[];
}

declare module "#core" {
  interface Tables {
    guess: GuessTable;
  }
}
