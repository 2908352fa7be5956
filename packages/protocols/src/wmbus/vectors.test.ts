import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeTelegram } from "../mbus/application.ts";
import { parseFrame } from "../mbus/frame.ts";
import type { MbusRecord } from "../mbus/records.ts";
import { formatCache } from "./compact.ts";
import { makersLayout } from "./makers/index.ts";
import { readWmbus } from "./telegram.ts";

interface Case {
  readonly name: string;
  readonly transport: "wmbus" | "mbus";
  readonly ci: string | null;
  readonly hex: string;
  readonly key: string | null;
  readonly expected: Readonly<Record<string, unknown>>;
}

const file = new URL("../../../../../shared/vectors/wmbus/wmbusmeters.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] }).cases : [];

/** Size of one unit of a record in the unit that a field name of the corpus ends with. */
const units: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  kwh: { Wh: [1e-3], J: [1 / 3.6e6] },
  kw: { W: [1e-3], "J/h": [1 / 3.6e6] },
  m3: { "m^3": [1], "ft^3": [0.028316846592] },
  m3h: { "m^3/h": [1], "m^3/min": [60] },
  c: { "°C": [1], K: [1] },
  h: { s: [1 / 3600], h: [1], min: [1 / 60] },
  s: { s: [1] },
  y: { s: [1 / (365.2425 * 86_400)], d: [1 / 365.2425, 1 / 365], year: [1] },
  kvarh: { varh: [1e-3] },
  kvah: { VAh: [1e-3] },
  kvar: { var: [1e-3] },
  kva: { VA: [1e-3] },
  rh: { "%": [1] },
};
const isUnitless = (unit: string): boolean => unit === "" || unit === "-";

const close = (found: number, wanted: number): boolean =>
  Math.abs(found - wanted) <= Math.abs(wanted) * 1e-5 + 5e-7;

/** The corpus prints the smallest integer as a number, in any scale; here it is "no value". */
const isSentinel = (wanted: number, record: MbusRecord): boolean =>
  record.value === null && wanted < 0 && [2 ** 15, 2 ** 31].some((top) => isScaled(-wanted / top));
const isScaled = (ratio: number): boolean =>
  [1, 1e-3, 1 / 36, 1e-2, 1e-1].some((scale) => Math.abs(ratio - scale) < 1e-6 * scale);

/**
 * Whether a number of the corpus is the value of this record. A zero is zero in whatever unit; the corpus
 * takes digits that are not decimal, and "data error" values, for numbers.
 */
function isValue(field: string, wanted: number, record: MbusRecord): boolean {
  if (isSentinel(wanted, record)) return true;
  // The corpus prints 0 for a month before the module was there (FF FF FF).
  if (wanted === 0 && record.value === null && record.raw.every((byte) => byte === 0xff)) return true;
  const value = record.value ?? record.doubtful;
  if (typeof value === "string") return /^\d+$/.test(value) && Number(value) === wanted;
  if (typeof value !== "number") return false;
  if (value === 0 && wanted === 0) return true;
  const known = units[field.slice(field.lastIndexOf("_") + 1)];
  const sizes = known === undefined || isUnitless(record.unit) ? [1] : (known[record.unit] ?? []);
  return sizes.some((size) => close(value * size, wanted));
}

/** The consumption between two values of a profile is a number that the corpus names too. */
const differences = (records: readonly MbusRecord[]): number[] =>
  records.slice(1).flatMap(({ value, at }, n) => {
    const before = records[n];
    return at && before?.at && typeof value === "number" && typeof before.value === "number"
      ? [value - before.value]
      : [];
  });

const formats = formatCache();

function recordsOf(each: Case): readonly MbusRecord[] {
  if (each.transport === "mbus") {
    const frame = parseFrame(fromHex(each.hex));
    if (frame.kind !== "long") throw new ProtocolError("unexpected", "no data");
    return decodeTelegram(frame.ci, frame.data).records;
  }
  const key = each.key?.length === 32 ? fromHex(each.key) : undefined;
  return readWmbus(fromHex(each.hex), { key, formats }).records;
}

