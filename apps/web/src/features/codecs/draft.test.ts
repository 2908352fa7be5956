import { expect, test } from "vitest";
import { draftOf, fieldMapOf, payloadOf } from "./draft.ts";

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
    test_payloads: [{ payload: "01", fport: 7 }],
    created_at: 1,
    created_by: null,
    last_failure: null,
  });

  expect(draft).toMatchObject({ id: 3, payload: "01", fport: 7, source: "x" });
  expect(
    fieldMapOf([...draft.map, { from: " ", name: "in2", unit: "" }, { from: "a", name: "", unit: "" }]),
  ).toEqual({
    litres: { name: "in1", unit: "L" },
  });
});
