import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { vegaSi11 } from "./driver.ts";
import { si11Commands } from "./orders.ts";
import { decodeSi11, encodeTimeCorrection } from "./si11.ts";

const driver = vegaSi11();
const device = { insideAddr: "", deviceID: "3b3b000018a000", impulseWeight: 1, startingValue: 0 };
/** 2026-11-21 09:00:00 UTC, and as it is sent. */
const at = 1_795_251_600;
const time = "905d016b";
const counts = "10270000 01000000 00000000 ffffffff";
const named = (payload: string, fport: number) => {
  const trace: Span[] = [];
  decodeSi11(fromHex(payload), fport, { trace });
  return trace.map(({ offset, bytes, name, value }) => [offset, bytes, name, value]);
};
const current = (settings: string) => `01 62 ${settings} ${time} f6 ${counts}`;

describe("the settings byte of a packet", () => {
  // Source: Vega SI-11 user manual, rev. 26, packet of current readings.
  it.each([
    ["00", "OTAA", 5, "min", 300],
    ["02", "OTAA", 15, "min", 900],
    ["04", "OTAA", 30, "min", 1800],
    ["06", "OTAA", 1, "h", 3600],
    ["08", "OTAA", 6, "h", 21_600],
    ["0a", "OTAA", 12, "h", 43_200],
    ["0c", "OTAA", 24, "h", 86_400],
    ["07", "ABP", 1, "h", 3600],
  ])("%s is of %s, sent every %i %s", (byte, n, count, unit, periodSec) => {
    expect(decodeSi11(fromHex(current(byte)), 2)).toMatchObject({
      settings: { abp: n === "ABP", period: `${String(count)} ${unit}`, periodSec, security: [] },
    });
    expect(named(current(byte), 2)[2]).toEqual([
      2,
      1,
      "settings",
      { word: { code: "si11_settings", n, count, unit } },
    ]);
  });

  it("with a period that the manual does not have says so", () => {
    const packet = decodeSi11(fromHex(current("0e")), 2);

    expect(packet).toMatchObject({ settings: { period: "unknown" } });
    expect(packet.kind === "current" && packet.settings).not.toHaveProperty("periodSec");
    expect(named(current("0e"), 2)[2]).toEqual([2, 1, "settings", null]);
  });

  it.each([
    ["16", [1]],
    ["26", [2]],
    ["46", [3]],
    ["86", [4]],
    ["f6", [1, 2, 3, 4]],
  ])("%s guards the inputs %j, which have no volume", (byte, security) => {
    expect(decodeSi11(fromHex(current(byte)), 2)).toMatchObject({ settings: { security } });
    const value = {
      word: { code: "si11_settings_guarded", n: "OTAA", count: 1, unit: "h", detail: security.join(", ") },
    };
    expect(named(current(byte), 2)[2]).toEqual([2, 1, "settings", value]);
    const [reading] = driver.decode(fromHex(current(byte)), 2, device);
    const volumes = { in1: 10_000, in2: 1, in3: 0, in4: 4_294_967_295 };
    const guarded = Object.fromEntries(security.map((input) => [`in${String(input)}`, null]));
    expect(reading?.values).toEqual({ ...volumes, ...guarded, temperature: -10, battery: 98 });
  });
});

describe("a packet", () => {
  const pulses = (from: number) =>
    [0x2710, 1, 0, 0xffffffff].map((value, place) => [
      from + 4 * place,
      4,
      { code: "input", n: place + 1, unit: "pulses" },
      value,
    ]);
  const settings = { word: { code: "si11_settings", n: "OTAA", count: 1, unit: "h" } };
  const battery = { code: "battery", unit: "%" };
  const temperature = { code: "temperature", unit: "°C" };

  it.each<[string, string, number, readonly unknown[]]>([
    [
      "current readings",
      current("06"),
      2,
      [
        [0, 1, "packet_type", 1],
        [1, 1, battery, 98],
        [2, 1, "settings", settings],
        [3, 4, "time", at],
        [7, 1, temperature, -10],
        ...pulses(8),
      ],
    ],
    [
      "an alarm",
      `02 62 46 03 ${time} ${counts}`,
      2,
      [
        [0, 1, "packet_type", 2],
        [1, 1, battery, 98],
        [2, 1, "settings", { word: { ...settings.word, code: "si11_settings_guarded", detail: "3" } }],
        [3, 1, "input_of_the_alarm", 3],
        [4, 4, "time", at],
        ...pulses(8),
      ],
    ],
    [
      "the second layout",
      `03 62 ${time} f6 ${counts} 06`,
      2,
      [
        [0, 1, "reason_of_sending", 3],
        [1, 1, battery, 98],
        [2, 4, "time", at],
        [6, 1, temperature, -10],
        ...pulses(7),
        [23, 1, "settings", settings],
      ],
    ],
    [
      "settings",
      "00 0400 01 01 3700 02 20fe",
      3,
      [
        [0, 1, "packet_type", 0],
        [1, 2, "setting", 4],
        [3, 1, "length", 1],
        [4, 1, { code: "setting_value", n: 4 }, "01"],
        [5, 2, "setting", 55],
        [7, 1, "length", 2],
        [8, 2, { code: "setting_value", n: 55 }, "20fe"],
      ],
    ],
    ["a request for settings", "01", 3, [[0, 1, "packet_type", 1]]],
    [
      "the time",
      `ff ${time}`,
      4,
      [
        [0, 1, "packet_type", 255],
        [1, 4, "time", at],
      ],
    ],
  ])("of %s is named to the byte", (_, payload, fport, parts) => {
    expect(named(payload, fport)).toEqual(parts);
  });

  it.each([
    ["another type", "05 62", 2, "unsupported", 0],
    ["a type of another port", "ff 905d016b", 3, "unsupported", 0],
    ["a byte missing", current("06").slice(0, -2), 2, "unexpected", 20],
    ["a byte more", `${current("06")}00`, 2, "unexpected", 24],
    ["a byte more than an alarm", `02 62 06 03 ${time} ${counts} 00`, 2, "unexpected", 24],
    ["a setting cut off", "00 0400 02 01", 3, "unexpected", 4],
    ["half a setting", "00 04", 3, "unexpected", 1],
    ["a byte more than a request", "01 00", 3, "unexpected", 1],
    ["a reason without its packet", "00 62", 2, "unsupported", 0],
  ])("with %s is refused", (_, payload, fport, kind, offset) => {
    expect(refusalOf(() => decodeSi11(fromHex(payload), fport))).toEqual({ kind, offset });
  });
});

