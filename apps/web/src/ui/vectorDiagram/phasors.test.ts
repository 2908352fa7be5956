import { describe, expect, it } from "vitest";
import { findingsOf, phasorsOf, type Phase } from "./phasors.ts";

const phases: readonly Phase[] = [
  { voltage: 230, current: 5, cos: 1 },
  { voltage: 115, current: 2.5, cos: 0.5 },
  { voltage: 230, current: 0, cos: null },
];

describe("phasors of a vector diagram", () => {
  it("CHART-009: are 120 degrees apart if no angle is measured, each kind scaled to its maximum", () => {
    const voltages = phasorsOf(phases).filter(({ kind }) => kind === "voltage");

    expect(voltages.map(({ degrees, length }) => [degrees, length])).toEqual([
      [0, 1],
      [120, 0.5],
      [240, 1],
    ]);
  });

  it("PADMIN-021 CHART-009 CHART-010: currents lag by their power factor; a zero current has no arrow", () => {
    const currents = phasorsOf(phases).filter(({ kind }) => kind === "current");

    expect(currents.map(({ phase, degrees }) => [phase, Math.round(degrees)])).toEqual([
      [1, 0],
      [2, 180],
    ]);
    expect((currents[0]?.length ?? 0) / (currents[1]?.length ?? 1)).toBe(2);
  });

  it("follow measured angles", () => {
    const measured = phases.map((phase, at) => ({ ...phase, angle: [0, 240, 120][at] ?? 0 }));

    expect(phasorsOf(measured).find(({ phase }) => phase === 2)?.degrees).toBe(240);
    expect(findingsOf(measured).isOrderRight).toBe(false);
    expect(findingsOf(phases).isOrderRight).toBeUndefined();
  });
});

describe("the text of a diagram", () => {
  it("names imbalance, the heaviest phase and a reversed current", () => {
    const found = findingsOf([
      { voltage: 231, current: 5, cos: 0.9 },
      { voltage: 230, current: 4, cos: -0.9 },
      { voltage: 229, current: 3, cos: 0.9 },
    ]);

    expect(found.voltageSpread).toBeCloseTo(0.43, 2);
    expect([found.currentSpread, found.heaviest, found.reversed]).toEqual([25, 1, [2]]);
  });

  it("omits unmeasured values", () => {
    const found = findingsOf([{ voltage: null, current: null }]);

    expect(found).toEqual({
      isOrderRight: undefined,
      voltageSpread: null,
      currentSpread: null,
      heaviest: null,
      reversed: [],
    });
  });
});