type Outcome = { kind: "maker" } | { kind: "good" } | { kind: "miss"; why: string };

function outcomeOf(each: Case): Outcome {
  let records: readonly MbusRecord[];
  try {
    records = recordsOf(each);
  } catch (error) {
    if (error instanceof ProtocolError) return { kind: "miss", why: error.message };
    throw error;
  }
  if (records.length === 0 || records.some(({ kind }) => kind === "maker")) return { kind: "maker" };
  const missing = Object.entries(each.expected).filter(
    ([field, wanted]) =>
      typeof wanted === "number" &&
      !records.some((record) => isValue(field, wanted, record)) &&
      !differences(records).some((difference) => close(difference, wanted)),
  );
  return missing.length === 0
    ? { kind: "good" }
    : { kind: "miss", why: missing.map(([field]) => field).join() };
}

/** Cases with unmatched numbers, and why. Several telegrams can have one name. */
const misses: Readonly<Record<string, string>> = {
  "actislink/GURKA": "security mode 2 (DES)",
  "ebzwmbe/Elen1": "a sum that the other program makes of three records behind the maker's VIFE",
  "ei6500/Smokey5": "a part of the bits behind a VIF of the maker's own",
  "ei6500/Smokey6": "a part of the bits behind a VIF of the maker's own",
  "em24/Elen2": "apparent energy, which the other program calculates from two records",
  "engelmann_faw/Wasserzaehler": "a compact frame whose full frame is not in the corpus",
  "kamwater/MoreWater": "a compact frame whose full frame is not in the corpus",
};

describe.skipIf(!isThere)(
  isThere ? "shared wireless corpus" : `shared wireless corpus: skipped, ${file.pathname} is not there`,
  () => {
    // Compact frames may precede the full ones that they need.
    for (const each of cases) outcomeOf(each);
    const outcomes = cases.map((each) => ({ name: each.name, outcome: outcomeOf(each) }));
    const standard = outcomes.filter(({ outcome }) => outcome.kind !== "maker");
    const missed = standard.filter(({ outcome }) => outcome.kind === "miss");

    it("has all 247 cases", () => {
      expect(cases).toHaveLength(247);
    });

    it("finds every number in at least 95% of the telegrams whose layout is known", () => {
      expect(standard).toHaveLength(191);
      expect(missed.length).toBeLessThanOrEqual(8);
      expect((standard.length - missed.length) / standard.length).toBeGreaterThanOrEqual(0.95);
    });

    it("lists the reason of every miss, and no others", () => {
      expect([...new Set(missed.map(({ name }) => name))].toSorted()).toEqual(Object.keys(misses).toSorted());
    });

    it("decrypts every telegram that has an AES key, and none with another key", () => {
      const keyed = cases.filter(({ key, ci }) => key?.length === 32 && !/^[ab]/.test(ci ?? ""));
      expect(keyed).toHaveLength(12);
      for (const each of keyed) {
        const wrong = fromHex("ffffffffffffffffffffffffffffff00");
        expect(() => readWmbus(fromHex(each.hex), { key: wrong }), each.name).toThrow(
          expect.objectContaining({ kind: "bad_password" }),
        );
      }
    });

    it("reads the known manufacturer layouts, keeps all others raw, and reports it", () => {
      for (const each of cases.filter(({ ci }) => /^[ab]/.test(ci ?? ""))) {
        const { records, warnings, meter } = readWmbus(fromHex(each.hex));
        if (makersLayout(meter, "ci")) {
          expect(
            records.filter(({ kind }) => kind === "maker"),
            each.name,
          ).toEqual([]);
          continue;
        }
        expect(records, each.name).toMatchObject([{ kind: "maker", value: null }]);
        expect(warnings.join(), each.name).toContain("kept raw");
      }
    });
  },
);
