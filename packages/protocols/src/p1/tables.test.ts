import { fields, type FieldName } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { bytesOf, textOf } from "../iec62056-21/text.ts";
import { channelsOf } from "./channels.ts";
import { decodeP1 } from "./decode.ts";
import { p1 } from "./driver.ts";
import { p1Stream } from "./stream.ts";
import { encodeTelegram, maxTelegramBytes, parseTelegram } from "./telegram.ts";

const device = { insideAddr: "", deviceID: "E0047", impulseWeight: 1, startingValue: 0 };
const telegram = (...lines: string[]) => encodeTelegram("ISK5\\2M550T", lines);
const read = (...lines: string[]) => p1().decode(telegram(...lines), 1, device);

/** Lines of medium 1 with the unit that meters write. Source: DSMR P1 companion standard 5.0.2, 6.12; SE and LU for 3.x, 4.x. */
const lines: readonly (readonly [code: string, unit: string, field: FieldName])[] = [
  ["1.8.0", "kWh", "tariff0"],
  ["1.8.1", "kWh", "tariff1"],
  ["1.8.2", "kWh", "tariff2"],
  ["1.8.3", "kWh", "tariff3"],
  ["1.8.4", "kWh", "tariff4"],
  ["2.8.0", "kWh", "tariff_negative0"],
  ["2.8.1", "kWh", "tariff_negative1"],
  ["2.8.4", "kWh", "tariff_negative4"],
  ["3.8.0", "kvarh", "tariff_reactive0"],
  ["3.8.1", "kvarh", "tariff_reactive1"],
  ["3.8.4", "kvarh", "tariff_reactive4"],
  ["4.8.0", "kvarh", "tariff_reactive_negative0"],
  ["4.8.1", "kvarh", "tariff_reactive_negative1"],
  ["4.8.4", "kvarh", "tariff_reactive_negative4"],
  ["1.7.0", "kW", "power_active"],
  ["3.7.0", "kvar", "power_reactive"],
  ["9.7.0", "kVA", "power_apparent"],
  ["21.7.0", "kW", "power_active1"],
  ["41.7.0", "kW", "power_active2"],
  ["61.7.0", "kW", "power_active3"],
  ["23.7.0", "kvar", "power_reactive1"],
  ["43.7.0", "kvar", "power_reactive2"],
  ["63.7.0", "kvar", "power_reactive3"],
  ["32.7.0", "V", "voltage1"],
  ["52.7.0", "V", "voltage2"],
  ["72.7.0", "V", "voltage3"],
  ["31.7.0", "A", "current1"],
  ["51.7.0", "A", "current2"],
  ["71.7.0", "A", "current3"],
  ["14.7.0", "Hz", "Frequency"],
];
const others: readonly (readonly [code: string, unit: string, field: FieldName])[] = [
  ["2.7.0", "kW", "power_active"],
  ["4.7.0", "kvar", "power_reactive"],
  ["22.7.0", "kW", "power_active1"],
  ["42.7.0", "kW", "power_active2"],
  ["62.7.0", "kW", "power_active3"],
  ["24.7.0", "kvar", "power_reactive1"],
  ["44.7.0", "kvar", "power_reactive2"],
  ["64.7.0", "kvar", "power_reactive3"],
];

describe("a line of a P1 telegram", () => {
  it.each(lines)("%s in %s is %s, counters apart from states", (code, unit, field) => {
    const [reading] = read(`1-0:${code}(003.5*${unit})`);

    expect(reading?.values[field]).toBe(3.5);
    expect(reading?.msgType).toBe(fields[field].kind === "counter" ? 1 : 2);
  });

  it.each(others)("%s in %s counts against %s", (code, unit, field) => {
    expect(read(`1-0:${code}(003.5*${unit})`)[0]?.values[field]).toBe(-3.5);
  });

  it.each([
    ["13.7.0", "cos0"],
    ["33.7.0", "cos1"],
    ["53.7.0", "cos2"],
    ["73.7.0", "cos3"],
  ] as const)("%s without a unit is %s", (code, field) => {
    expect(read(`1-0:${code}(0.97)`)[0]?.values[field]).toBe(0.97);
  });

  it("of another medium, of a billing period or for the second time gives nothing", () => {
    const [counters] = read(
      "1-0:1.8.0(5*kWh)",
      "1-0:1.8.0(6*kWh)",
      "0-0:1.8.1(7*kWh)",
      "1-0:1.8.2*01(8*kWh)",
    );

    expect(counters?.values).toEqual({ tariff0: 5 });
  });

  it("makes the total unknown if one of the tariffs is, and not if one is absent", () => {
    expect(read("1-0:2.8.1(5*kWh)", "1-0:2.8.2()")[0]?.values).toMatchObject({ tariff_negative0: null });
    expect(read("1-0:2.8.1()", "1-0:2.8.2(5*kWh)")[0]?.values).toMatchObject({ tariff_negative0: null });
    expect(read("1-0:3.8.1(5*kvarh)")[0]?.values).toMatchObject({ tariff_reactive0: 5 });
    expect(read("1-0:4.8.2(5*kvarh)")[0]?.values).toMatchObject({ tariff_reactive_negative0: 5 });
  });

  it("has the time of the line 0-0:1.0.0 and of no other medium; without it, none", () => {
    const own = read("1-0:1.0.0(200101000000W)", "0-0:1.0.0(200426223325S)", "1-0:1.8.0(1*kWh)");
    const bare = read("1.0.0(200426223325S)", "1-0:1.8.0(1*kWh)");

    expect(own[0]?.at).toBe(Date.UTC(2020, 3, 26, 20, 33, 25) / 1000);
    expect(bare[0]?.at).toBe(Date.UTC(2020, 3, 26, 20, 33, 25) / 1000);
    expect(read("1-0:1.0.0(200101000000W)", "1-0:1.8.0(1*kWh)")[0]).not.toHaveProperty("meterAt");
    expect(read("0-0:1.0.0()", "1-0:1.8.0(1*kWh)")[0]?.at).toBeNull();
  });
});

