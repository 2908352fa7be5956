import fc from "fast-check";
import { expect, it } from "vitest";
import { formatDataSet, parseDataLines } from "./dataLine.ts";
import { iecReadings, type IecPlan } from "./readings.ts";

const rows = [
  { obis: "1.8.0", field: "tariff0", index: 0 },
  { obis: "1.8.0", field: "tariff1", index: 1 },
  { obis: "2.8.0", field: "tariff2", index: 0 },
] as const satisfies IecPlan["rows"];
const value = fc.option(fc.integer({ min: 0, max: 999_999 }));
/** Spellings of an address that mean it, and one of another medium. */
const address = fc.constantFrom("1.8.0", "1-0:1.8.0", "1-1:1.8.0*255", "2.8.0", "0-0:2.8.0", "8-0:1.8.0");
const line = fc.record({ address, values: fc.array(value, { minLength: 1, maxLength: 3 }) });

/** What the plan finds: of one address the first line alone, or all brackets in order if the meter repeats names. */
function expectedOf(
  lines: readonly { address: string; values: readonly (number | null)[] }[],
  isRepeated: boolean,
) {
  const found: Record<string, number | null> = {};
  for (const { obis, field, index } of rows) {
    const own = lines.filter((each) => each.address.includes(obis) && !each.address.startsWith("8-"));
    const brackets = isRepeated ? own.flatMap(({ values }) => values) : (own[0]?.values ?? []);
    const bracket = brackets[index];
    if (bracket !== undefined) found[field] = bracket;
  }
  return found;
}

it.each(["line", "lines", "named_lines"] as const)(
  "of lines with one address the right one counts (%s)",
  (layout) => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const text = lines.map((each) =>
          formatDataSet(
            each.address,
            each.values.map((number) => ({ value: number === null ? null : String(number), unit: "kWh" })),
          ),
        );
        const sets = parseDataLines(`${text.join("\r\n")}\r\n!\r\n`);
        const [reading] = iecReadings({ rows, layout, utcOffsetMinutes: 0 }, sets);

        expect(reading?.values ?? {}).toEqual(expectedOf(lines, layout === "named_lines"));
      }),
      { numRuns: 500 },
    );
  },
);
