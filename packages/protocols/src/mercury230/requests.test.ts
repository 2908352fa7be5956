import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { decodeMercury230, explainMercury } from "./decode.ts";
import { closeFrame } from "./frame.ts";
import { instants, requests, type MercuryRequest } from "./requests.ts";

const password = Uint8Array.of(1, 2, 3, 4, 5, 6);

/** Codes and lengths of answers. Source: exchange protocol of the Mercury 230 family, codes 00 to 08. */
const asked: readonly (readonly [MercuryRequest, unknown, string, number | undefined])[] = [
  [requests.test(), "test_channel", "00", 1],
  [requests.open(2, password), { code: "open_channel", level: 2 }, "0102010203040506", 1],
  [requests.close(), "close_channel", "02", 1],
  [requests.clock(), { code: "read", what: "clock" }, "0400", 8],
  [requests.journal(1, 9), { code: "read_journal", n: "01", record: 9 }, "040109", undefined],
  [requests.journal(0x1a, 0), { code: "read_journal", n: "1a", record: 0 }, "041a00", undefined],
  [requests.energy(0, 0, 0), "read_energy_sum", "050000", 16],
  [requests.energy(0, 0, 3), { code: "read_energy_since_reset", tariff: 3 }, "050003", 16],
  [requests.energy(3, 11, 2), { code: "read_energy", period: 3, month: 11, tariff: 2 }, "053b02", 16],
  [requests.energy(4, 0, 0), { code: "read_energy", period: 4, month: 0, tariff: 0 }, "054000", 16],
  [requests.energy(0, 5, 0), { code: "read_energy", period: 0, month: 5, tariff: 0 }, "050500", 16],
  [requests.energy(6, 0, 1), { code: "read_energy", period: 6, month: 0, tariff: 1 }, "056001", 12],
  [requests.memory(0x83, 0x12f0, 15), { code: "read_power_profile", n: "12f0" }, "068312f00f", 15],
  [requests.memory(3, 0x40, 15), { code: "read_power_profile", n: "0040" }, "060300400f", 15],
  [requests.serial(), "read_serial", "0800", 7],
  [requests.transformers(), "read_transformers", "0802", 4],
  [requests.firmware(), { code: "read", what: "firmware" }, "0803", 3],
  [requests.variant(), "read_variant", "0812", undefined],
  [requests.lastProfile(), "find_last_profile", "0813", 9],
  [requests.loadControl(), "read_load_control", "0818", 2],
  [requests.powerLimit(), "read_power_limit", "0819", 3],
  [requests.instant(instants.power_active), { code: "read", what: "active_power" }, "081600", 12],
  [requests.instant(instants.power_reactive), { code: "read", what: "reactive_power" }, "081604", 12],
  [requests.instant(instants.power_apparent), { code: "read", what: "apparent_power" }, "081608", 12],
  [requests.instant(instants.voltage), { code: "read", what: "voltage" }, "081611", 9],
  [requests.instant(instants.current), { code: "read", what: "current" }, "081621", 9],
  [requests.instant(instants.cos), { code: "read", what: "cos_phi" }, "081630", 12],
  [requests.instant(instants.frequency), { code: "read", what: "frequency" }, "081640", 3],
  [requests.instant(instants.angles), { code: "read", what: "angles" }, "081651", 9],
  [requests.write("restart", 0x16), "restart", "0316", 1],
];

const framed = (body: string) => closeFrame(23, fromHex(body));

/** Place, length, name and value of what stands between the address and the CRC of a request. */
const partsOf = (body: string) => {
  const { sent } = explainMercury(framed(body), new Uint8Array());
  return sent.slice(1, -1).map(({ offset, bytes, name, value }) => [offset, bytes, name, value]);
};

