import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { wmbus } from "../driver.ts";
import { buildTelegram } from "../encode.ts";
import { wmbusName, wmbusSender } from "../identity.ts";
import { readWmbus } from "../telegram.ts";
import { descramble, diehlSeeds, scrambled } from "./diehl.ts";
import { makersLayout, makersLayouts } from "./index.ts";

const key = fromHex("000102030405060708090a0b0c0d0e0f");
const local = 1_795_251_600;
const values: Readonly<Record<string, number>> = {
  "04 13": 296.7,
  "0C 13": 296.7,
  "03 6E": 131,
  "43 6E": 1026,
  "02 65": 22.44,
  "02 5D": 25.51,
  "04 06": 25_250_000,
  "04 0E": 22_938_000_000,
};

const built = (name: string, given: object = {}): Uint8Array => {
  const layout = makersLayouts.find((each) => each.name === name);
  const device = layout?.devices[0];
  if (!layout || !device) throw new Error(`no layout ${name}`);
  return layout.build({
    manufacturer: device.manufacturer,
    id: "12345678",
    version: device.versions?.[0] ?? 0x48,
    medium: device.media?.[0] ?? 7,
    accessNumber: 1,
    local,
    key: undefined,
    value: (code) => values[code] ?? 0,
    ...given,
  });
};

/** An IZAR telegram with other bytes before its content, which determine its scrambling. */
function alarming(telegram: Uint8Array, bytes: readonly number[], by?: Uint8Array): Uint8Array {
  const [seed = 0] = diehlSeeds(by);
  const content = descramble(telegram, seed);
  return scrambled(Uint8Array.of(...telegram.subarray(0, 11), ...bytes, telegram[14] ?? 0, ...content), by);
}

const found = (telegram: Uint8Array, options: object = {}) =>
  readWmbus(telegram, options).records.map(({ quantity, storage, value }) => [quantity, storage, value]);

