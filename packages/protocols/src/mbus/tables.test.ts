import type { TraceCode } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { fromHex, type Span } from "../core/bytes.ts";
import { codeOf } from "../core/spans.ts";
import { decodeRecords } from "./records.ts";

/** The first record of a list, and the name that its data has in the trace. */
function first(hex: string) {
  const trace: Span[] = [];
  const [record] = decodeRecords(fromHex(hex), { trace }).records;
  const name = trace.at(-1)?.name ?? "data";
  return { ...record, code: codeOf(name), tracedUnit: typeof name === "string" ? undefined : name.unit };
}

/** What 1 means with this code and the next ones, each ten times the one before. */
const tens = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => Number(`1e${String(from + n)}`));
const upToDays = [1, 60, 3600, 86_400];
const one = [1];

/** Lead-in and first code, and what 1 is in it and in the following codes. */
type Row = readonly [codes: string, quantity: string, code: TraceCode, unit: string, values: number[]];

/** Source: EN 13757-3:2018, table 10. */
const primary: readonly Row[] = [
  ["00", "Energy", "energy", "Wh", tens(-3, 8)],
  ["08", "Energy", "energy", "J", tens(0, 8)],
  ["10", "Volume", "volume", "m^3", tens(-6, 8)],
  ["18", "Mass", "mass", "kg", tens(-3, 8)],
  ["20", "On time", "on_time", "s", upToDays],
  ["24", "Operating time", "operating_time", "s", upToDays],
  ["28", "Power", "power", "W", tens(-3, 8)],
  ["30", "Power", "power", "J/h", tens(0, 8)],
  ["38", "Volume flow", "volume_flow", "m^3/h", tens(-6, 8)],
  ["40", "Volume flow", "volume_flow", "m^3/min", tens(-7, 8)],
  ["48", "Volume flow", "volume_flow", "m^3/s", tens(-9, 8)],
  ["50", "Mass flow", "mass_flow", "kg/h", tens(-3, 8)],
  ["58", "Flow temperature", "flow_temperature", "°C", tens(-3, 4)],
  ["5c", "Return temperature", "return_temperature", "°C", tens(-3, 4)],
  ["60", "Temperature difference", "temperature_difference", "K", tens(-3, 4)],
  ["64", "External temperature", "external_temperature", "°C", tens(-3, 4)],
  ["68", "Pressure", "pressure", "bar", tens(-3, 4)],
  ["6e", "H.C.A.", "heat_cost_allocation", "Units for H.C.A.", one],
  ["70", "Averaging Duration", "averaging_duration", "s", upToDays],
  ["74", "Actuality Duration", "age_of_value", "s", upToDays],
  ["78", "Fabrication No", "fabrication_number", "", one],
  ["79", "(Enhanced) Identification", "enhanced_identification", "", one],
  ["7a", "Bus Address", "bus_address", "", one],
  ["7e", "Any VIF", "any_vif", "", one],
  ["7f", "Manufacturer specific", "manufacturer_specific", "", one],
];