describe("which of the two layouts a packet has", () => {
  const le = (seconds: number) => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, seconds, true);
    return toHex(bytes);
  };
  const isSecond = (payload: string, receivedAt?: number) => {
    const packet = decodeSi11(fromHex(payload), 2, { receivedAt });
    return packet.kind === "alarm" && packet.temperature !== undefined;
  };
  /** Types 1 and 2 of the first layout, reasons 1 and 2 of the second, with the time of either. */
  const ofReason1 = (seconds: number) => `01 62 ${le(seconds)} f6 ${counts} 16`;
  const first1 = (seconds: number) => `01 62 06 ${le(seconds)} f6 ${counts}`;
  const day = 86_400;

  it("is told by the time that is one of a device: from 0x56000000 on, below 0x80000000", () => {
    expect([0x5600_0000, 0x7fff_ffff].map((seconds) => isSecond(ofReason1(seconds)))).toEqual([true, true]);
    expect([0x55ff_ffff, 0x8000_0000].map((seconds) => isSecond(ofReason1(seconds)))).toEqual([false, false]);
    expect([0x5600_0000, 0x7fff_ffff].map((seconds) => isSecond(first1(seconds)))).toEqual([false, false]);
  });

  it("is told by a time at most 31 days from the reception", () => {
    for (const away of [-31 * day, 0, 31 * day]) expect(isSecond(ofReason1(at), at + away)).toBe(true);
    for (const away of [-31 * day - 1, 31 * day + 1]) expect(isSecond(ofReason1(at), at + away)).toBe(false);
  });

  it.each([
    ["00", "current"],
    ["03", "alarm"],
    ["04", "alarm"],
  ])("is the second one for reason %s, whatever its time", (reason, kind) => {
    const packet = decodeSi11(fromHex(`${reason} 62 00000000 f6 ${counts} 06`), 2);

    expect(packet).toMatchObject({ kind, at: 0, temperature: -10, battery: 98 });
  });

  it("is the first one for an alarm of an input that it guards", () => {
    const alarm = (settings: string, input: string) => `02 62 ${settings} ${input} ${time} ${counts}`;

    for (const [settings, input] of [
      ["16", "01"],
      ["26", "02"],
      ["46", "03"],
      ["86", "04"],
    ] as const)
      expect(decodeSi11(fromHex(alarm(settings, input)), 2)).toMatchObject({
        kind: "alarm",
        input: Number(input),
        at,
      });
  });

  it("is the second one for reason 2 if no such input is guarded, and its time fits", () => {
    expect(isSecond(`02 62 ${le(at)} f6 ${counts} 16`)).toBe(true);
    expect(isSecond(`02 62 06 05 0500016b ${counts}`)).toBe(false);
    expect(isSecond(`02 62 16 05 0500016b ${counts}`)).toBe(false);
  });

  it("is told by the nearer time for an alarm of a guarded input, else by the second one", () => {
    const [ofFirst, ofSecond] = [0x6b01_6b01, 0x6b01_0346];
    const alarm = (head: string) => `02 62 ${head} 016b016b ${counts}`;

    expect(isSecond(alarm("46 03"), ofFirst)).toBe(false);
    expect(isSecond(alarm("46 03"), ofSecond)).toBe(true);
    expect(isSecond(alarm("46 03"))).toBe(false);
    for (const head of ["46 02", "46 01", "f6 05", "0e 00"])
      expect(isSecond(alarm(head), ofFirst)).toBe(true);
  });

  it("is not asked on other ports", () => {
    expect(decodeSi11(fromHex(`00 7700 14 ${"ab".repeat(20)}`), 3)).toEqual({
      kind: "settings",
      values: [{ id: 0x77, value: fromHex("ab".repeat(20)) }],
    });
  });
});

