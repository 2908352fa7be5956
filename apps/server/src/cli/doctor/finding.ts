/** Result of one check; `advice` is present on a fault and says how to repair it. */
export interface Finding {
  readonly about: string;
  readonly seen: string;
  readonly advice?: string;
}