/** Behind FB. Source: EN 13757-3:2018, table 14, and the 2004 edition for degrees Fahrenheit. */
const larger: readonly Row[] = [
  ["fb00", "Energy", "energy", "Wh", tens(5, 2)],
  ["fb02", "Reactive energy", "reactive_energy", "varh", tens(3, 2)],
  ["fb04", "Apparent energy", "apparent_energy", "VAh", tens(3, 2)],
  ["fb08", "Energy", "energy", "J", tens(8, 2)],
  ["fb0c", "Energy", "energy", "cal", tens(5, 4)],
  ["fb10", "Volume", "volume", "m^3", tens(2, 2)],
  ["fb14", "Reactive power", "reactive_power", "var", tens(0, 4)],
  ["fb18", "Mass", "mass", "kg", tens(5, 2)],
  ["fb1a", "Relative humidity", "relative_humidity", "%", tens(-1, 2)],
  ["fb20", "Volume", "volume", "ft^3", one],
  ["fb21", "Volume", "volume", "ft^3", [0.1]],
  ["fb22", "Volume", "volume", "gal", tens(-1, 2)],
  ["fb24", "Volume flow", "volume_flow", "gal/min", [0.001]],
  ["fb25", "Volume flow", "volume_flow", "gal/min", one],
  ["fb26", "Volume flow", "volume_flow", "gal/h", one],
  ["fb28", "Power", "power", "W", tens(5, 2)],
  ["fb2a", "Phase U-U", "phase_voltage_angle", "°", [0.1]],
  ["fb2b", "Phase U-I", "phase_current_angle", "°", [0.1]],
  ["fb2c", "Frequency", "frequency", "Hz", tens(-3, 4)],
  ["fb30", "Power", "power", "J/h", tens(8, 2)],
  ["fb34", "Apparent power", "apparent_power", "VA", tens(0, 4)],
  ["fb58", "Flow temperature", "flow_temperature", "°F", tens(-3, 4)],
  ["fb5c", "Return temperature", "return_temperature", "°F", tens(-3, 4)],
  ["fb60", "Temperature difference", "temperature_difference", "°F", tens(-3, 4)],
  ["fb64", "External temperature", "external_temperature", "°F", tens(-3, 4)],
  ["fb70", "Temperature limit", "temperature_limit", "°F", tens(-3, 4)],
  ["fb74", "Temperature limit", "temperature_limit", "°C", tens(-3, 4)],
  ["fb78", "Cumulative maximum power", "maximum_power", "W", tens(-3, 8)],
];

/** Behind FD. Source: EN 13757-3:2018, table 12. */
const device: readonly Row[] = [
  ["fd00", "Credit", "credit", "currency", tens(-3, 4)],
  ["fd04", "Debit", "debit", "currency", tens(-3, 4)],
  ["fd08", "Access Number", "access_number", "", one],
  ["fd09", "Medium", "medium", "", one],
  ["fd0a", "Manufacturer", "manufacturer", "", one],
  ["fd0b", "Parameter set identification", "parameter_set", "", one],
  ["fd0c", "Model / Version", "model_version", "", one],
  ["fd0d", "Hardware version", "hardware_version", "", one],
  ["fd0e", "Firmware version", "firmware_version", "", one],
  ["fd0f", "Software version", "software_version", "", one],
  ["fd10", "Customer location", "customer_location", "", one],
  ["fd11", "Customer", "customer", "", one],
  ["fd12", "Access code user", "access_code_user", "", one],
  ["fd13", "Access code operator", "access_code_operator", "", one],
  ["fd14", "Access code system operator", "access_code_system", "", one],
  ["fd15", "Access code developer", "access_code_developer", "", one],
  ["fd16", "Password", "password_value", "", one],
  ["fd17", "Error flags", "error_flags", "", one],
  ["fd18", "Error mask", "error_mask", "", one],
  ["fd19", "Security key", "security_key", "", one],
  ["fd1a", "Digital Output", "digital_output", "", one],
  ["fd1b", "Digital Input", "digital_input", "", one],
  ["fd1c", "Baud rate", "baud_rate", "", one],
  ["fd1d", "Response delay time", "response_delay", "", one],
  ["fd1e", "Retry", "retry", "", one],
  ["fd1f", "Remote control", "remote_control", "", one],
  ["fd20", "First storage number", "first_storage", "", one],
  ["fd21", "Last storage number", "last_storage", "", one],
  ["fd22", "Size of storage block", "storage_block_size", "", one],
  ["fd23", "Tariff and subunit descriptor", "tariff_descriptor", "", one],
  ["fd24", "Storage interval", "storage_interval", "s", upToDays],
  ["fd28", "Storage interval", "storage_interval", "month", one],
  ["fd29", "Storage interval", "storage_interval", "year", one],
  ["fd2a", "Operator specific data", "operator_data", "", one],
  ["fd2b", "Time point second", "time_point_second", "", one],
  ["fd2c", "Duration since last readout", "since_readout", "s", upToDays],
  ["fd31", "Duration of tariff", "duration_of_tariff", "min", one],
  ["fd32", "Duration of tariff", "duration_of_tariff", "h", one],
  ["fd33", "Duration of tariff", "duration_of_tariff", "d", one],
  ["fd34", "Period of tariff", "period_of_tariff", "s", upToDays],
  ["fd38", "Period of tariff", "period_of_tariff", "month", one],
  ["fd39", "Period of tariff", "period_of_tariff", "year", one],
  ["fd3a", "Dimensionless", "dimensionless", "", one],
  ["fd3b", "Wireless container", "wireless_container", "", one],
  ["fd3c", "Period of transmission", "period_of_transmission", "s", upToDays],
  ["fd40", "Voltage", "voltage", "V", tens(-9, 16)],
  ["fd50", "Current", "current", "A", tens(-12, 16)],
  ["fd60", "Reset counter", "reset_counter", "", one],
  ["fd61", "Cumulation counter", "cumulation_counter", "", one],
  ["fd62", "Control signal", "control_signal", "", one],
  ["fd63", "Day of week", "day_of_week", "", one],
  ["fd64", "Week number", "week_number", "", one],
  ["fd65", "Time point of day change", "day_change", "", one],
  ["fd66", "State of parameter activation", "parameter_activation", "", one],
  ["fd67", "Special supplier information", "supplier_information", "", one],
  ["fd68", "Duration since last cumulation", "since_cumulation", "s", [3600, 86_400]],
  ["fd6a", "Duration since last cumulation", "since_cumulation", "month", one],
  ["fd6b", "Duration since last cumulation", "since_cumulation", "year", one],
  ["fd6c", "Operating time of battery", "battery_operating_time", "s", [3600, 86_400]],
  ["fd6e", "Operating time of battery", "battery_operating_time", "month", one],
  ["fd6f", "Operating time of battery", "battery_operating_time", "year", one],
  ["fd71", "RF level", "radio_level", "dBm", one],
  ["fd72", "Daylight saving", "daylight_saving", "", one],
  ["fd73", "Listening window management", "listening_window", "", one],
  ["fd74", "Remaining battery life", "battery_life", "d", one],
  ["fd75", "Times the meter was stopped", "times_stopped", "", one],
  ["fd76", "Manufacturer data container", "makers_container", "", one],
];

