import type { CounterRange } from "#metering/messages";

const daySec = 86_400;

/** The range of a counter whose usual load is this much an hour. */
export const withLoad = <Of extends object>(
  range: Of,
  perHour: number,
): Of & Pick<CounterRange, "samplesAt"> => ({
  ...range,
  samplesAt: (ts: number) => [
    { ts: ts - daySec, value: 0 },
    { ts, value: perHour * 24 },
  ],
});
