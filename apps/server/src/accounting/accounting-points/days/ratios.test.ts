import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal, isEqual, one, textOf, times } from "#core";
import { ratioAt, ratioSteps, type RatioTerm } from "./ratios.ts";

const kinds = ["ratio", "current_transformer", "voltage_transformer", "device"] as const;

/** Terms of each kind that follow each other with or without a pause, as the store keeps them. */
const someTerms: fc.Arbitrary<RatioTerm[]> = fc
  .tuple(
    ...kinds.map((kind) =>
      fc
        .array(
          fc.record({
            pause: fc.constantFrom(0, 0, 3, 10),
            length: fc.integer({ min: 1, max: 12 }),
            factor: fc.constantFrom("1", "2", "0.5", "40", "100"),
            noted: fc.constantFrom(undefined, undefined, 7, 8),
            isOpen: fc.boolean(),
          }),
          { maxLength: 4 },
        )
        .map((list): RatioTerm[] => {
          let at = 0;
          return list.map(({ pause, length, factor, noted, isOpen }, n) => {
            const from = at + pause;
            at = from + length;
            return {
              ...{ kind, from, to: isOpen && n === list.length - 1 ? null : at, factor: decimal(factor) },
              reading: noted === undefined ? {} : { tariff0: noted },
            };
          });
        }),
    ),
  )
  .map((all) => all.flat());

/** The definition, at one instant: transformers before the ratio of the point before that of the device. */
function trueRatio(terms: readonly RatioTerm[], ts: number) {
  const of = (kind: RatioTerm["kind"]) =>
    terms.find((term) => term.kind === kind && term.from <= ts && (term.to ?? Infinity) > ts)?.factor;
  const [current, voltage] = [of("current_transformer"), of("voltage_transformer")];
  if (current !== undefined || voltage !== undefined) return times(current ?? one, voltage ?? one);
  return of("ratio") ?? of("device") ?? one;
}

describe("TRUST-019 the ratio of a point at any time is that of the terms that hold then", () => {
  it("whatever the terms, before the first and after the last too", () => {
    fc.assert(
      fc.property(someTerms, (terms) => {
        const steps = ratioSteps(terms);
        for (let ts = -2; ts < 110; ts++)
          expect(textOf(ratioAt(steps, ts))).toBe(textOf(trueRatio(terms, ts)));
      }),
      { numRuns: 150 },
    );
  });

  it("a step is a change, or registers were noted; it says which", () => {
    fc.assert(
      fc.property(someTerms, (terms) => {
        const steps = ratioSteps(terms);
        expect(steps[0]).toMatchObject({ from: Number.MIN_SAFE_INTEGER, isChange: false, reading: {} });
        expect(steps.map(({ from }) => from)).toEqual(
          [...new Set(steps.map(({ from }) => from))].toSorted((a, b) => a - b),
        );
        steps.slice(1).forEach((step, n) => {
          const last = steps[n];
          const readings = terms
            .filter(({ from }) => from === step.from)
            .map(({ reading }) => reading.tariff0);
          expect(step.isChange).toBe(last !== undefined && !isEqual(last.ratio, step.ratio));
          const isOther = (["current", "voltage"] as const).some(
            (of) => !isEqual(last?.[of] ?? one, step[of]),
          );
          expect(isOther || Object.keys(step.reading).length > 0).toBe(true);
          expect(step.reading.tariff0).toBe(readings.findLast((each) => each !== undefined));
        });
      }),
      { numRuns: 150 },
    );
  });

  it("the order of the terms changes nothing", () => {
    fc.assert(
      fc.property(someTerms, (terms) => {
        const plain = terms.map((term) => ({ ...term, reading: {} }));
        expect(ratioSteps(plain.toReversed())).toEqual(ratioSteps(plain));
      }),
    );
  });
});