describe("a value information field", () => {
  it.each([...primary, ...larger, ...device])("%s is %s, %s in the trace, in %s", (...row) => {
    const [codes, quantity, code, unit, values] = row;
    const [lead, start] = [codes.slice(0, -2), Number.parseInt(codes.slice(-2), 16)];

    values.forEach((value, n) => {
      const found = first(`01 ${lead}${(start + n).toString(16).padStart(2, "0")} 01`);
      expect(found, `${codes} + ${String(n)}`).toMatchObject({ quantity, code, unit, value });
      expect(found.tracedUnit).toBe(unit === "" ? undefined : unit);
    });
  });

  it.each([
    ["6c", "Time point (date)", "time_point_date", "02", "7d3b", "2027-11-29"],
    ["6d", "Time point (date & time)", "time_point", "04", "2f0b7d3b", "2027-11-29T11:47:00Z"],
    ["fd30", "Start of tariff", "start_of_tariff", "04", "2f0b7d3b", "2027-11-29T11:47:00Z"],
    ["fd70", "Battery change", "battery_change", "04", "2f0b7d3b", "2027-11-29T11:47:00Z"],
  ])("%s is %s, %s in the trace, and no number", (vif, quantity, code, dif, data, value) => {
    const found = first(dif + vif + data);

    expect(found).toMatchObject({ quantity, code, unit: "-", value });
    expect(found.tracedUnit).toBeUndefined();
  });

  it.each([
    ...["6f", "7b", "7d", "fb06", "fb07", "fb0a", "fb12", "fb13", "fb1c", "fb1f", "fb27"],
    ...["fb32", "fb33", "fb38", "fb57", "fb68", "fb6f", "fd77", "fd7b", "fd7f"],
  ])("%s is reserved", (vif) => {
    expect(first(`01 ${vif} 01`)).toMatchObject({
      quantity: "Reserved",
      code: "reserved",
      unit: "Reserved",
      // Without a second byte the code itself is invalid.
      value: vif.length === 2 ? null : 1,
    });
  });

  it("is a number with a sign, but for bits", () => {
    const minus = (vif: string) => first(`01 ${vif} ff`).value;

    expect(["fd08", "fd17", "fd18", "fd1a", "fd1b", "fd1f"].map(minus)).toEqual(new Array(6).fill(255));
    expect(["fd09", "fd16", "fd19", "fd1c", "fd1e", "fd20", "fd3a"].map(minus)).toEqual(
      new Array(7).fill(-1),
    );
  });

  it("with a text of its own is that text, which the trace repeats", () => {
    expect(first("01 7c 03 485225 05")).toMatchObject({ quantity: "%RH", unit: "-", value: 5 });
    expect(first("01 fc 03 485225 74 05")).toMatchObject({ quantity: "%RH", value: 0.05, code: "verbatim" });
  });
});

