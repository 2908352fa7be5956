import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "./core/bytes.ts";
import { numberOf } from "./iec62056-21/dataLine.ts";
import { decodeIec62056 } from "./iec62056-21/decode.ts";
import { decodeMbus } from "./mbus/decode.ts";
import { longFrame } from "./mbus/frame.ts";
import type { MbusRecord } from "./mbus/records.ts";
import { decodeMercury230 } from "./mercury230/decode.ts";
import { decodeP1 } from "./p1/decode.ts";
import { p1 } from "./p1/driver.ts";
import { vegaSi11 } from "./vega/driver.ts";
import { decodeSi11 } from "./vega/si11.ts";
import { readWmbus } from "./wmbus/telegram.ts";

interface Case {
  readonly id: string;
  readonly hex: string;
  readonly key?: string;
}

const file = new URL("../../../../shared/field/frames.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as Case[]) : [];
const device = { impulseWeight: 1, startingValue: 0 };

function caseOf(id: string): Case {
  const found = cases.find((each) => each.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
}

const bytesOf = (id: string): Uint8Array => fromHex(caseOf(id).hex);

function radio(id: string) {
  const { key } = caseOf(id);
  return readWmbus(bytesOf(id), key === undefined ? {} : { key: fromHex(key) });
}

const valuesOf = (records: readonly MbusRecord[], quantity: string, of: Partial<MbusRecord> = {}) =>
  records
    .filter(
      (each) =>
        each.quantity === quantity &&
        (of.storage === undefined || each.storage === of.storage) &&
        (of.tariff === undefined || each.tariff === of.tariff) &&
        (of.modifiers === undefined || each.modifiers.join() === of.modifiers.join()),
    )
    .map(({ value }) => value);

describe.skipIf(!isThere)(
  isThere ? "frames that people met in the field" : `skipped, ${file.pathname} is not there`,
  () => {
    it("are these; the lists of DLMS have their tests in dlms/hanPush.test.ts", () => {
      const here =
        "FC-03 FC-12 FC-13a FC-14 FC-20 FC-26a FC-37 FC-39 FC-40 FC-42 FC-44 FC-46 FC-04 FC-31 FC-57a FC-57b FC-59";
      expect(cases.map(({ id }) => id)).toEqual([...here.split(" "), "KAIFA-SE", "OMNIPOWER"]);
    });

    it("of heat meters: FC-03, FC-12, FC-13a, FC-26a, FC-04", () => {
      const { records } = radio("FC-03");
      expect(valuesOf(records, "Energy", { storage: 0 })).toEqual([9_545_400_000]);
      expect(valuesOf(records, "Energy", { storage: 1 })).toEqual([3_843_600_000]);
      expect(valuesOf(records, "Time point (date)", { storage: 0 })).toEqual([null]);

      const enhanced = radio("FC-12").records;
      expect(valuesOf(enhanced, "(Enhanced) Identification")).toEqual(["QDS-12345678-3C-04"]);
      expect(valuesOf(enhanced, "Energy", { storage: 0, modifiers: [] })).toEqual([0]);

      expect(radio("FC-13a").warnings.join()).toContain("the maker's block of values is not read");

      const damaged = radio("FC-26a");
      expect(valuesOf(damaged.records, "Energy", { storage: 0 })).toEqual([8000]);
      expect(valuesOf(damaged.records, "Volume")).toEqual([0.91]);
      expect(
        damaged.records.every(({ quantity, value }) => quantity !== "Energy" || Number(value) <= 8000),
      ).toBe(true);
      expect(damaged.warnings.join()).toContain("damaged");

      const techem = radio("FC-04");
      expect(techem.meter.mediumName).toBe("Heat: Outlet");
      expect(valuesOf(techem.records, "Energy", { storage: 0 })).toEqual([1_720_000]);
    });

    it("of an allocator and of an electricity meter: FC-14, FC-20", () => {
      const allocator = radio("FC-14").records;
      const months = allocator.filter(({ modifiers }) => modifiers[0]?.startsWith("consumption of a month"));
      expect(months.map(({ value }) => value)).toEqual([7, 1, 2, 0, 0, 7, 49, 61, 101, null, 69, 70]);
      expect(valuesOf(allocator, "H.C.A.", { modifiers: [] })).toEqual([272, 336, 251]);

      const { records } = radio("FC-20");
      expect(valuesOf(records, "Energy", { tariff: 1, modifiers: [] })).toEqual([25_011_061]);
      expect(valuesOf(records, "Energy", { tariff: 2, modifiers: [] })).toEqual([18_530_681]);
      expect(valuesOf(records, "Energy", { tariff: 1, modifiers: ["backward"] })).toEqual([4999]);
      expect(valuesOf(records, "Energy", { tariff: 2, modifiers: ["backward"] })).toEqual([686]);
      expect(valuesOf(records, "Power", { modifiers: [] })).toEqual([22_852, 1732]);
    });

    it("of wired M-Bus: FC-31", () => {
      for (const record of ["0c13eeeeeeee", "0c06eeeeeeee"]) {
        const { readings, warnings } = decodeMbus(longFrame(0x08, 5, 0x78, fromHex(record)));
        expect(readings).toMatchObject([{ value: null }]);
        expect(warnings).toHaveLength(1);
      }
    });

    it("of customer ports: FC-37, FC-39, FC-40, FC-42", () => {
      const at = Date.UTC(2021, 10, 23, 19) / 1000;
      expect(p1({ reads: "gas" }).decode(bytesOf("FC-37"), 1, device)).toMatchObject([
        { at, values: { in1: 13_376.292 } },
      ]);
      expect(p1().decode(bytesOf("FC-39"), 1, device)[1]?.values).toMatchObject({
        voltage1: 242,
        current1: 5,
        Frequency: 49,
      });
      const peaks = decodeP1(bytesOf("FC-40")).readings.filter(({ name }) => name === "0-0:98.1.0");
      expect(peaks[0]).toMatchObject({ value: 4.329, unit: "kW", time: "2023-01-17T22:45:00 W" });
      const [broken] = p1().decode(bytesOf("FC-42"), 1, device);
      expect(broken).toMatchObject({ values: { tariff1: 646.007 }, warnings: [expect.any(String)] });
    });

    it("of IEC 62056-21: FC-44, FC-46", () => {
      const readOut = decodeIec62056(bytesOf("FC-44")).readings;
      const valueOf = (name: string) => readOut.find((each) => each.name === name)?.value;
      expect([valueOf("1.20"), valueOf("1.6"), numberOf(String(valueOf("1.6*1")))]).toEqual([
        83_038, 7.4, 13,
      ]);
      expect(decodeIec62056(bytesOf("FC-46")).readings).toEqual(
        expect.arrayContaining([
          { name: "1-0:1.8.0*255", value: 26_107.7034231, unit: "kWh" },
          { name: "1-0:1.7.0*255", value: -200.13, unit: "W" },
        ]),
      );
    });

    it.each(["FC-57a", "FC-57b"])("of a pulse counter: %s", (id) => {
      const packet = decodeSi11(bytesOf(id), 2);
      expect(packet).toMatchObject({
        kind: id === "FC-57a" ? "current" : "alarm",
        temperature: -10,
        counts: { 1: 1000, 2: 123_456, 3: 1, 4: 2 },
      });
      expect(vegaSi11().decode(bytesOf(id), 2, device)).toMatchObject([
        { values: { in1: 1000, temperature: -10 } },
      ]);
    });

    it("of a line with an echo: FC-59", () => {
      const [request = "", response = ""] = caseOf("FC-59").hex.split("/");
      expect(() => decodeMercury230({ request: fromHex(request), response: fromHex(response) })).toThrow(
        "echo",
      );
    });
  },
);
