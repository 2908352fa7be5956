/** Known values of one phase; null or absent: not measured. Angles in degrees, clockwise from phase 1. */
export interface Phase {
  readonly voltage: number | null;
  readonly current: number | null;
  /** Angle of the voltage; without it the phases are 120 degrees apart. */
  readonly angle?: number | null;
  /** Power factor, negative when energy flows back; it turns the current behind its voltage. */
  readonly cos?: number | null;
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The phases of values by field name; undefined unless all three voltages are known. */
export function phasesOf(values: Readonly<Record<string, unknown>>): readonly Phase[] | undefined {
  const phases = [1, 2, 3].map((phase) => ({
    voltage: numberOf(values[`voltage${String(phase)}`]),
    current: numberOf(values[`current${String(phase)}`]),
    cos: numberOf(values[`cos${String(phase)}`]),
  }));
  return phases.every(({ voltage }) => voltage !== null) ? phases : undefined;
}

/** A vector from the centre: its length as a share of the circle, its direction clockwise from the top. */
export interface Phasor {
  readonly kind: "voltage" | "current";
  /** Phase 1, 2 or 3. */
  readonly phase: number;
  readonly length: number;
  readonly degrees: number;
}

const nominalDegrees = 120;
/**
 * The largest current is shorter than the largest voltage, so that vectors in one direction stay
 * distinguishable.
 */
const currentShare = 0.72;

/** Angle by which a current lags its voltage; 0 if unknown. */
export function shiftOf({ cos }: Phase): number {
  if (cos === null || cos === undefined) return 0;
  return (Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI;
}

export const angleOf = ({ angle }: Phase, at: number): number => angle ?? at * nominalDegrees;

const largest = (values: readonly (number | null)[]): number =>
  Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));

/** Vectors of the phases, each kind scaled to its largest; phases not measured or 0 have none. */
export function phasorsOf(phases: readonly Phase[]): readonly Phasor[] {
  const mostVolts = largest(phases.map(({ voltage }) => voltage));
  const mostAmperes = largest(phases.map(({ current }) => current));
  return phases.flatMap((phase, at) => {
    const degrees = angleOf(phase, at);
    const arrow = (kind: Phasor["kind"], value: number | null, most: number): readonly Phasor[] =>
      value === null || value === 0 || most === 0
        ? []
        : [
            {
              kind,
              phase: at + 1,
              length: (Math.abs(value) / most) * (kind === "current" ? currentShare : 1),
              degrees: (degrees + (kind === "current" ? shiftOf(phase) : 0)) % 360,
            },
          ];
    return [...arrow("voltage", phase.voltage, mostVolts), ...arrow("current", phase.current, mostAmperes)];
  });
}

/** Data of the diagram in figures: shares in percent, phases from 1. */
export interface Findings {
  /** Undefined if the angles are not measured. */
  readonly isOrderRight: boolean | undefined;
  /** Largest difference from the mean. */
  readonly voltageSpread: number | null;
  readonly currentSpread: number | null;
  readonly heaviest: number | null;
  /** Phases in which the current flows against the voltage. */
  readonly reversed: readonly number[];
}

/** Unbalance of currents that needs no attention. */
export const balancedPercent = 10;
/** Permissible unbalance of voltages in a network. */
export const steadyPercent = 2;

export function findingsOf(phases: readonly Phase[]): Findings {
  const currents = phases.map(({ current }) => current);
  const most = largest(currents);
  return {
    isOrderRight: orderOf(phases),
    voltageSpread: spreadOf(phases.map(({ voltage }) => voltage)),
    currentSpread: spreadOf(currents),
    heaviest: most === 0 ? null : currents.findIndex((value) => Math.abs(value ?? 0) === most) + 1,
    reversed: phases.flatMap(({ cos }, at) => (typeof cos === "number" && cos < 0 ? [at + 1] : [])),
  };
}

function orderOf(phases: readonly Phase[]): boolean | undefined {
  const [, second, third] = phases.map(({ angle }) => angle);
  if (typeof second !== "number" || typeof third !== "number") return undefined;
  return (second + 360) % 360 < (third + 360) % 360;
}

function spreadOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  if (known.length < 2 || mean === 0) return null;
  return (Math.max(...known.map((value) => Math.abs(value - mean))) / Math.abs(mean)) * 100;
}
