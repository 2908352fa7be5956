import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { serialOf } from "../../core/reading.ts";
import { dateTimeBytes, fromEpoch } from "../data/dateTime.ts";
import { hanPush, notificationOf } from "./hanPush.ts";
import { unitSymbol } from "../objects/units.ts";
import { logicalName, scalerUnitData } from "../objects/values.ts";
import { cosemUnits } from "./pushLists.ts";
import type { DlmsData } from "../types.ts";

const file = new URL("../../../../../../shared/vectors/dlms/han-push.json", import.meta.url);
const isThere = existsSync(file);
interface Pushed {
  readonly name: string;
  readonly hex?: string;
  readonly expected: Readonly<Record<string, unknown>>;
}
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Pushed[] }).cases : [];
const scale = { impulseWeight: 1, startingValue: 0 };

describe.skipIf(!isThere)(
  isThere ? "lists pushed by real meters" : `skipped, ${file.pathname} is not there`,
  () => {
    it("have power, voltages and counters in units of the vocabulary", () => {
      let compared = 0;
      for (const { name, hex, expected } of cases) {
        // The others are P1 texts, which another protocol reads.
        if (hex?.toLowerCase().startsWith("e6") !== true) continue;
        if (typeof expected["active_power_import"] !== "number") continue;
        const readings = hanPush.decode(fromHex(hex), 1, scale);
        const values = Object.assign({}, ...readings.map((each) => each.values)) as Record<string, number>;
        expect(values["power_active"], name).toBeCloseTo(expected["active_power_import"] / 1000, 6);
        for (const phase of [1, 2, 3]) {
          const volts = expected[`voltage_l${String(phase)}`];
          if (typeof volts === "number")
            expect(values[`voltage${String(phase)}`], name).toBeCloseTo(volts, 3);
        }
        const total = expected["active_power_import_total"];
        if (typeof total === "number") expect(values["tariff0"], name).toBeCloseTo(total / 1000, 3);
        compared += 1;
      }
      expect(compared).toBeGreaterThan(5);
    });
  },
);

describe("a list of a maker that stands under another name", () => {
  const code = (obis: string) => logicalName(obis);
  const number = (value: number): DlmsData => ({ type: "uint32", value });
  const listOf = (name: DlmsData[], more: DlmsData[] = []): Uint8Array =>
    notificationOf({
      type: "structure",
      items: [
        ...name,
        ...[code("1.0.1.7.0.255"), number(3210), code("1.0.32.7.0.255"), number(2301)],
        ...[code("1.0.31.7.0.255"), number(4567)],
        ...more,
      ],
    });
  const name: DlmsData = { type: "visible", value: "KFM_001" };

  it.each(["1.1.0.2.129.255", "1.0.0.2.129.255"])("has its scales with %s", (obis) => {
    expect(hanPush.decode(listOf([code(obis), name]), 1, scale)).toEqual([
      { msgType: 2, at: null, values: { power_active: 3.21, voltage1: 230.1, current1: 4.567 } },
    ]);
  });

  it("whose voltage cannot be has none, and a warning", () => {
    const kamstrup: DlmsData = { type: "visible", value: "Kamstrup_V0001" };
    const items = [code("1.0.52.7.0.255"), number(23_593), code("1.0.72.7.0.255"), number(231)];

    const [reading] = hanPush.decode(listOf([code("1.1.0.2.129.255"), kamstrup], items), 1, scale);

    expect(reading?.values).toMatchObject({ voltage1: null, voltage2: null, voltage3: 231 });
    expect(reading?.warnings?.join()).toContain("voltage_l2: 23593 V cannot be");
  });

  it("has the time of its reception, whatever its clock says of summer (S-38)", () => {
    const items: DlmsData[] = [code("1.1.0.2.129.255"), name, code("1.0.1.7.0.255"), number(3210)];
    const clock = dateTimeBytes(fromEpoch(1_783_000_000, { deviation: null, status: 0x80 }));

    expect(hanPush.decode(notificationOf({ type: "structure", items }, clock), 1, scale)).toEqual([
      { msgType: 2, at: null, values: { power_active: 3.21 } },
    ]);
  });

  it("of which no value can be used is an error, and not an empty answer", () => {
    expect(() => hanPush.decode(listOf([]), 1, scale)).toThrow(
      "no value of the list has a field and a known unit",
    );
  });
});

describe("units of the lists", () => {
  it("are those of the table in the Blue Book, including times", () => {
    const times = { 1: "year", 2: "month", 3: "week", 4: "d", 5: "h", 6: "min", 7: "s" };

    expect(cosemUnits).toMatchObject(times);
    for (const code of [5, 6, 7, 27, 30, 33, 35, 44]) expect(cosemUnits[code]).toBe(unitSymbol(code));
  });
});

describe("the number of the meter in a list", () => {
  const octets = (value: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(value) });
  const listWith = (named: DlmsData) =>
    notificationOf({
      type: "array",
      items: [
        { type: "structure", items: [logicalName("0.0.96.1.0.255"), named] },
        {
          type: "structure",
          items: [
            logicalName("1.0.1.8.0.255"),
            { type: "uint32", value: 5_000 },
            scalerUnitData({ scaler: 0, unit: 30 }),
          ],
        },
      ],
    });
  const serialIn = (named: DlmsData) => serialOf(hanPush.decode(listWith(named), 1, scale));

  it("TRUST-031 comes with its readings, as text or octets; bytes that are no number name none", () => {
    expect(serialIn(octets("7359992890941742"))).toBe("7359992890941742");
    expect(serialIn({ type: "visible", value: "KFM-0042 " })).toBe("KFM-0042");
    expect(serialIn({ type: "octets", value: Uint8Array.of(0, 7, 255, 1) })).toBeUndefined();
    expect(serialIn(octets("AIDON"))).toBeUndefined();
    expect(serialIn({ type: "null" })).toBeUndefined();
    expect(hanPush.decode(listWith(octets("12345678")), 1, scale)).toMatchObject([
      { values: { tariff0: 5 } },
    ]);
  });
});

describe("a simulated HAN port", () => {
  it("is decoded as it was sent", () => {
    const state = (field: string): number =>
      ({ tariff0: 1234.567, power_active: 2.345, voltage1: 231.4 })[field] ?? 0;
    const device = { insideAddr: "", deviceID: "1", ...scale };
    const { fport, payload } = hanPush.encode(device, state, 1_795_000_000);

    const [counters, moments] = hanPush.decode(payload, fport, scale);

    expect(counters).toMatchObject({ msgType: 1, values: { tariff0: 1234.567 } });
    expect(moments).toMatchObject({ msgType: 2, values: { power_active: 2.345, voltage1: 231.4 } });
    expect(hanPush.explain(payload, fport).length).toBeGreaterThan(10);
    expect(() => hanPush.decode(payload.subarray(0, 30), fport, scale)).toThrow(ProtocolError);
  });
});
