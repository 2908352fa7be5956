import { describe, expect, it } from "vitest";
import { bytesOf, fieldRows, jsonLines, questionsOf, stretchesOf, type Span } from "./trace.ts";

const span = (offset: number, bytes: number, name: Span["name"], value: number | null = null) => ({
  offset,
  bytes,
  name,
  value,
});
const aStep = (label: string, nth: number) => ({
  label,
  try: nth,
  tries: 3,
  at_ms: 0,
  answered_ms: null,
  ended_ms: 10,
  sent: "",
  received: "",
  error: null,
  sent_spans: [],
  received_spans: [],
});

describe("bytes of a frame", () => {
  it("every byte is shown once, named or not", () => {
    const stretches = stretchesOf("90 00e459 ff a283", [
      span(0, 1, "device_address"),
      span(1, 3, "voltage"),
      span(5, 2, "crc"),
    ]);

    expect(stretches.map((each) => [each.name, each.kind, each.bytes.join("")])).toEqual([
      ["device_address", "address", "90"],
      ["voltage", "data", "00E459"],
      [null, "unnamed", "FF"],
      ["crc", "checksum", "A283"],
    ]);
  });

  it("a record is shown by its parts, and names outside the frame are ignored", () => {
    const stretches = stretchesOf("0102030405", [
      span(0, 4, "record"),
      span(0, 2, "DIF"),
      span(2, 2, "value"),
      span(9, 2, "beyond"),
    ]);

    expect(stretches.map((each) => each.name)).toEqual(["DIF", "value", null]);
  });

  it("neighbouring fields differ in shade", () => {
    const shades = stretchesOf("010203", [span(0, 1, "a"), span(1, 1, "b"), span(2, 1, "c")]).map(
      (each) => each.shade,
    );

    expect(shades).toEqual([0, 1, 2]);
  });

  it("the table lists records before their parts, with position and bytes", () => {
    const rows = fieldRows("0102 0304", [
      span(2, 2, "value", 772),
      span(0, 4, "record"),
      span(0, 1, "DIF", 1),
    ]);

    expect(rows.map((row) => [row.range, row.name, row.digits.join(" ")])).toEqual([
      ["0 – 3", "record", "01 02 03 04"],
      ["0", "DIF", "01"],
      ["2 – 3", "value", "03 04"],
    ]);
    expect(bytesOf("0a1")).toEqual(["0A"]);
  });
});

it("a value that only repeats its bytes is omitted", () => {
  const [row] = fieldRows("0102030405", [{ ...span(0, 5, "part"), value: "0102030405" }]);

  expect(row?.value).toBeNull();
});

it("messages of a network server are shown as text, bytes of a device are not", () => {
  const hexOf = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16)).join("");

  expect(jsonLines(hexOf('{"devAddr":"0018a000"}'))).toBe('{\n  "devAddr": "0018a000"\n}');
  expect(jsonLines("7b0102")).toBeUndefined();
  expect(jsonLines("0103040A")).toBeUndefined();
  expect(jsonLines("")).toBeUndefined();
});

describe("steps", () => {
  it("a retry belongs to its step, the same step later does not", () => {
    const questions = questionsOf([
      aStep("clock", 1),
      aStep("voltages", 1),
      aStep("voltages", 2),
      aStep("clock", 1),
    ]);

    expect(questions.map((each) => [each.label, each.tries.length])).toEqual([
      ["clock", 1],
      ["voltages", 2],
      ["clock", 1],
    ]);
  });
});