describe("a meter on an M-Bus channel", () => {
  const channel = (type: string, ...more: string[]) =>
    telegram(`0-1:24.1.0(${type})`, `0-1:24.2.1(260115110000W)(${more.join("")})`);
  const first = (reads: "gas" | "heat" | "water", bytes: Uint8Array) =>
    p1({ reads }).decode(bytes, 1, device)[0]?.values;

  it.each([
    ["gas", "003", "7.5*m3", { in1: 7.5 }],
    ["water", "006", "7.5*m3", { in1: 7.5 }],
    ["water", "007", "7.5*m3", { in1: 7.5 }],
    ["heat", "004", "4.1868*GJ", { tariff1: 1 }],
    ["heat", "010", "4.1868*GJ", { tariff1: 1 }],
    ["heat", "011", "4.1868*GJ", { tariff1: 1 }],
    ["heat", "012", "4.1868*GJ", { tariff1: 1 }],
    ["heat", "013", "4.1868*GJ", { tariff1: 1 }],
  ] as const)("of %s has type %s", (reads, type, value, expected) => {
    expect(first(reads, channel(type, value))).toEqual(expected);
    expect(refusalOf(() => first(reads, channel("002", value)))).toEqual({
      kind: "unexpected",
      offset: undefined,
    });
  });

  it("is the first one that has been read; none of its value or unit is taken for granted", () => {
    const lines = ["0-1:24.1.0(003)", "0-1:24.2.1(260115110000W)()", "0-2:24.1.0(003)"];

    expect(first("gas", telegram(...lines, "0-2:24.2.1(260115110000W)(3*m3)"))).toEqual({ in1: 3 });
    expect(first("gas", telegram(...lines))).toBeUndefined();
    expect(refusalOf(() => first("gas", channel("003", "3*GJ")))).toEqual({
      kind: "unexpected",
      offset: undefined,
    });
    expect(first("gas", telegram("0-0:24.1.0(003)", "0-1:24.1.0(003)"))).toBeUndefined();
  });
});