describe("manufacturer-specific layouts", () => {
  it.each([
    ["Apator 08", [["Volume", 0, 296.7]]],
    ["Apator 16-2", [["Volume", 0, 296.7]]],
    ["GWF radio module", [["Volume", 0, 296.7]]],
    ["BMeters HYDRODIGIT", [["Volume", 0, 296.7]]],
    ["Diehl IZAR (PRIOS)", [["Volume", 0, 296.7]]],
    ["Techem radio 3", [["Volume", 0, 296.7]]],
    ["Techem radio 4", [["Volume", 0, 296.7]]],
    ["Techem compact V", [["Energy", 0, 25_250_000]]],
    ["Techem vario 4.5.1", [["Energy", 0, 22_938_000_000]]],
    [
      "Techem FHKV data III",
      [
        ["H.C.A.", 0, 131],
        ["H.C.A.", 1, 1026],
        ["Time point (date)", 1, "2025-12-31"],
        ["External temperature", 0, 22.44],
        ["Return temperature", 0, 25.51],
      ],
    ],
    [
      "BFW 240 radio",
      [
        ["H.C.A.", 0, 131],
        ["H.C.A.", 1, 1026],
      ],
    ],
  ] as const)("%s: what its simulator sends is read", (name, expected) => {
    const telegram = built(name);

    expect(found(telegram)).toEqual(expect.arrayContaining(expected.map((each) => [...each])));
    expect(wmbusSender(telegram).id).toBe("12345678");
  });

  it("a device uses at most one layout at each place", () => {
    const seen = makersLayouts.flatMap(({ place, devices }) =>
      devices.flatMap(({ manufacturer, versions = [-1], media = [-1] }) =>
        versions.flatMap((version) => media.map((medium) => [place, manufacturer, version, medium].join())),
      ),
    );

    expect(new Set(seen).size).toBe(seen.length);
  });

  it("IZAR: version and medium precede the number; a key of the device decrypts if the public ones do not", () => {
    const telegram = built("Diehl IZAR (PRIOS)", { key, manufacturer: "DME", version: 0x78, medium: 6 });

    expect(wmbusName(wmbusSender(telegram))).toBe("DME-12345678-78-06");
    expect(readWmbus(telegram)).toMatchObject({ records: [], warnings: ["no public key opens the content"] });
    expect(readWmbus(telegram, { key: fromHex("ff".repeat(16)) }).records).toEqual([]);
    expect(readWmbus(telegram, { key })).toMatchObject({
      protection: "maker's",
      records: expect.arrayContaining([
        expect.objectContaining({ quantity: "Volume", value: 296.7 }),
      ]) as unknown,
    });
  });

  it("Apator: a chain with an unknown field gives no total", () => {
    const telegram = built("Apator 16-2");
    const at = telegram.length - 7;
    const changed = telegram.with(at, 0x61);

    expect(found(telegram)).toEqual([["Volume", 0, 296.7]]);
    expect(readWmbus(changed).warnings.join()).toContain("field 61 is not known");
    expect(readWmbus(changed).records.filter(({ kind }) => kind === "value")).toEqual([]);
  });

  it("Techem: an allocator of an unknown variant gives no number", () => {
    const telegram = built("Techem FHKV data III").with(11, 0x77);

    expect(readWmbus(telegram)).toMatchObject({
      records: [],
      warnings: ["variant 77 of the allocator is not known"],
    });
  });

  it("Techem: an invalid due date of water meters and allocators gives no number; an unset one is not an error", () => {
    for (const name of ["Techem radio 3", "Techem FHKV data III"]) {
      const telegram = built(name);
      const count = found(telegram).length;

      expect(readWmbus(telegram.with(12, 0x40).with(13, 0x00)), name).toMatchObject({
        records: [],
        warnings: ["the due date is no date: the layout is not known"],
      });
      expect(found(telegram.with(12, 0xff).with(13, 0xff)), name).toHaveLength(count);
    }
  });

  // Written by hand from the layouts, to catch errors common to reading and sending: 1000 counts at the due
  // date, 500 since.
  it.each([
    ["Techem radio 3", "06 7f24 e803 0000 f401 00", [150, 100, 50]],
    ["Techem radio 4", "95 0000 e803 0000 f401 00", [150, 100, 50]],
    ["Techem compact V", "9f 0000 e80300 00 f40100 00", [1_500_000, 1_000_000, 500_000]],
    ["Techem vario 4.5.1", "9f 0000 e803 0000 f401 00", [1_500_000_000, 1_000_000_000, 500_000_000]],
  ] as const)("%s: the register now is the sum of two parts at their places", (name, content, expected) => {
    const frame = Uint8Array.of(...built(name).subarray(0, 11), ...fromHex(content));

    const values = found(frame.with(0, frame.length - 1)).map(([, , value]) => value);

    expect(values.slice(0, 3)).toEqual(expected);
  });

  it.each(["Techem compact V", "Techem vario 4.5.1"])("%s: its two bytes are no due date", (name) => {
    const telegram = built(name).with(12, 0x40).with(13, 0xff);

    expect(found(telegram)).toHaveLength(3);
    expect(found(telegram).map(([quantity]) => quantity)).not.toContain("Time point (date)");
  });

  it("Techem: an implausible temperature is null, with a warning", () => {
    const telegram = built("Techem FHKV data III");
    // The room temperature follows variant, due date, units, day and units.
    const [room, radiator] = [11 + 9, 11 + 11];
    const cold = telegram.with(room, 0x9c).with(room + 1, 0xff);

    expect(found(cold)).toContainEqual(["External temperature", 0, null]);
    expect(found(cold)).toContainEqual(["Return temperature", 0, 25.51]);
    expect(readWmbus(cold).warnings).toEqual(["temperature of the room that cannot be: 654.36 °C"]);
    expect(found(telegram.with(radiator, 0x98).with(radiator + 1, 0x3a))).toContainEqual([
      "Return temperature",
      0,
      150,
    ]);
  });

  it.each([
    ["Apator 08", 100_000, "a total that cannot be"],
    ["Apator 16-2", 100_000, "a total that cannot be"],
  ] as const)("%s: a total that no dial shows is no number", (name, most, words) => {
    const shown = built(name, { value: () => most - 1 });
    const size = name === "Apator 08" ? 3000 : 1000;
    const at = name === "Apator 08" ? 11 : shown.length - 6;
    const beyond = shown.slice();
    new DataView(beyond.buffer).setUint32(at, most * size, true);

    expect(found(shown)).toEqual([["Volume", 0, most - 1]]);
    expect(readWmbus(beyond).records.filter(({ kind }) => kind === "value")).toEqual([]);
    expect(readWmbus(beyond).warnings.join()).toContain(words);
  });

  describe("BMeters HYDRODIGIT", () => {
    /** The telegram of the simulator with other data after DIF 0F. */
    const withAdded = (added: string): Uint8Array => {
      const telegram = built("BMeters HYDRODIGIT");
      const all = Uint8Array.of(...telegram.subarray(0, telegram.lastIndexOf(0x0f) + 1), ...fromHex(added));
      return all.with(0, all.length - 1);
    };
    const named = (telegram: Uint8Array) =>
      readWmbus(telegram).records.map(({ quantity, value }) => [quantity, value]);

    it("reads battery, backflow and months after fraud and leak", () => {
      const months = "e80300 ffffff" + " 102700".repeat(10);
      const values = named(withAdded(`97 1a 80010101 190424 0f000000 ${months}`));

      expect(values.slice(0, 5)).toEqual([
        ["Volume", 296.7],
        ["Voltage", 3.05],
        ["Volume", 0.015],
        ["Volume at the end of January", 10],
        ["Volume at the end of February", null],
      ]);
      expect(values.slice(5)).toHaveLength(10);
      expect(values.at(-1)).toEqual(["Volume at the end of December", 100]);
    });

    it.each([
      ["25 0a 0f000000", "25"],
      [`19 0a ${"102700".repeat(13)}`, "19"],
    ])(
      "behind a bit that is not known (%s) only the battery is a number, and the total stays",
      (added, bits) => {
        const telegram = withAdded(added);

        expect(named(telegram)).toEqual([
          ["Volume", 296.7],
          ["Voltage", 3.05],
        ]);
        expect(readWmbus(telegram).warnings).toEqual([`contents ${bits} of the maker's data are not known`]);
      },
    );

    it("a truncated field loses only itself", () => {
      const { records, warnings } = readWmbus(withAdded("11 0a 102700"));

      expect(records.map(({ kind, value }) => [kind, value])).toEqual([
        ["value", 296.7],
        ["maker", "11 0A 10 27 00"],
      ]);
      expect(warnings.join()).toMatch(/^the maker's data behind the records is not read: /);
    });
  });

  it("GWF: flags and battery of type 1; another type is reported and gives no number", () => {
    const telegram = built("GWF radio module");
    const at = telegram.lastIndexOf(0x0f);

    expect(readWmbus(telegram.with(at + 2, 0x20).with(at + 3, 0xf9)).records).toMatchObject([
      { quantity: "Volume", value: 296.7 },
      { value: 0x20 },
      { quantity: "Remaining battery life", unit: "year", value: 15.5 },
    ]);
    const other = readWmbus(telegram.with(at + 1, 2));
    expect(other.records.map(({ kind }) => kind)).toEqual(["value", "maker"]);
    expect(other.warnings).toEqual(["type 2 of the maker's data is not known"]);
  });

  it("BFW: past months are twelve bits each, the newest first; another length is reported and gives no number", () => {
    const telegram = built("BFW 240 radio");
    const last = telegram.length - 3 - 3;
    const read = readWmbus(
      telegram
        .with(last, 0x34)
        .with(last + 1, 0x1a)
        .with(last + 2, 0xbc),
    );

    expect(read.records.slice(2, 5).map(({ quantity, value }) => [quantity, value])).toEqual([
      ["H.C.A., 1 months ago", 0xabc],
      ["H.C.A., 2 months ago", 0x134],
      ["H.C.A., 3 months ago", 0],
    ]);
    const longer = Uint8Array.of(...telegram, 0).with(0, telegram.length);
    expect(readWmbus(longer)).toMatchObject({
      records: [],
      warnings: ["41 bytes are not the layout of this maker"],
    });
  });

  it("IZAR: battery, period and month are read; alarms are words", () => {
    const telegram = built("Diehl IZAR (PRIOS)", { key });
    const alarmed = alarming(telegram, [0x83, 0x94, 0x80], key);

    expect(found(telegram, { key })).toEqual([
      ["Volume", 0, 296.7],
      ["Volume", 1, 296.7],
      ["Time point (date)", 1, "2026-10-31"],
      ["Remaining battery life", 0, 10],
      ["Period of sending", 0, 8],
    ]);
    expect(readWmbus(telegram, { key }).warnings).toEqual([]);
    expect(readWmbus(alarmed, { key }).warnings).toEqual([
      "alarm: general alarm",
      "alarm: leakage",
      "alarm: backflow",
    ]);
    expect(found(alarmed, { key })).toContainEqual(["Period of sending", 0, 32]);
  });

  it("IZAR: content without its check byte counts as not decrypted, however plausible its numbers are", () => {
    const telegram = built("Diehl IZAR (PRIOS)");
    const [seed = 0] = diehlSeeds(undefined);
    const content = descramble(telegram, seed).with(0, 0x4a);

    expect(
      readWmbus(scrambled(Uint8Array.of(...telegram.subarray(0, 15), ...content), undefined)),
    ).toMatchObject({
      records: [],
      warnings: ["no public key opens the content"],
    });
  });

  it.each(["ci", "records", "data"] as const)("a device in no table has no layout (%s)", (place) => {
    expect(makersLayout({ manufacturer: "XYZ", version: 0x05, medium: 0x07 }, place)).toBeUndefined();
    expect(makersLayout({ manufacturer: "APA", version: 0x99, medium: 0x07 }, place)).toBeUndefined();
  });
});

describe("uncertain values give no number", () => {
  const scale = { impulseWeight: 1, startingValue: 0 };
  const meter = { resource: "heat", manufacturers: ["XYZ"], version: 2, medium: 8 } as const;
  const driver = wmbus({ ...meter, records: [{ code: "01 1F", field: "M_in" }] });

  it("invalid records after a mass of 30,000 kg: the telegram gives no mass", () => {
    // The layout of a heat cost allocator of an unlisted manufacturer.
    const content =
      "01 1f 03 c1 03 8d 15 2a 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 04 04 00 04 0e 00 e2 0a 23 c1 1d";
    const telegram = buildTelegram(fromHex(content), {
      manufacturer: "XYZ",
      id: "12345678",
      version: 2,
      medium: 8,
      accessNumber: 1,
      security: "none",
    });

    expect(readWmbus(telegram).records[0]).toMatchObject({ quantity: "Mass", value: 30_000 });
    expect(() => driver.decode(telegram, 0, scale)).toThrow(
      expect.objectContaining({
        kind: "unsupported",
        message: expect.stringContaining("layout is not known") as string,
      }),
    );
  });

  it("warnings of a telegram are attached to its first reading", () => {
    const telegram = built("Diehl IZAR (PRIOS)");
    const water = wmbus({
      resource: "water",
      manufacturers: ["DME"],
      version: 0x48,
      medium: 7,
      records: [{ code: "04 13", field: "in1" }],
    });

    expect(water.decode(telegram, 0, scale)).toEqual([
      expect.not.objectContaining({ warnings: expect.anything() as unknown }),
    ]);
    expect(water.decode(alarming(telegram, [0x01, 0x94, 0x00]), 0, scale)).toEqual([
      { msgType: 1, at: null, values: { in1: 296.7 }, warnings: ["alarm: leakage"] },
    ]);
  });

  it("a telegram of another kind of meter is not read as this one's", () => {
    const water = {
      manufacturer: "XYZ",
      id: "12345678",
      version: 2,
      medium: 7,
      accessNumber: 1,
      security: "none",
    } as const;
    const telegram = buildTelegram(fromHex("01 1f 03"), water);

    expect(() => driver.decode(telegram, 0, scale)).toThrow(
      expect.objectContaining({ kind: "unsupported", message: "a telegram of another kind of meter: Water" }),
    );
  });

  it("content after a manufacturer CI without a known layout is reported with the reason", () => {
    const bytes = fromHex("12 44 1486 78563412 99 07 a0 0102030405060708");

    expect(() => wmbus({ ...meter, manufacturers: ["APT"], records: [] }).decode(bytes, 0, scale)).toThrow();
    expect(() =>
      wmbus({ ...meter, medium: 7, manufacturers: ["APT"], records: [] }).decode(bytes, 0, scale),
    ).toThrow(
      expect.objectContaining({ message: expect.stringContaining("CI A0 is the maker's own") as string }),
    );
  });
});
