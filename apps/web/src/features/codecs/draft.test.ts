import { expect, test } from "vitest";
import { draftOf, fieldMapOf, newDraft, payloadOf, testPayloadsOf } from "./draft.ts";

test("payloads are accepted in the usual pasted formats", () => {
  expect(payloadOf("0x01, 0xFA:0b-0C 0d")).toBe("01fa0b0c0d");
  expect(payloadOf("1")).toBeNull();
  expect(payloadOf("xyz")).toBeNull();
});

test("a version opens as saved, without empty lines of its map", () => {
  const draft = draftOf({
    id: 3,
    name: "Ours",
    model_id: 301,
    company_id: 1,
    version: 2,
    is_active: true,
    source_code: "x",
    field_map: { litres: { name: "in1", unit: "L" } },
    test_payloads: [
      { payload: "01", fport: 7 },
      { payload: "02", fport: 8 },
    ],
    created_at: 1,
    created_by: null,
    last_failure: null,
  });

  expect(draft).toMatchObject({ id: 3, payload: "01", fport: 7, source: "x" });
  expect(testPayloadsOf(draft)).toEqual([
    { payload: "01", fport: 7 },
    { payload: "02", fport: 8 },
  ]);
  expect(
    fieldMapOf([...draft.map, { from: " ", name: "in2", unit: "" }, { from: "a", name: "", unit: "" }]),
  ).toEqual({
    litres: { name: "in1", unit: "L" },
  });
});

test("the next version keeps the test payloads that the editor does not show", () => {
  const others = [
    { payload: "02", fport: 8 },
    { payload: "03", fport: 9 },
  ];
  const draft = { ...newDraft(301, "Ours"), payload: "0x01", fport: 7, others };

  expect(testPayloadsOf(draft)).toEqual([{ payload: "01", fport: 7 }, ...others]);
  expect(testPayloadsOf({ ...draft, payload: " " })).toEqual(others);
});
