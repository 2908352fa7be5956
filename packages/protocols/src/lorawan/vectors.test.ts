import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decodeLorawan, lorawanCodecs } from "./builtIn.ts";

const file = new URL("../../../../../shared/vectors/lorawan/codec-examples.json", import.meta.url);

interface Example {
  readonly name: string;
  readonly fPort: number | null;
  readonly hex: string;
  readonly expected: { readonly data: Readonly<Record<string, unknown>> };
}

/** Metadata of manufacturer and codec, not values of the payload. */
const fixed = new Set(["codecVersion", "genericModel", "productCode", "manufacturer", "Ext_sensor"]);

/** Messages about settings and events, without values. */
const withoutValues = /^yobiiq\/em4301#(?:[0-6]|10)$/;

const examples: readonly Example[] = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Example[] }).cases.filter(
      ({ name }) => lorawanCodecs.includes(codecOf(name)) && !withoutValues.test(name),
    )
  : [];

function codecOf(name: string): string {
  return name.replace(/#\d+$/, "");
}

/** The expected values by name, nested units and stored rows unfolded. */
function valuesOf(data: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (fixed.has(name)) return [];
    if (name === "history" && Array.isArray(value))
      return value.flatMap((row: Record<string, unknown>) =>
        valuesOf(Object.fromEntries(Object.entries(row).filter(([key]) => key !== "timestamp"))),
      );
    if (typeof value === "object" && value !== null) {
      const { value: of, data: inner } = value as { value?: unknown; data?: unknown };
      return [[name, of ?? inner]];
    }
    return [[name, value]];
  });
}

const asPairs = (readings: readonly DecodedValue[]) => readings.map(({ name, value }) => [name, value]);

test.skipIf(examples.length === 0)("DEV-035: reproduces more than 40 of the shared payload examples", () => {
  expect(examples.length).toBeGreaterThan(40);
});

test.skipIf(examples.length === 0).each(examples.map((example) => [example.name, example] as const))(
  "reproduces every value of %s",
  (name, { hex, fPort, expected }) => {
    const decoded = decodeLorawan(codecOf(name), { payload: fromHex(hex), fport: fPort ?? 1 });

    const wanted = valuesOf(expected.data).sort(([a], [b]) => (a < b ? -1 : 1));
    const found = asPairs(decoded?.readings ?? []).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(found.map(([key]) => key)).toEqual(wanted.map(([key]) => key));
    wanted.forEach(([key, value], at) => {
      const own = found[at]?.[1];
      if (typeof value === "number") expect(own, key).toBeCloseTo(value, 6);
      else expect(own, key).toEqual(value);
    });
  },
);

test("random bytes throw nothing but ProtocolError", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(...lorawanCodecs),
      fc.nat(255),
      (bytes, codec, fport) => {
        lorawanFuzz(bytes, codec, fport);
      },
    ),
    { numRuns: 3000 },
  );
});

function lorawanFuzz(payload: Uint8Array, codec: string, fport: number): void {
  try {
    decodeLorawan(codec, { payload, fport });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}
