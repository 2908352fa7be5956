import { microUnit, mostMicro, shown, type Exact } from "#core";

/** Exact amounts by day. */
export interface DayAmounts {
  /** Millionths of each day, safe integers; 0 where nothing is known, or where `fine` has the amount. */
  readonly micro: readonly number[];
  /** By day: amounts that are no whole number of millionths, or too large for a safe one. */
  readonly fine: ReadonlyMap<number, Exact>;
}

/** Amounts that are being put together. */
export class AmountsByDay implements DayAmounts {
  readonly micro: number[];
  readonly fine: Map<number, Exact>;

  constructor({ micro, fine }: DayAmounts) {
    this.micro = [...micro];
    this.fine = new Map(fine);
  }

  put(at: number, amount: Exact): void {
    const micro = Number(amount / microUnit);
    const isMicro = Math.abs(micro) <= mostMicro && amount % microUnit === 0n;
    this.micro[at] = isMicro ? micro : 0;
    if (isMicro) this.fine.delete(at);
    else this.fine.set(at, amount);
  }
}

export function amountAt({ micro, fine }: DayAmounts, at: number): Exact {
  return fine.get(at) ?? BigInt(micro[at] ?? 0) * microUnit;
}

/** The amounts of days as they are shown: six decimals, exactly rounded. */
export const shownAmounts = ({ micro, fine }: DayAmounts, days: readonly number[]): number[] =>
  days.map((at) => {
    const amount = fine.get(at);
    return amount === undefined ? (micro[at] ?? 0) / 1e6 : shown(amount);
  });

/** An exact sum. Millionths are added as numbers for as long as these have no error. */
export class ExactSum {
  #micro = 0;
  #rest: Exact = 0n;

  addDay({ micro, fine }: DayAmounts, at: number): void {
    this.#micro += micro[at] ?? 0;
    if (this.#micro > mostMicro || this.#micro < -mostMicro) this.#carry();
    if (fine.size > 0) this.#rest += fine.get(at) ?? 0n;
  }

  get value(): Exact {
    return this.#rest + BigInt(this.#micro) * microUnit;
  }

  #carry(): void {
    this.#rest += BigInt(this.#micro) * microUnit;
    this.#micro = 0;
  }
}
