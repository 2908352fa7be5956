import { ByteWriter } from "../core/bytes.ts";
import type { MeterState } from "../core/driver.ts";
import { localNow, status, type Memory, type SimulatedMercury } from "./simulated.ts";
import { partsOf, writeFour } from "./values.ts";

/**
 * Share of the counter that is the consumption of an array of code 05 where no past is known: a month 2 %, a
 * year 20 %.
 */
const shares: Readonly<Record<number, number>> = {
  0: 1,
  1: 0.2,
  2: 0.2,
  3: 0.02,
  4: 0.001,
  5: 0.002,
  6: 1 / 3,
};

/** Begin and end of a period of code 05 by the meter's clock; undefined for the whole life. */
function spanOf(period: number, month: number, local: number): readonly [number, number] | undefined {
  const today = local - (local % 86_400);
  const { year, month: current } = partsOf(local);
  const start = (years: number, months: number) => Date.UTC(2000 + year + years, months, 1) / 1000;
  const spans: Readonly<Record<number, readonly [number, number]>> = {
    1: [start(0, 0), local],
    2: [start(-1, 0), start(0, 0)],
    3: [start(month > current ? -1 : 0, month - 1), Math.min(local, start(month > current ? -1 : 0, month))],
    4: [today, local],
    5: [today - 86_400, today],
  };
  return spans[period];
}

/** Consumption of a period, in the unit of the field. */
function usedIn(simulated: SimulatedMercury, memory: Memory, array: number): MeterState {
  const { history, state, meter } = simulated;
  const local = localNow(simulated, memory);
  const span = spanOf(array >> 4, array & 0x0f, local);
  if (!history || !span) return (field) => state(field) * (shares[array >> 4] ?? 0);
  const shownAt = (at: number) =>
    at === local ? state : history(at - meter.utcOffsetMinutes * 60 - memory.clockShift);
  const [start, end] = span.map(shownAt);
  return (field) => Math.max(0, (end?.(field) ?? 0) - (start?.(field) ?? 0));
}

/** Answer to code 05. Layout: `parseEnergy`. */
export function energyBytes(
  simulated: SimulatedMercury,
  memory: Memory,
  [array = 0, tariff = 0]: readonly number[],
): ArrayLike<number> {
  if (shares[array >> 4] === undefined || tariff > 4) return status(1);
  const { keeps } = simulated.meter;
  const used = usedIn(simulated, memory, array);
  const writer = new ByteWriter(16);
  const counter = (field: string, isKept: boolean) => {
    writeFour(writer, isKept ? Math.round(used(field) * 1000) : null);
  };
  if (array >> 4 === 6) for (let phase = 0; phase < 3; phase++) counter(`tariff${tariff}`, true);
  else {
    counter(`tariff${tariff}`, true);
    counter(`tariff_negative${tariff}`, keeps.includes("aMinus"));
    counter(`tariff_reactive${tariff}`, keeps.includes("rPlus"));
    counter(`tariff_reactive_negative${tariff}`, keeps.includes("rMinus"));
  }
  return writer.finish();
}
