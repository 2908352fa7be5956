import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decodeMbus } from "./decode.ts";

interface ExpectedRecord {
  readonly StorageNumber?: string;
  readonly Tariff?: string;
  readonly Device?: string;
  readonly Unit?: string;
  readonly Quantity?: string;
  readonly Value?: number | string;
}
interface Case {
  readonly name: string;
  readonly kind: "decode" | "error" | "unsupported";
  readonly hex: string;
  readonly expected: {
    readonly slave?: Readonly<Record<string, string>>;
    readonly records?: readonly ExpectedRecord[];
  };
}

const file = new URL("../../../../../shared/vectors/mbus/libmbus.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] }).cases : [];

/** The corpus reads digits that are not decimal as a number; here they are no value. */
const isUndecimal = ({ value, raw = "" }: DecodedValue): boolean => value === null && /[a-f]/.test(raw);

/** The corpus writes an unset date as day 0 of month 0, and its degree sign has a wrong encoding. */
const expectedValue = ({ Value }: ExpectedRecord): number | string | null =>
  Value === undefined || Value === "2000-00-00" ? null : Value;
const expectedUnit = ({ Unit }: ExpectedRecord): string | undefined => Unit?.replace("Â", "");

function checkValue(
  value: DecodedValue["value"] | undefined,
  expected: number | string | null,
  where: string,
): void {
  if (typeof expected !== "number" && typeof value !== "number") expect(value, where).toBe(expected);
  else {
    const wanted = Number(expected);
    expect(Math.abs(Number(value) - wanted), where).toBeLessThanOrEqual(Math.abs(wanted) * 1e-6);
  }
}

function checkRecord(reading: DecodedValue | undefined, expected: ExpectedRecord, where: string): void {
  const value = expectedValue(expected);
  if (reading === undefined || typeof value !== "number" || !isUndecimal(reading))
    checkValue(reading?.value, value, where);
  if (expected.Unit !== undefined) expect(reading?.unit, where).toBe(expectedUnit(expected));
  expect(reading?.storage, where).toBe(Number(expected.StorageNumber ?? 0));
  expect(reading?.tariff, where).toBe(Number(expected.Tariff ?? 0));
  expect(reading?.subunit, where).toBe(Number(expected.Device ?? 0));
  if (expected.Quantity) expect(reading?.name, where).toContain(expected.Quantity);
}

describe.skipIf(!isThere)(
  isThere ? "shared M-Bus corpus" : `shared M-Bus corpus: skipped, ${file.pathname} is not there`,
  () => {
    it("has all 62 cases", () => {
      expect(cases).toHaveLength(62);
    });

    it.each(cases.filter((each) => each.kind === "decode"))(
      "$name decodes record by record",
      ({ hex, expected }) => {
        const { readings, device } = decodeMbus(fromHex(hex));

        const records = expected.records ?? [];
        expect(readings).toHaveLength(records.length);
        if (expected.slave?.Id !== undefined)
          expect(String(device.id).replace(/^0+/, "").toUpperCase()).toBe(expected.slave.Id);
        if (expected.slave?.Manufacturer !== undefined)
          expect(device.manufacturer).toBe(expected.slave.Manufacturer);
        if (expected.slave?.Medium !== undefined) expect(device.medium).toBe(expected.slave.Medium);
        records.forEach((record, at) => checkRecord(readings[at], record, `record ${String(at)}`));
      },
    );

    it.each(cases.filter((each) => each.kind !== "decode"))(
      "$name gives an error and no readings",
      ({ hex }) => {
        expect(() => decodeMbus(fromHex(hex))).toThrow(ProtocolError);
      },
    );
  },
);
