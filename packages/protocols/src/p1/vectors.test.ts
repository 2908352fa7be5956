import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { bytesOf, textOf } from "../iec62056-21/text.ts";
import { decodeP1 } from "./decode.ts";
import { electricityReadings, stampOf } from "./readings.ts";
import { parseTelegram } from "./telegram.ts";

interface Case {
  readonly name: string;
  readonly text: string;
  readonly expected: {
    readonly identification: string;
    readonly crcValid: boolean | null;
    readonly lines: readonly { readonly obis: string; readonly values: readonly string[] }[];
  };
}
interface Push {
  readonly name: string;
  readonly decoder: string;
  readonly hex: string;
  readonly expected: Readonly<Record<string, string | number>>;
}

const folder = new URL("../../../../../shared/vectors/", import.meta.url);
const isThere = existsSync(folder);
const load = <C>(path: string): C[] =>
  isThere ? (JSON.parse(readFileSync(new URL(path, folder), "utf8")) as { cases: C[] }).cases : [];
const cases = load<Case>("iec62056-21/p1.json");
const pushes = load<Push>("dlms/han-push.json").filter(({ decoder }) => decoder === "P1");

/** Values of the other library in Wh, W, V and A, by the corresponding field. */
const fieldsOf: Readonly<Record<string, readonly [field: string, ratio: number]>> = {
  active_power_import_total: ["tariff0", 1000],
  active_power_export_total: ["tariff_negative0", 1000],
  reactive_power_import_total: ["tariff_reactive0", 1000],
  reactive_power_export_total: ["tariff_reactive_negative0", 1000],
  "1.8.1": ["tariff1", 1000],
  "1.8.2": ["tariff2", 1000],
  "2.8.1": ["tariff_negative1", 1000],
  "2.8.2": ["tariff_negative2", 1000],
  voltage_l1: ["voltage1", 1],
  voltage_l2: ["voltage2", 1],
  voltage_l3: ["voltage3", 1],
  current_l1: ["current1", 1],
  current_l2: ["current2", 1],
  current_l3: ["current3", 1],
};

describe.skipIf(!isThere)(
  isThere ? "shared P1 corpus" : `shared P1 corpus: skipped, ${folder.pathname} is not there`,
  () => {
    it("has all 8 telegrams and 4 pushed texts", () => {
      expect([cases.length, pushes.length]).toEqual([8, 4]);
    });

    it.each(cases)("$name has its lines and the state of its checksum", ({ text, expected }) => {
      const telegram = parseTelegram(bytesOf(text));

      const lines = telegram.lines.map(({ address, values }) => ({
        obis: address,
        values: values.map(({ value, unit }) => (value ?? "") + (unit === "" ? "" : `*${unit}`)),
      }));
      expect(telegram.identification).toBe(expected.identification);
      expect(telegram.crcValid).toBe(expected.crcValid);
      // The corpus was split by a pattern without the storage group "*255"; those lines are read here too.
      expect(lines.filter(({ obis }) => !obis.includes("*"))).toEqual(expected.lines);
      expect(lines.length).toBeGreaterThan(0);
      expect(decodeP1(bytesOf(text)).readings.length).toBeGreaterThan(0);
    });

    it.each(pushes)("$name has the values of the other library", ({ hex, expected }) => {
      const bytes = fromHex(hex);
      const { readings } = decodeP1(bytes);
      const isWhole = textOf(bytes).includes("/");
      const lines = isWhole ? parseTelegram(bytes).lines : [];
      const values: Readonly<Record<string, unknown>> = Object.fromEntries(
        electricityReadings(lines, 60).flatMap((each) => Object.entries(each.values)),
      );

      // The other library truncates 518308.99999999994 Wh to 518308: a difference in the last digit is
      // accepted.
      for (const [key, [field, ratio]] of Object.entries(fieldsOf))
        if (expected[key] !== undefined)
          expect(Math.abs(Number(values[field]) * ratio - Number(expected[key])), key).toBeLessThanOrEqual(
            ratio === 1 ? 0 : 1,
          );
      expect(readings[0]?.time ?? readings[1]?.time).toContain(String(expected["meter_datetime"]));
      if (expected["active_power_import"] !== undefined)
        expect(Number(values["power_active"]) * 1000).toBeCloseTo(
          Number(expected["active_power_import"]) - Number(expected["active_power_export"]),
          6,
        );
      if (isWhole) expect(stampOf(lines, 60)).toBeGreaterThan(0);
    });
  },
);
