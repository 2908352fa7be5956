import { expect, test } from "vitest";
import { mappingOf } from "./decode.ts";
import { mapAnswer } from "./mapping.ts";

const scale = { impulseWeight: 1, startingValue: 0 };
/** A pulse counter that measures in1 to in4 and its temperature. */
const pulseCounter = 301;
const map = (
  data: unknown,
  fieldMap: Parameters<typeof mappingOf>[1] = {},
  model: number | null = pulseCounter,
) => mapAnswer(data, mappingOf(model ?? undefined, fieldMap, scale));

test("DEV-054: a pressure of unknown unit gives a warning and no reading in bar", () => {
  expect(map({ pressure: 1006.76, temperature: 21.5 })).toEqual({
    readings: [{ msgType: 1, at: null, values: { temperature: 21.5 } }],
    warnings: ["pressure: its unit is not known, the map of the codec must say it"],
  });
});

test("DEV-054: the map of the codec defines the unit", () => {
  const { readings, warnings } = map({ pressure: 1006.76 }, { pressure: { name: "pressure", unit: "hPa" } });

  expect(readings[0]?.values).toEqual({ pressure: 1.00676 });
  expect(warnings).toEqual([]);
});

test("fields without a unit and times need no definition", () => {
  expect(map({ status_code: 3, time: 1_795_250_000 }, {}, null).readings).toEqual([
    { msgType: 1, at: 1_795_250_000, values: { status_code: 3 } },
  ]);
  expect(map({ temperature: 21 }, {}, null)).toMatchObject({ readings: [] });
});

test("a time that no calendar has gives a warning, and one without a zone is UTC", () => {
  const at = (time: unknown) => map({ temperature: 21, time });

  expect(at("2026-11-21T10:00:00").readings[0]?.at).toBe(Date.UTC(2026, 10, 21, 10) / 1000);
  expect(at("2026-11-21T10:00:00+08:00").readings[0]?.at).toBe(Date.UTC(2026, 10, 21, 2) / 1000);
  for (const wrong of ["2026-02-31T10:00:00Z", "2026-02-29T10:00:00", "noon", true])
    expect(at(wrong), String(wrong)).toMatchObject({
      readings: [{ at: null, values: { temperature: 21 } }],
      warnings: ["time: not a time"],
    });
  expect(at(null).warnings).toEqual([]);
});