/** Words of a code behind VIF 13 (litres), and what 5 is then. Source: EN 13757-3:2018, table 15. */
const words: readonly (readonly [code: number, word: string])[] = [
  [0x12, "average"],
  [0x13, "inverse compact profile"],
  [0x14, "relative deviation"],
  [0x1d, "standard conform data"],
  [0x1e, "compact profile with registers"],
  [0x1f, "compact profile"],
  [0x20, "per s"],
  [0x21, "per min"],
  [0x22, "per h"],
  [0x23, "per d"],
  [0x24, "per week"],
  [0x25, "per month"],
  [0x26, "per year"],
  [0x27, "per measurement"],
  [0x28, "per input pulse 0"],
  [0x29, "per input pulse 1"],
  [0x2a, "per output pulse 0"],
  [0x2b, "per output pulse 1"],
  [0x2c, "per l"],
  [0x2d, "per m^3"],
  [0x2e, "per kg"],
  [0x2f, "per K"],
  [0x30, "per kWh"],
  [0x31, "per GJ"],
  [0x32, "per kW"],
  [0x33, "per (K l)"],
  [0x34, "per V"],
  [0x35, "per A"],
  [0x36, "times s"],
  [0x37, "times s/V"],
  [0x38, "times s/A"],
  [0x3a, "uncorrected"],
  [0x3b, "forward"],
  [0x3c, "backward"],
  [0x3d, "non-metric"],
  [0x3e, "at base conditions"],
  [0x3f, "OBIS declaration"],
  [0x40, "lower limit"],
  [0x48, "upper limit"],
  [0x68, "during lower limit exceed"],
  [0x69, "leakage"],
  [0x6c, "during upper limit exceed"],
  [0x6d, "overflow"],
  [0x7e, "future"],
  [0x08, "reserved 8"],
  [0x11, "reserved 11"],
  [0x44, "reserved 44"],
  [0x45, "reserved 45"],
  [0x4d, "reserved 4d"],
];

/** Reasons for a missing value, of the same table. */
const errors: readonly (readonly [code: number, word: string])[] = [
  [0x01, "too many DIFE"],
  [0x02, "storage number not implemented"],
  [0x03, "subunit not implemented"],
  [0x04, "tariff not implemented"],
  [0x05, "function not implemented"],
  [0x06, "data class not implemented"],
  [0x07, "data size not implemented"],
  [0x0b, "too many VIFE"],
  [0x0c, "illegal VIF group"],
  [0x0d, "illegal VIF exponent"],
  [0x0e, "VIF and DIF do not match"],
  [0x0f, "unimplemented action"],
  [0x15, "no data available"],
  [0x16, "data overflow"],
  [0x17, "data underflow"],
  [0x18, "data error"],
  [0x1c, "premature end of record"],
];

/** Codes whose data is a time. */
const moments: readonly (readonly [code: number, word: string])[] = [
  [0x39, "start of"],
  [0x42, "begin of first lower limit exceed"],
  [0x43, "end of first lower limit exceed"],
  [0x46, "begin of last lower limit exceed"],
  [0x47, "end of last lower limit exceed"],
  [0x4a, "begin of first upper limit exceed"],
  [0x4b, "end of first upper limit exceed"],
  [0x4e, "begin of last upper limit exceed"],
  [0x4f, "end of last upper limit exceed"],
  [0x6a, "begin of first occurrence"],
  [0x6b, "end of first occurrence"],
  [0x6e, "begin of last occurrence"],
  [0x6f, "end of last occurrence"],
];