describe("the packet of a simulated device", () => {
  const sent = (state: Readonly<Record<string, number>>, when = at) =>
    toHex(driver.encode({ ...device, startingValue: 5 }, (field) => state[field] ?? 0, when).payload);

  it("has its values in their bytes, within their bounds", () => {
    const given = { battery: 98, temperature: -10, in1: 10_005, in2: 1, in4: 4_294_967_295 };
    expect(sent(given)).toBe(current("06").replaceAll(" ", ""));
    expect(sent({ battery: 101, temperature: 128 }).slice(2, 16)).toBe(`6406${time}7f`);
    expect(sent({ battery: -1, temperature: -129 }).slice(2, 16)).toBe(`0006${time}80`);
    expect(sent({ battery: Number.NaN, temperature: 20.6 }).slice(2, 16)).toBe(`0006${time}15`);
    expect([sent({}, -1).slice(6, 14), sent({}, 1e12).slice(6, 14)]).toEqual(["00000000", "ffffffff"]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "vega-si11" });
  });

  it("asks for a correction of its clock that is off by more than two seconds", () => {
    const asked = fromHex(`ff ${time}`);
    const answer = (heardAt: number) => driver.answer?.(asked, 4, heardAt);

    for (const off of [-2, 0, 2]) expect(answer(at + off)).toBeUndefined();
    for (const off of [-3, 3])
      expect(answer(at + off)).toEqual({ fport: 4, payload: encodeTimeCorrection(off) });
    expect([2.7, -2.7].map((off) => toHex(encodeTimeCorrection(off)))).toEqual([
      "ff0200000000000000",
      "fffeffffffffffffff",
    ]);
    expect(driver.answer?.(fromHex(`ff ${time} 00`), 4, 0)).toBeUndefined();
    expect(driver.answer?.(fromHex(`fe ${time}`), 4, 0)).toBeUndefined();
  });
});

describe("settings", () => {
  // Numbers and codes: the same manual, table of parameters.
  it.each([
    [{ is_confirmed: true }, "0400 01 01"],
    [{ is_confirmed: false }, "0400 01 02"],
    [{ uplink_repeats: 15 }, "0800 01 0f"],
    [{ communication_period: 3600 }, "1000 01 01"],
    [{ communication_period: 21_600 }, "1000 01 02"],
    [{ communication_period: 43_200 }, "1000 01 03"],
    [{ communication_period: 86_400 }, "1000 01 04"],
    [{ communication_period: 300 }, "1000 01 05"],
    [{ communication_period: 900 }, "1000 01 06"],
    [{ communication_period: 1800 }, "1000 01 07"],
    [{ collection_period: 43_200 }, "3100 01 03"],
    [{ time_zone: 480 }, "3700 02 e001"],
    [{ time_zone: -720 }, "3700 02 30fd"],
  ])("%j are sent, and read from the packet that shows them", (given, bytes) => {
    const command = si11Commands.vega_settings(device, given);
    const packet = fromHex(`00 ${bytes}`);

    expect(toHex(command.payload)).toBe(toHex(packet));
    expect(command.proof(packet, 3)).toEqual({ state: "done", read: { vega_settings: given } });
    expect(si11Commands.get_settings().proof(packet, 3)).toEqual({
      state: "done",
      read: { vega_settings: given },
    });
  });

  it.each([
    ["another value", "00 0800 01 04"],
    ["another setting", "00 1000 01 03"],
    ["a value of another length", "00 0800 02 0300"],
    ["nothing", "00"],
    ["no packet of settings", "01"],
  ])("are not proved by %s", (_, packet) => {
    expect(
      si11Commands.vega_settings(device, { uplink_repeats: 3 }).proof(fromHex(packet), 3),
    ).toBeUndefined();
  });

  it("that are unknown or have unknown values are left out", () => {
    const { proof, fport, payload } = si11Commands.get_settings();
    const packet = fromHex("00 0400 01 03 1000 01 08 3100 01 00 7700 01 01 0800 01 02");

    expect([fport, toHex(payload)]).toEqual([3, "01"]);
    expect(proof(packet, 3)).toEqual({ state: "done", read: { vega_settings: { uplink_repeats: 2 } } });
    expect(proof(fromHex("01"), 3)).toBeUndefined();
    expect(proof(fromHex("77"), 3)).toBeUndefined();
  });

  it("of none, or of a period that there is not, are refused", () => {
    expect(refusalOf(() => si11Commands.vega_settings(device, {}))).toMatchObject({ kind: "unsupported" });
    expect(refusalOf(() => si11Commands.vega_settings(device, { collection_period: 600 }))).toMatchObject({
      kind: "unsupported",
    });
  });

  it("of a period are shown by alarms, too, and by no time", () => {
    const { proof } = si11Commands.vega_settings(device, { communication_period: 3600 });

    expect(proof(fromHex(`02 62 16 01 ${time} ${counts}`), 2)).toMatchObject({ state: "done" });
    expect(proof(fromHex(`ff ${time}`), 4)).toBeUndefined();
  });
});
