/** A range of a device or point to be recomputed; `marks` counts how often it was marked. */
export interface Due {
  readonly id: number;
  readonly from_ts: number;
  readonly to_ts: number;
  readonly marks: number;
}

export interface Leasing {
  readonly now: number;
  readonly leaseSec: number;
  readonly mostAttempts: number;
  readonly atOnce: number;
  /** Urgent ones after this id. */
  readonly after: number;
}

/** Ranges taken by a run. */
export interface Taken {
  /** In the order of their ids; as many as asked for if there may be more. */
  readonly urgent: readonly Due[];
  /** Those that have waited for more readings. */
  readonly calm: readonly Due[];
}

/** Durable marks with leases: a kill at any time repeats work and loses none. */
export interface DueQueue {
  lease(how: Leasing): Promise<Taken>;
  /** The range is done, unless it was marked again meanwhile. */
  forget(due: Due, leasedAt: number): Promise<void>;
  /** For the next turn, with the rest of the range. */
  giveBack(due: Due, fromTs?: number): Promise<void>;
  /** Returns the number of failures. */
  countFailure(due: Due, error: unknown): Promise<number>;
}

/** After this many failures a range is skipped until it is marked again. */
export const mostAttempts = 3;
