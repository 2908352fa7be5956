import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOfSpan, spanInput, spanOf, type AskSpan, type Span } from "./spans.ts";

/** A call that answers so many rows at most, the newest of a part. */
const answering =
  (times: readonly number[], most: number, asked: Span[] = []): AskSpan =>
  (span) => {
    asked.push(span);
    const found = times.filter((at) => at >= span.startDate && at <= span.stopDate);
    const data = found.slice(-most).map((datetime) => ({ datetime }));
    return Promise.resolve({ data, truncated: found.length > most });
  };

async function all(ask: AskSpan, whole: Span): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const part of rowsOfSpan({ rows: "data" }, ask, whole)) rows.push(...part);
  return rows;
}

describe("XLS-015 a file of a period", () => {
  test("has every row once and in order, whatever one answer holds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (given, most) => {
          const times = given.toSorted((one, other) => one - other);

          expect(await all(answering(times, most), { startDate: 0, stopDate: 5_000 })).toEqual(
            times.map((datetime) => ({ datetime })),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("asks once where one answer holds all, and never for less than a second", async () => {
    const asked: Span[] = [];
    await all(answering([1, 2, 3], 3, asked), { startDate: 0, stopDate: 10 });
    expect(asked).toEqual([{ startDate: 0, stopDate: 10 }]);

    const second: Span[] = [];
    await all(answering([4, 4, 4], 2, second), { startDate: 0, stopDate: 7 });
    expect(second.every(({ startDate, stopDate }) => stopDate >= startDate)).toBe(true);
    expect(second.length).toBeLessThan(10);
  });

  test("takes rows and not columns, and refuses a period that ends before it begins", () => {
    expect(spanInput({ device_id: 1, shape: "columns", limit: 5 }, { startDate: 1, stopDate: 2 })).toEqual({
      device_id: 1,
      startDate: 1,
      stopDate: 2,
      shape: "rows",
      limit: 10_000,
    });
    expect(() => spanOf({ startDate: 2, stopDate: 1 })).toThrow("wrong_input");
  });
});
