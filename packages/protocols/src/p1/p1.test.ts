import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../core/errors.ts";
import { bytesOf } from "../iec62056-21/text.ts";
import { channelsOf } from "./channels.ts";
import { decodeP1 } from "./decode.ts";
import { p1 } from "./driver.ts";
import { p1Fuzz } from "./seeds.ts";
import { p1Stream } from "./stream.ts";
import { encodeTelegram, parseTelegram } from "./telegram.ts";

const device = { insideAddr: "", deviceID: "E0047", impulseWeight: 1, startingValue: 0 };
const telegram = (...lines: string[]) => encodeTelegram("ISK5\\2M550T", lines);
const read = (...lines: string[]) => p1().decode(telegram(...lines), 1, device);
const gasLines = ["0-1:24.1.0(003)", "0-1:24.2.1(260115110000W)(00024*m3)"];
const thrown = (act: () => unknown): string | undefined => {
  try {
    act();
  } catch (error) {
    return error instanceof ProtocolError ? error.kind : String(error);
  }
  return undefined;
};

describe("a P1 telegram", () => {
  it("has counters and states in units of the vocabulary, with the meter's time stamp", () => {
    const readings = read(
      "0-0:1.0.0(200426223325S)",
      "1-0:1.8.0(006545766*Wh)",
      "1-0:2.7.0(00.500*kW)",
      "1-0:1.7.0(00.111*kW)",
      "1-0:32.7.0(229.9*V)",
    );

    const at = Date.UTC(2020, 3, 26, 20, 33, 25) / 1000;
    expect(readings).toEqual([
      { msgType: 1, at, meterAt: at, values: { tariff0: 6545.766 } },
      { msgType: 2, at, meterAt: at, values: { power_active: -0.389, voltage1: 229.9 } },
    ]);
  });

  it("distinguishes the repeated hour in autumn by the season letter", () => {
    const at = (stamp: string) => read(`0-0:1.0.0(${stamp})`, "1-0:1.8.0(1*kWh)")[0]?.at ?? 0;

    expect(at("261025023000W") - at("261025023000S")).toBe(3600);
  });

  it("has local time of the device, by default that of Central Europe", () => {
    const bytes = telegram("0-0:1.0.0(261121120000W)", "1-0:1.8.0(1*kWh)");
    const stampOf = (known: object) => p1().decode(bytes, 1, { ...device, ...known })[0]?.at ?? 0;

    expect(stampOf({}) * 1000).toBe(Date.UTC(2026, 10, 21, 11));
    expect(stampOf({ utcOffsetMinutes: 480 }) * 1000).toBe(Date.UTC(2026, 10, 21, 4));
  });

  it("has the sum of the tariffs if the meter sends no total", () => {
    expect(read("1-0:1.8.1(000301.548*kWh)", "1-0:1.8.2(000270.014*kWh)")[0]?.values).toEqual({
      tariff0: 571.562,
      tariff1: 301.548,
      tariff2: 270.014,
    });
  });

  it("omits lines with an unexpected unit and keeps empty brackets as null", () => {
    expect(read("1-0:1.8.1(5*V)", "1-0:1.8.2()")[0]?.values).toEqual({ tariff0: null, tariff2: null });
  });

  it("has volts, amperes and hertz, in whatever size the meter writes them", () => {
    const [states] = read("1-0:52.7.0(0000.229*kV)", "1-0:51.7.0(0.012*kA)", "1-0:14.7.0(0.0501*kHz)");

    expect(states?.values).toEqual({ voltage2: 229, current2: 12, Frequency: 50.1 });
  });

  it("loses a broken line, its continuation and nothing else", () => {
    const lines = ["1-0:1.8.1(12.5*kWh)", "0-0:98.1.0", "(", "(7*kW)", "1-0:2.8.1(3*kWh)"];

    const [counters] = read(...lines);

    expect(counters).toMatchObject({
      values: { tariff1: 12.5, tariff_negative1: 3 },
      warnings: ["a line is left out: text without brackets at byte 38"],
    });
    expect(p1({ reads: "gas" }).decode(telegram(...lines, ...gasLines), 1, device)).toMatchObject([
      { values: { in1: 24 }, warnings: [expect.stringContaining("left out")] },
    ]);
  });

  it("with a broken line and no checksum is refused, as lines may have been lost with it", () => {
    const bare = bytesOf("/ISK5\\2M550T\r\n\r\n1-0:1.8.1(12.5*kWh)\r\n1-0:1.8.\r\n!\r\n");

    expect(thrown(() => p1().decode(bare, 1, device))).toBe("unexpected");
  });

  it("ends at a mark without a line of its own too", () => {
    const bytes = bytesOf("/ISK5\\2M550T\r\n\r\n1-0:1.8.1(12.5*kWh)!\r\n");

    expect(p1().decode(bytes, 1, device)[0]?.values).toMatchObject({ tariff1: 12.5 });
    expect(p1Stream().push(bytes)).toEqual([bytes]);
  });

  it("shows the entries of a list of maxima with their times", () => {
    const { readings } = decodeP1(
      telegram(
        "0-0:98.1.0(2)(1-0:1.6.0)(1-0:1.6.0)(260201000000W)(260114181500W)(03.250*kW)(260301000000W)(260209070000W)(02.5*kW)",
        "0-1:24.3.0(260115110000)(00)(60)(1)(0-1:24.2.1)(m3)",
        "(00512.250)",
      ),
    );

    expect(readings).toEqual([
      { name: "0-0:98.1.0", value: 3.25, unit: "kW", time: "2026-01-14T18:15:00 W" },
      { name: "0-0:98.1.0", value: 2.5, unit: "kW", time: "2026-02-09T07:00:00 W" },
      { name: "0-1:24.2.1", value: 512.25, unit: "m3", time: "2026-01-15T11:00:00" },
    ]);
  });

  it("has gas, heat and water meters of its M-Bus channels with their own time stamps", () => {
    const lines = [
      "0-0:1.0.0(200426223325S)",
      "0-1:24.1.0(003)",
      "0-1:24.2.1(700101010000W)(00000000)",
      "0-2:24.1.0(003)",
      "0-2:96.1.0(47303033)",
      "0-2:24.2.1(200426223001S)(00246.138*m3)",
      "0-3:24.1.0(004)",
      "0-3:24.2.1(260215200523W)(240.860*GJ)",
    ];

    const gas = p1({ reads: "gas" }).decode(telegram(...lines), 1, device);
    const heat = p1({ reads: "heat" }).decode(telegram(...lines), 1, device);

    expect(gas).toMatchObject([{ at: Date.UTC(2020, 3, 26, 20, 30, 1) / 1000, values: { in1: 246.138 } }]);
    expect(heat[0]?.values.tariff1).toBeCloseTo(57.528, 3);
    expect(thrown(() => p1({ reads: "water" }).decode(telegram(...lines), 1, device))).toBe("unexpected");
    expect(channelsOf(parseTelegram(telegram(...lines)).lines, 60)[0]).toMatchObject({
      value: null,
      at: null,
    });
  });

  it("may have the old form of an M-Bus value, with the number on the next line", () => {
    const bytes = telegram(
      "0-1:24.1.0(3)",
      "0-1:24.3.0(161107190000)(00)(60)(1)(0-1:24.2.1)(m3)",
      "(00001.001)",
    );

    expect(p1({ reads: "gas" }).decode(bytes, 1, device)[0]?.values).toEqual({ in1: 1.001 });
  });

  it("is refused with a wrong checksum, accepted without one", () => {
    const good = telegram("1-0:1.8.0(1*kWh)");
    const bad = good.map((byte, at) => (at === good.length - 3 ? byte ^ 1 : byte));

    expect(thrown(() => p1().decode(bad, 1, device))).toBe("checksum");
    expect(thrown(() => decodeP1(bad))).toBe("checksum");
    expect(decodeP1(bytesOf("/ISk5\\2MT382\r\n\r\n1-0:1.8.1(1*kWh)\r\n!\r\n")).warnings).toEqual([
      "no checksum",
    ]);
    expect(thrown(() => decodeP1(bytesOf("/ISk5\\2MT382\r\n1-0:1.8.1(1*kWh)\r\n")))).toBe("unexpected");
  });

  it("of the simulator reads back", () => {
    const meter = p1({ fields: ["tariff0", "tariff_negative0", "power_active", "voltage1", "current1"] });
    const state = (field: string) => (field === "power_active" ? -1.25 : 20.5);

    const [counters, states] = meter.decode(meter.encode(device, state, 1_795_251_600).payload, 1, device);

    expect(counters).toMatchObject({ at: 1_795_251_600, values: { tariff0: 20.5, tariff_negative0: 20.5 } });
    expect(states?.values).toEqual({ power_active: -1.25, voltage1: 20.5, current1: 20.5 });
  });

  it("is named byte by byte in the log", () => {
    const bytes = telegram("1-0:1.8.0(1*kWh)");

    const spans = p1().explain(bytes, 1);

    expect(spans.map(({ name }) => name)).toEqual([
      "identification",
      { code: "data_set", n: "1-0:1.8.0" },
      "end_and_crc",
    ]);
    expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(bytes.length);
    expect(p1().explain(bytesOf("noise"), 1)).toHaveLength(1);
  });
});

