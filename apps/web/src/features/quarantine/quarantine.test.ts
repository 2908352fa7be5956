import { readGridState } from "#ui/grid";
import { expect, test } from "vitest";
import { filterOf, listInput, stateOf, valuesText } from "./quarantine.ts";
import { quarantineList } from "./quarantineList.tsx";

const stateAt = (search: Readonly<Record<string, unknown>>) => readGridState(search, quarantineList.defaults);

test("TRUST-008 the address filters the list; invalid values are ignored", () => {
  const narrowed = stateAt({ "f.device": "7", "f.reason": "too_old", "f.state": "released", page: 2 });
  const wrong = stateAt({ "f.device": "x", "f.reason": "constructor", "f.state": "toString" });

  expect(listInput(narrowed)).toEqual({
    device_id: 7,
    reason: "too_old",
    state: "released",
    page: 2,
    per_page: 25,
  });
  expect([filterOf(wrong), stateOf(wrong)]).toEqual([{}, "waiting"]);
  expect(filterOf(stateAt({ "f.device": "99999999999" }))).toEqual({});
});

test("values are shown with title and unit; an unknown field is shown as received", () => {
  const words = { language: "en", number: (value: number, decimals = 0) => value.toFixed(decimals) } as const;
  const text = valuesText(
    { device_group_id: 4, values: { tariff0: 12.5, voltage1: null, flow_x: 3 } },
    words,
  );

  expect(text).toMatch(/^.+: 12\.50* kWh; .+: — V; flow_x: 3$/);
});
