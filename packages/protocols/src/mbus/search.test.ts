import type { StepName } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import { isReservation, type Responder } from "../core/conversation.ts";
import { converse } from "../core/fuzz/replay.ts";
import { mbus } from "./driver.ts";
import { searchMeters, sharedLine } from "./search.ts";

const driver = mbus({
  resource: "water",
  manufacturer: "MTR",
  version: 1,
  medium: 7,
  records: [{ code: "0C 13", field: "in1" }],
});
const slave = (id: string, volume = 12): Responder =>
  driver.respond(
    { insideAddr: id, deviceID: id },
    () => volume,
    () => 1_795_251_600,
  );
const idsOf = (ids: readonly string[], options = {}): string[] =>
  converse(searchMeters(options), sharedLine(ids.map((id) => slave(id)))).meters.map(({ id }) => id);

describe("the search by numbers", () => {
  it("finds no meter on a silent line in two exchanges", () => {
    const talk = searchMeters();
    const labels: StepName[] = [];
    let turn = talk.next();
    while (!turn.done && !isReservation(turn.value)) {
      labels.push(turn.value.label);
      turn = talk.next(new Uint8Array(0));
    }
    expect(labels).toEqual(["deselect", { code: "select", n: "FFFFFFFF" }]);
    expect(turn.value).toEqual({ meters: [], unresolved: [], isComplete: true });
  });

  it("finds one meter and identifies it", () => {
    const { meters } = converse(searchMeters(), sharedLine([slave("12345678")]));
    expect(meters).toEqual([
      { id: "12345678", manufacturer: "MTR", version: 1, medium: 7, mediumName: "Water" },
    ]);
  });

  it("distinguishes meters that differ in the last digit, or in the first", () => {
    expect(idsOf(["12345678", "12345679", "92345678", "00000000"])).toEqual([
      "00000000",
      "12345678",
      "12345679",
      "92345678",
    ]);
  });

  it("finds all meters, whatever their numbers", () => {
    const number = fc.integer({ min: 0, max: 99_999_999 }).map((n) => String(n).padStart(8, "0"));
    fc.assert(
      fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: 6 }), (ids) => {
        expect(idsOf(ids)).toEqual(ids.toSorted());
      }),
      { numRuns: 10 },
    );
  });

  it("stays within the given mask", () => {
    expect(idsOf(["12345678", "22345678", "12999999"], { mask: "12FFFFFF" })).toEqual([
      "12345678",
      "12999999",
    ]);
    expect(() => idsOf([], { mask: "12" })).toThrow(expect.objectContaining({ kind: "unexpected" }));
  });

  it("names the number shared by two meters, and continues", () => {
    const line = sharedLine([slave("12345678", 1), slave("12345678", 999_999), slave("77777777")]);
    const { meters, unresolved, isComplete } = converse(searchMeters(), line);

    expect(meters.map(({ id }) => id)).toEqual(["77777777"]);
    expect(unresolved).toEqual(["12345678"]);
    expect(isComplete).toBe(true);
  });

  it("stops at its limit of exchanges and reports that it is incomplete", () => {
    const { isComplete } = converse(
      searchMeters({ maxSteps: 20 }),
      sharedLine([slave("12345678"), slave("12345679")]),
    );
    expect(isComplete).toBe(false);
  });

  it("works through an adapter that echoes", () => {
    const line = sharedLine([slave("12345678"), slave("12345600")]);
    const echoing: Responder = { receive: (bytes) => [bytes, ...line.receive(bytes)] };
    expect(converse(searchMeters(), echoing).meters.map(({ id }) => id)).toEqual(["12345600", "12345678"]);
  });

  it("ends whatever arrives from the line", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.uint8Array({ maxLength: 20 })), (noise) => {
        const line: Responder = { receive: () => [...noise.take(1)] };
        const { meters } = converse(searchMeters({ maxSteps: 100 }), line);
        expect(meters.length).toBeLessThanOrEqual(33);
      }),
      { numRuns: 20 },
    );
  });
});

it("a shared line mixes answers, of which equal ones look like one", () => {
  const saying = (...bytes: number[]): Responder => ({ receive: () => [Uint8Array.from(bytes)] });
  expect(
    sharedLine([saying(0xe5), saying(0xe5)])
      .receive(new Uint8Array(0))
      .map(toHex),
  ).toEqual(["e5"]);
  expect(
    sharedLine([saying(0x68, 0x0f), saying(0x68, 0xf0)])
      .receive(new Uint8Array(0))
      .map(toHex),
  ).toEqual(["6808f0"]);
});
