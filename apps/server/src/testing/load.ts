const daySec = 86_400;

/** Values that tell a usual load; structural, so that tests of pure functions reach no domain through it. */
interface Samples {
  readonly samplesAt: (ts: number) => readonly { readonly ts: number; readonly value: number }[];
}

/** The range of a counter whose usual load is this much an hour. */
export const withLoad = <Of extends object>(range: Of, perHour: number): Of & Samples => ({
  ...range,
  samplesAt: (ts: number) => [
    { ts: ts - daySec, value: 0 },
    { ts, value: perHour * 24 },
  ],
});
