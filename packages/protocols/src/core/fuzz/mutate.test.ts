import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fromHex, toHex } from "../bytes.ts";
import { ProtocolError } from "../errors.ts";
import { throwsOnlyProtocolErrors } from "./fuzz.ts";
import { mutate, randomFrom } from "./mutate.ts";

test("the same seed gives the same inputs, most of them changed, some of them long", () => {
  const seeds = [Uint8Array.from({ length: 40 }, (_, at) => at), Uint8Array.of(1, 2, 3)];
  const inputs = () => {
    const random = randomFrom(7);
    return Array.from({ length: 3000 }, () => mutate(seeds, random));
  };

  const [first, second] = [inputs(), inputs()];

  expect(second).toEqual(first);
  const isChanged = (bytes: Uint8Array) => seeds.every((seed) => seed.join() !== bytes.join());
  expect(first.filter(isChanged).length).toBeGreaterThan(2500);
  expect(Math.max(...first.map(({ length }) => length))).toBeGreaterThan(1000);
});

test("any seeds can be changed, empty ones too", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 }),
      fc.integer(),
      (seeds, start) => {
        const random = randomFrom(start);
        for (let n = 0; n < 50; n++) expect(mutate(seeds, random).length).toBeLessThan(20_000);
      },
    ),
  );
});

test("random numbers are those of Mulberry32", () => {
  const random = randomFrom(1);

  // As other implementations of the algorithm give them for the seed 1.
  expect([random(), random(), random()]).toEqual([
    0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
  ]);
});

describe("a change of a frame", () => {
  /** Chance that falls as written: each number with the limit below which it is drawn. */
  const falling = (...drawn: readonly (readonly [number: number, below: number])[]) => {
    const left = [...drawn];
    return () => {
      const [number, below] = left.shift() ?? [1, 2];
      return (number + 0.5) / below;
    };
  };
  const one = fromHex("01020304");
  const changed = (at: number, kind: number, ...drawn: readonly (readonly [number, number])[]) =>
    toHex(mutate([one, fromHex("a1a2a3")], falling([0, 2], [0, 6], [at, 5], [kind, 7], ...drawn, [1, 512])));

  it.each<[string, string, number, number, readonly (readonly [number, number])[]]>([
    ["a bit", "01020b04", 2, 0, [[3, 8]]],
    ["a bit behind its end", "0102030480", 4, 0, [[7, 8]]],
    ["a byte", "0102cc04", 2, 1, [[0xcc, 256]]],
    ["a byte behind its end", "01020304cc", 4, 1, [[0xcc, 256]]],
    ["a telling byte", "00020304", 0, 2, [[0, 4]]],
    ["a full byte", "ff020304", 0, 2, [[1, 4]]],
    ["the largest signed byte", "7f020304", 0, 2, [[2, 4]]],
    ["the least signed byte", "80020304", 0, 2, [[3, 4]]],
    ["a telling byte behind its end", "01020304ff", 4, 2, [[1, 4]]],
    ["two bytes missing", "0104", 1, 3, [[1, 4]]],
    ["all bytes up to its end missing", "0102", 2, 3, [[3, 4]]],
    [
      "two bytes more",
      "01aabb020304",
      1,
      4,
      [
        [1, 4],
        [0xaa, 256],
        [0xbb, 256],
      ],
    ],
    ["two bytes repeated", "010203020304", 1, 5, [[2, 16]]],
    ["at most what is left repeated", "010203040304", 2, 5, [[9, 16]]],
    [
      "two bytes replaced by two of another",
      "01a2a304",
      1,
      6,
      [
        [1, 2],
        [2, 8],
        [1, 3],
        [3, 4],
      ],
    ],
    [
      "at most what is left replaced",
      "0102a1",
      2,
      6,
      [
        [1, 2],
        [7, 8],
        [0, 3],
        [1, 4],
      ],
    ],
  ])("has %s", (_, frame, at, kind, drawn) => {
    expect(changed(at, kind, ...drawn)).toBe(frame);
  });

  it("is one of up to six in turn", () => {
    const twice = falling([0, 1], [1, 6], [0, 5], [1, 7], [0xaa, 256], [3, 5], [1, 7], [0xbb, 256], [1, 512]);

    expect(toHex(mutate([one], twice))).toBe("aa0203bb");
  });

  it("may repeat a part of it up to many thousand bytes", () => {
    const long = (from: number, bytes: number, room: number) =>
      mutate(
        [one],
        falling(
          [0, 1],
          [0, 6],
          [0, 5],
          [1, 7],
          [1, 256],
          [0, 512],
          [from, 4],
          [bytes - 1, 4 - from],
          [room, 16_384],
        ),
      );

    expect(toHex(long(1, 2, 7))).toBe("0102030203020304");
    expect(toHex(long(0, 4, 9))).toBe("0102030401020304");
    expect(toHex(long(3, 1, 3))).toBe("010203040404");
    expect(long(3, 1, 16_383)).toHaveLength(16_386);
  });
});

describe("a decoder", () => {
  const target = { name: "x", seeds: [fromHex("0102")] };

  it("gets a thousand changed frames, a dialogue 300, and each its share", () => {
    const counted = (more: object) => {
      let count = 0;
      throwsOnlyProtocolErrors({ ...target, decode: () => (count += 1), ...more });
      return count;
    };

    expect([counted({}), counted({ isDialogue: true }), counted({ share: 0.1 })]).toEqual([1000, 300, 100]);
  });

  it("may refuse a frame, and do nothing else", () => {
    const failing = (error: Error) => () =>
      throwsOnlyProtocolErrors({
        ...target,
        decode: () => {
          throw error;
        },
      });

    expect(failing(new ProtocolError("checksum", "wrong"))).not.toThrow();
    expect(failing(new Error("a bug"))).toThrow(/^on [\d,]*$/);
  });
});
