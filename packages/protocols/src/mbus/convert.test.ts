import type { FieldName, ResourceKey, UnitKey } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { replay } from "../core/fuzz/replay.ts";
import { unitRatio } from "./convert.ts";
import { mbus } from "./driver.ts";
import { longFrame, shortFrame } from "./frame.ts";

const device = { insideAddr: "5", deviceID: "12345678" };

/** Value of a field in the answer of a meter with one record. */
function read(field: FieldName, code: string, data: string, resource: ResourceKey): unknown {
  const driver = mbus({
    ...{ resource, manufacturer: "MTR", version: 1, medium: 4 },
    records: [{ code, field }],
  });
  const [reading] = replay(driver.poll({ kind: "now" }, device), [
    [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
    [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, fromHex(code + data))],
  ]);
  return reading?.values[field];
}

describe("a record in the unit of its field", () => {
  // Source: SI; the calorie of the International Steam Table, 1 Gcal = 1.163 MWh = 4.1868 GJ; foot and US gallon.
  it.each<[string, string, FieldName, number, ResourceKey?]>([
    ["04 06", "e8030000", "tariff0", 1000],
    ["04 0e", "100e0000", "tariff0", 1000],
    ["04 fb00", "0a000000", "tariff0", 1000],
    ["04 06", "8b040000", "tariff1", 1, "heat"],
    ["04 0d", "8ca30000", "tariff1", 1, "heat"],
    ["04 fb0f", "05000000", "tariff1", 0.5, "heat"],
    ["04 fb02", "05000000", "tariff_reactive0", 5],
    ["04 2b", "05000000", "power_active", 0.005],
    ["04 33", "100e0000", "power_active", 1],
    ["04 2b", "f8be1100", "heat_power", 1],
    ["04 fb14", "05000000", "power_reactive", 0.005],
    ["04 fb34", "05000000", "power_apparent", 0.005],
    ["04 13", "05000000", "in1", 0.005],
    ["04 fb20", "e8030000", "in1", 28.316_847],
    ["04 fb23", "e8030000", "in1", 3.785_412],
    ["04 3b", "05000000", "Q_in", 0.005],
    ["04 47", "05000000", "Q_in", 300],
    ["04 4f", "05000000", "Q_in", 180],
    ["04 fb25", "e8030000", "Q_in", 227.124_707],
    ["04 fb26", "e8030000", "Q_in", 3.785_412],
    ["04 1b", "05000000", "M_in", 0.005],
    ["04 5b", "05000000", "T_in", 5],
    ["04 63", "05000000", "T_delta", 5],
    ["04 6b", "05000000", "pressure", 5],
    ["04 24", "100e0000", "working_time", 1],
    ["04 25", "1e000000", "working_time", 0.5],
    ["04 26", "05000000", "working_time", 5],
    ["04 27", "05000000", "working_time", 120],
    ["04 fd32", "05000000", "working_time", 5],
    ["04 fd33", "02000000", "working_time", 48],
    ["04 fd31", "02000000", "clock_offset", 120],
    ["04 fd49", "05000000", "voltage1", 5],
    ["04 fd5c", "05000000", "current1", 5],
    ["04 fb2f", "32000000", "Frequency", 50],
    ["04 fb2a", "05000000", "coruu1", 0.5],
    ["04 fb1a", "05000000", "Humidity", 0.5],
    ["04 fd71", "05000000", "rssi", 5],
    ["04 6e", "05000000", "hca", 5],
    ["04 fd17", "05000000", "status_code", 5],
  ])("%s with %s is %s %d", (code, data, field, value, resource = "electricity") => {
    expect(read(field, code, data, resource)).toBeCloseTo(value, 6);
  });

  it.each<[string, FieldName]>([
    ["04 06", "tariff_reactive0"],
    ["04 06", "power_active"],
    ["04 06", "in1"],
    ["04 13", "Q_in"],
    ["04 13", "M_in"],
    ["04 5b", "T_delta"],
    ["04 63", "T_in"],
    ["04 53", "M_in"],
    ["04 fb5b", "T_in"],
    ["04 fb04", "tariff0"],
    ["04 fd29", "working_time"],
    ["04 fd03", "status_code"],
  ])("%s is no %s", (code, field) => {
    expect(() => read(field, code, "00000000", "electricity")).toThrow(RangeError);
  });
});

describe("a unit of a record", () => {
  /** Units that only the fixed data structure has, and those that no field has now. */
  it.each<[string, UnitKey, number]>([
    ["kWh", "kWh", 1],
    ["MWh", "kWh", 1000],
    ["kJ", "GJ", 1e-6],
    ["MJ", "GJ", 1e-3],
    ["GJ", "GJ", 1],
    ["GJ", "Gcal", 1 / 4.1868],
    ["kW", "kW", 1],
    ["MW", "kW", 1000],
    ["MW", "GcalPerHour", 1 / 1.163],
    ["ml", "m3", 1e-6],
    ["l", "m3", 1e-3],
    ["ml/h", "m3PerHour", 1e-6],
    ["l/h", "m3PerHour", 1e-3],
    ["cal", "Gcal", 1e-9],
    ["varh", "kvarh", 1e-3],
    ["var", "kvar", 1e-3],
    ["VA", "kVA", 1e-3],
    ["K", "kelvin", 1],
    ["%", "percent", 1],
    ["°", "degree", 1],
  ])("%s in %s is %d", (from, to, ratio) => {
    expect(unitRatio(from, to)).toBeCloseTo(ratio, 12);
  });

  it("that is none is what the model makes of it", () => {
    expect(["", "-", "Units for H.C.A."].map((unit) => unitRatio(unit, "kWh"))).toEqual([1, 1, 1]);
    expect(unitRatio("no unit", "kWh")).toBeUndefined();
    expect(unitRatio("Wh", "none")).toBeUndefined();
  });
});