describe("a telegram", () => {
  const head = "/ISK5\\2M550T\r\n\r\n";
  const filled = (bytes: number) =>
    bytesOf(
      `${head}0-0:96.13.0(${"x".repeat(bytes - head.length - "0-0:96.13.0()\r\n!\r\n".length)})\r\n!\r\n`,
    );

  it("is refused where it goes wrong", () => {
    expect(refusalOf(() => parseTelegram(bytesOf("noise")))).toEqual({ kind: "unexpected", offset: 0 });
    expect(refusalOf(() => parseTelegram(bytesOf("xx/ISK")))).toEqual({ kind: "unexpected", offset: 6 });
    expect(refusalOf(() => decodeP1(bytesOf("1-0:1.8.0(1*kWh)\r\nnoise(1)")))).toEqual({
      kind: "unexpected",
      offset: 0,
    });
    const bad = telegram("1-0:1.8.0(1*kWh)").map((byte, at, all) =>
      at === all.length - 3 ? byte ^ 1 : byte,
    );
    expect(refusalOf(() => decodeP1(bad))).toEqual({ kind: "checksum", offset: bad.length });
  });

  it("may have 8192 bytes from its slash on, and not one more", () => {
    const noise = bytesOf("noise\n");
    const after = (bytes: Uint8Array) => Uint8Array.from([...noise, ...bytes]);

    expect(filled(maxTelegramBytes)).toHaveLength(8192);
    expect(parseTelegram(after(filled(maxTelegramBytes))).length).toBe(noise.length + 8192);
    expect(refusalOf(() => parseTelegram(after(filled(maxTelegramBytes + 1))))).toEqual({
      kind: "unexpected",
      offset: noise.length + 8192,
    });
  });

  it("without a line has its identification; lines without a telegram have none", () => {
    expect(decodeP1(bytesOf("/ISK5\\2M550T\r\n!\r\n")).device).toEqual({ identification: "ISK5\\2M550T" });
    const bare = decodeP1(bytesOf("1-0:1.8.0(1*kWh)\r\n"));
    expect([bare.device, bare.warnings]).toEqual([{}, ["no checksum"]]);
    expect(decodeP1(Uint8Array.from([...telegram(), 10, 10])).warnings).toEqual([
      "bytes behind the telegram",
    ]);
  });

  it("of the simulator has every field in its line and width, and reads back", () => {
    const written = lines
      .map(([, , field]) => field)
      .filter((field) => !/cos|Frequency|apparent|power_reactive\d/.test(field));
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 30, maxLength: 30 }),
        fc.boolean(),
        (numbers, isExport) => {
          const values = new Map<string, number>(
            written.map((field, at) => {
              const number = (numbers[at] ?? 0) / 10;
              return [field, isExport && field.startsWith("power") ? -number : number] as const;
            }),
          );
          const meter = p1({ fields: written });
          const { payload } = meter.encode(device, (field) => values.get(field) ?? 0, 1_795_251_600);

          const readings = meter.decode(payload, 1, device);

          const shown = Object.assign({}, ...readings.map((each) => each.values)) as object;
          expect(shown).toMatchObject(Object.fromEntries([...values].map(([name, n]) => [name, n + 0 || 0])));
        },
      ),
      { numRuns: 40 },
    );
    const { payload } = p1({ fields: ["tariff1", "voltage1", "current1", "power_active"] }).encode(
      device,
      (field) => (field === "power_active" ? -1.5 : 2.25),
      1_795_251_600,
    );
    expect(textOf(payload)).toMatch(
      /^\/MTR5\\2SIM-1\r\n\r\n1-3:0\.2\.8\(50\)\r\n0-0:1\.0\.0\(261121\d{6}W\)\r\n0-0:96\.1\.1\(4530303437\)\r\n/,
    );
    expect(textOf(payload)).toContain(
      "1-0:1.8.1(000002.250*kWh)\r\n1-0:32.7.0(002.3*V)\r\n1-0:31.7.0(002.25*A)",
    );
    expect(textOf(payload)).toContain("1-0:1.7.0(00.000*kW)\r\n1-0:2.7.0(01.500*kW)\r\n0-0:96.13.0()");
  });
});

describe("a stream", () => {
  const one = telegram("1-0:1.8.0(1*kWh)");

  it("keeps a telegram as long as its limit, and drops one that is longer", () => {
    const part = one.subarray(0, one.length - 3);
    const exact = p1Stream(part.length);
    exact.push(part);
    const less = p1Stream(part.length - 1);
    less.push(part);

    expect([exact.dropped, less.dropped]).toEqual([0, part.length]);
    expect(exact.push(one.subarray(one.length - 3))).toEqual([one]);
  });

  it("drops what was cut off to the byte, also in front of a whole telegram of the same read", () => {
    const stream = p1Stream();
    const cut = Uint8Array.from([...one.subarray(0, 25), 10]);

    expect(stream.push(Uint8Array.from([...cut, ...one, ...one]))).toEqual([one, one]);
    expect(stream.dropped).toBe(cut.length);
  });
});

describe("channels", () => {
  const channelsIn = (...given: string[]) => channelsOf(parseTelegram(telegram(...given)).lines, 60);
  const at = Date.UTC(2026, 0, 15, 10) / 1000;

  it("are those from 1 to 9, by number, with what their lines say", () => {
    const found = channelsIn(
      "0-9:24.1.0(007)",
      "0-0:24.1.0(003)",
      "1-2:24.1.0(003)",
      "0-2:24.1.0(003)",
      "0-2:96.1.1(4B)",
      "0-2:24.2.3(260115110000W)(3.5*m3)",
      "0-2:17.0.0(1)",
      "0-1:96.1.0(4A)",
      "0-1:24.2.1(260115110000W)(4*GJ)",
      "0-3:17.0.0(1)",
    );

    expect(found).toEqual([
      { channel: 1, type: null, id: "4A", value: 4, unit: "GJ", at },
      { channel: 2, type: 3, id: "4B", value: 3.5, unit: "m3", at },
      { channel: 9, type: 7, id: null, value: null, unit: "", at: null },
    ]);
  });

  it.each([
    ["0-1:24.2.1()(3*m3)", { value: null, unit: "m3", at: null }],
    ["0-1:24.2.1(700101100000W)(3*m3)", { value: null, unit: "m3", at: null }],
    ["0-1:24.2.1(260115110000W)", { value: null, unit: "", at }],
    ["0-1:24.2.1(260115110000W)(3)", { value: 3, unit: "", at }],
    ["0-1:24.3.0(260115110000)(00)(60)(1)(0-1:24.2.1)(m3)(7.5)", { value: 7.5, unit: "m3", at }],
    ["0-1:24.3.0(260115110000)(00)(60)(1)(0-1:24.2.1)", { value: null, unit: "", at }],
    ["0-1:24.1.0()", { type: null, value: null }],
    ["0-1:96.1.0()", { id: null }],
  ])("%s says what stands in it", (line, expected) => {
    expect(channelsIn(line)).toMatchObject([{ channel: 1, ...expected }]);
  });
});