describe("a stream of telegrams", () => {
  const one = telegram("1-0:1.8.0(1*kWh)");
  const two = telegram("1-0:1.8.0(2*kWh)");

  it("is divided correctly however it is split, with garbage between", () => {
    const all = Uint8Array.from([...bytesOf("\x00garbage\r\n"), ...one, ...bytesOf("xx"), ...two]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const stream = p1Stream();
        const found: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          found.push(...stream.push(all.subarray(at, at + size)));
          at += size;
        }

        expect(found.map((each) => [...each])).toEqual([[...one], [...two]]);
        expect(stream.dropped).toBe(12);
      }),
    );
  });

  it("drops a telegram that was cut off when the next one begins", () => {
    const stream = p1Stream();

    expect(stream.push(Uint8Array.from([...one.subarray(0, 25), 10, ...two]))).toEqual([two]);
  });

  it("buffers no more than its limit", () => {
    const stream = p1Stream(100);

    expect(stream.push(bytesOf(`/${"x".repeat(500)}`))).toEqual([]);
    expect(stream.dropped).toBe(501);
    expect(stream.push(one)).toEqual([one]);
  });

  it("throws nothing but ProtocolError on changed bytes", () => {
    const [target] = p1Fuzz;
    fc.assert(
      fc.property(
        fc.constantFrom(...(target?.seeds ?? [])),
        fc.array(fc.nat(), { maxLength: 6 }),
        (seed, changes) => {
          const bytes = Uint8Array.from(seed);
          for (const change of changes) bytes[change % bytes.length] = change >> 8;

          const kind = thrown(() => target?.decode(bytes));

          expect([undefined, "checksum", "unexpected"]).toContain(kind);
        },
      ),
    );
  });
});