/** First of four codes: seconds, minutes, hours, days. */
const durations: readonly (readonly [code: number, word: string])[] = [
  [0x50, "duration of first lower limit exceed"],
  [0x54, "duration of last lower limit exceed"],
  [0x58, "duration of first upper limit exceed"],
  [0x5c, "duration of last upper limit exceed"],
  [0x60, "duration of first occurrence"],
  [0x64, "duration of last occurrence"],
];

/** Codes behind FC. Source: EN 13757-3:2018, table 16. */
const extended: readonly (readonly [code: number, word: string])[] = [
  [0x01, "phase L1"],
  [0x02, "phase L2"],
  [0x03, "phase L3"],
  [0x04, "neutral"],
  [0x05, "between L1 and L2"],
  [0x06, "between L2 and L3"],
  [0x07, "between L3 and L1"],
  [0x08, "quadrant 1"],
  [0x09, "quadrant 2"],
  [0x0a, "quadrant 3"],
  [0x0b, "quadrant 4"],
  [0x0c, "import less export"],
  [0x10, "absolute value of both directions"],
  [0x11, "type C"],
  [0x12, "type D"],
  [0x13, "to the meter"],
  [0x14, "from the meter"],
  [0x15, "reserved fc 15"],
];

const hex = (code: number): string => code.toString(16).padStart(2, "0");

describe("a code behind the value information field", () => {
  it.each(words)("%i says of the value: %s", (code, word) => {
    expect(first(`01 93${hex(code)} 05`)).toMatchObject({ modifiers: [word], unit: "m^3", value: 0.005 });
  });

  it.each(errors)("%i says why the value is missing: %s", (code, error) => {
    expect(first(`01 93${hex(code)} 05`)).toMatchObject({ modifiers: [], error, value: null });
  });

  it.each(moments)("%i makes a time of it: %s", (code, word) => {
    expect(first(`04 93${hex(code)} 2f0b7d3b`)).toMatchObject({
      modifiers: [word],
      unit: "-",
      value: "2027-11-29T11:47:00Z",
    });
  });

  it.each(durations)("%i makes a duration of it: %s", (code, word) => {
    upToDays.forEach((value, n) =>
      expect(first(`01 93${hex(code + n)} 01`)).toMatchObject({ modifiers: [word], unit: "s", value }),
    );
  });

  it.each([
    [0x41, "exceeds of lower limit"],
    [0x49, "exceeds of upper limit"],
  ])("%i makes a count of it: %s", (code, word) => {
    expect(first(`01 93${hex(code)} 05`)).toMatchObject({ modifiers: [word], unit: "", value: 5 });
  });

  it.each(extended)("fc%i says of the value: %s", (code, word) => {
    expect(first(`01 93fc${hex(code)} 05`)).toMatchObject({ modifiers: [word], value: 0.005 });
  });

  it("shifts the value by powers of ten, from a millionth to ten, or by a thousand", () => {
    const shifted = (code: number) => first(`01 96${hex(code)} 05`).value;

    expect([0x70, 0x73, 0x76, 0x77].map(shifted)).toEqual([5e-6, 5e-3, 5, 50]);
    expect(shifted(0x7d)).toBe(5000);
    expect(shifted(0x00)).toBe(5);
  });

  it("adds to the value a power of ten of its unit, from a thousandth to one", () => {
    const added = (code: number) => first(`01 96${hex(code)} 05`).value;

    expect([0x78, 0x79, 0x7a, 0x7b].map(added)).toEqual([5.001, 5.01, 5.1, 6]);
    expect(first("01 93f77b 05").value).toBeCloseTo(0.06, 12);
  });

  it("of the maker makes all behind it the maker's, and other codes stand in their order", () => {
    expect(first("01 93bbff8105 05").modifiers).toEqual(["forward", "maker 81", "maker 05"]);
    expect(first("01 93bbfc8122 05").modifiers).toEqual(["forward", "phase L1", "per h"]);
    expect(first("01 937c 05").modifiers).toEqual(["reserved 7c"]);
  });
});