describe("a request", () => {
  it("is sent with its code, its step and the length of its answer", () => {
    expect(asked.map(([{ body, label, dataBytes }]) => [label, toHex(body), dataBytes])).toEqual(
      asked.map(([, ...wanted]) => wanted),
    );
  });

  it.each([
    ["00", "test the channel", "code_test_the_channel"],
    ["02", "close the channel", "code_close_the_channel"],
    ["03", "write", "code_write"],
    ["04", "read clock or journal", "code_read_clock_or_journal"],
    ["05", "read energy", "code_read_energy"],
    ["06", "read memory", "code_read_memory"],
    ["08", "read parameter", "code_read_parameter"],
    ["07", "unknown", "code_unknown"],
  ])("of code %s is to %s", (body, words, name) => {
    const code = Number.parseInt(body, 16);

    expect(decodeMercury230({ request: framed(body) })).toEqual({
      protocol: "mercury230",
      device: { address: 23 },
      readings: [{ name: "code", value: code, unit: "", function: words }],
      warnings: [],
    });
    expect(partsOf(body)).toEqual([[1, 1, name, code]]);
  });

  it("is shown with its parameters, and never with a password", () => {
    const shown = (body: string) => decodeMercury230({ request: framed(body) }).readings;

    expect(shown("050003")[1]).toEqual({ name: "parameters", value: "0003", unit: "" });
    expect(shown("0101010203040506")).toEqual([
      { name: "code", value: 1, unit: "", function: "open the channel" },
    ]);
  });

  it.each([
    ["00", "clock"],
    ["01", "journal_meter_on_and_off"],
    ["02", "journal_clock_before_and_after_correction"],
    ["03", "journal_phase_1_on_and_off"],
    ["04", "journal_phase_2_on_and_off"],
    ["05", "journal_phase_3_on_and_off"],
    ["06", "journal_power_limit_exceeded"],
    ["07", "journal_tariff_schedule_corrected"],
    ["12", "journal_cover_opened"],
    ["13", "journal_reprogrammed"],
    ["14", "journal_status_word"],
    ["17", "journal_current_of_phase_1"],
    ["18", "journal_current_of_phase_2"],
    ["19", "journal_current_of_phase_3"],
    ["1a", "journal_magnetic_field"],
    ["0b", "journal_unknown"],
  ])("for 04 %s names %s and its record", (number, name) => {
    const value = Number.parseInt(number, 16);

    expect(partsOf(`04${number}`).slice(1)).toEqual([[2, 1, name, value]]);
    expect(partsOf(`04${number}07`).slice(1)).toEqual([
      [2, 1, name, value],
      [3, 1, "record", 7],
    ]);
  });

  it.each([
    ["00", "period_since_reset"],
    ["10", "period_current_year"],
    ["20", "period_previous_year"],
    ["3b", "period_month"],
    ["40", "period_today"],
    ["50", "period_yesterday"],
    ["60", "period_since_reset_by_phase"],
    ["70", "period_unknown"],
  ])("for energy of array %s names %s and its tariff", (array, name) => {
    const value = Number.parseInt(array, 16);

    expect(partsOf(`05${array}00`).slice(1)).toEqual([
      [2, 1, name, value],
      [3, 1, "tariff_sum", 0],
    ]);
    expect(partsOf(`05${array}02`)[2]).toEqual([3, 1, "tariff", 2]);
  });

  it.each([
    ["00", "parameter_serial_number_and_date_of_manufacture"],
    ["01", "parameter_fast_parameters"],
    ["02", "parameter_transformer_ratios"],
    ["03", "parameter_firmware"],
    ["05", "parameter_address"],
    ["0b", "parameter_location"],
    ["12", "parameter_variant"],
    ["13", "parameter_last_record_of_the_power_profile"],
    ["16", "parameter_momentary_values"],
    ["18", "parameter_load_control"],
    ["19", "parameter_power_limit"],
    ["77", "parameter_unknown"],
  ])("for parameter %s names %s", (number, name) => {
    expect(partsOf(`08${number}`).slice(1)).toEqual([[2, 1, name, Number.parseInt(number, 16)]]);
  });

  it.each([
    ["00", "quantity_active_power"],
    ["04", "quantity_reactive_power"],
    ["08", "quantity_apparent_power"],
    ["11", "quantity_voltage"],
    ["21", "quantity_current"],
    ["30", "quantity_cos_phi"],
    ["40", "quantity_frequency"],
    ["51", "quantity_angle"],
    ["99", "quantity_unknown"],
  ])("for momentary value %s names %s", (bwri, name) => {
    expect(partsOf(`0816${bwri}`)[2]).toEqual([3, 1, name, Number.parseInt(bwri, 16)]);
  });

  it.each<[string, readonly unknown[]]>([
    [
      "0603123410",
      [
        [2, 1, "memory_bank", 3],
        [3, 2, "memory_address", 0x1234],
        [5, 1, "bytes_wanted", 0x10],
      ],
    ],
    [
      "030c 00 10 00 07 22 11 26 01",
      [
        [2, 1, "write_clock", 0x0c],
        [3, 8, "clock", { local: "2026-11-22T00:10:00", season: "winter" }],
      ],
    ],
    [
      "030c 00 10 00 07 22 11 26 00",
      [
        [2, 1, "write_clock", 0x0c],
        [3, 8, "clock", { local: "2026-11-22T00:10:00", season: "summer" }],
      ],
    ],
    [
      "030d 40 20 06",
      [
        [2, 1, "write_clock_correction", 0x0d],
        [3, 3, "time_of_day", "06:20:40"],
      ],
    ],
    ["0316", [[2, 1, "write_restart", 0x16]]],
    [
      "032c 0b b0 71",
      [
        [2, 1, "write_power_limit", 0x2c],
        [3, 3, { code: "power_limit", unit: "W" }, 7500],
      ],
    ],
    [
      "032d 01",
      [
        [2, 1, "write_power_limit_control", 0x2d],
        [3, 1, "status", { word: "state_on" }],
      ],
    ],
    [
      "0331 00",
      [
        [2, 1, "write_load", 0x31],
        [3, 1, "status", { word: "state_off" }],
      ],
    ],
    [
      "0377 01 02",
      [
        [2, 1, "what_is_written", 0x77],
        [3, 2, "parameters", "0102"],
      ],
    ],
  ])("%s is named to the byte", (body, parts) => {
    expect(partsOf(body).slice(1)).toEqual(parts);
  });

  it.each<[string, readonly unknown[]]>([
    ["0500", [[2, 1, "parameters", "00"]]],
    ["05000000", [[2, 3, "parameters", "000000"]]],
    ["060300", [[2, 2, "parameters", "0300"]]],
    ["0603123410ff", [[2, 5, "parameters", "03123410ff"]]],
    ["0101", [[2, 1, "parameters", "01"]]],
    [
      "0377 01",
      [
        [2, 1, "what_is_written", 0x77],
        [3, 1, "parameters", "01"],
      ],
    ],
    ["0201", [[2, 1, "parameters", "01"]]],
    [
      "030c ff 10 00 07 22 11 26 01",
      [
        [2, 1, "write_clock", 0x0c],
        [3, 8, "parameters", "ff10000722112601"],
      ],
    ],
    [
      "030d 40 20",
      [
        [2, 1, "write_clock_correction", 0x0d],
        [3, 2, "parameters", "4020"],
      ],
    ],
    [
      "032c 0b b0",
      [
        [2, 1, "write_power_limit", 0x2c],
        [3, 2, "parameters", "0bb0"],
      ],
    ],
    [
      "0331 00 00",
      [
        [2, 1, "write_load", 0x31],
        [3, 2, "parameters", "0000"],
      ],
    ],
    [
      "0803 05",
      [
        [2, 1, "parameter_firmware", 3],
        [3, 1, "parameters", "05"],
      ],
    ],
  ])("%s that is not whole is named as far as it can be", (body, parts) => {
    expect(partsOf(body).slice(1)).toEqual(parts);
  });

  it("to open shows its level, unless it may be a part of a masked password", () => {
    expect(partsOf("0102010203040506")).toEqual([
      [1, 1, "code_open_the_channel", 1],
      [2, 1, "level", 2],
      [3, 6, "password", null],
    ]);
    expect(partsOf("010203")).toEqual([
      [1, 1, "code_open_the_channel", 1],
      [2, 1, "level", 2],
      [3, 1, "password", null],
    ]);
    expect(partsOf("012a2a2a2a2a2a2a")[1]).toEqual([2, 1, "level", null]);
    expect(partsOf("2a2a2a2a2a2a2a")[0]).toEqual([1, 1, "code_unknown", 0x2a]);
  });
});
