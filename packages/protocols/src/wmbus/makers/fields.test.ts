import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { codeOf } from "../../core/spans.ts";
import { buildTelegram } from "../encode.ts";
import { readWmbus } from "../telegram.ts";
import { makersLayout, makersLayouts } from "./index.ts";
import { telegramOf } from "./layout.ts";

const byte = (number: number): string => number.toString(16).padStart(2, "0");
const meter = { id: "12345678", accessNumber: 1, security: "none" } as const;
const records = (telegram: Uint8Array) =>
  readWmbus(telegram).records.map(({ quantity, unit, storage, value }) => [quantity, unit, storage, value]);

/** Names of the maker's part in the trace, from this byte on. */
function namesFrom(telegram: Uint8Array, from: number): unknown[] {
  const trace: Span[] = [];
  readWmbus(telegram, { trace });
  return trace
    .filter(({ offset }) => offset >= from)
    .map(({ offset, bytes, name }) => [offset - from, bytes, codeOf(name)]);
}

/** Devices by the layout of theirs that the reader wmbusmeters names for them. */
describe("a device of a maker with a layout of its own", () => {
  it.each<[string, "ci" | "records" | "data", string, number, number]>([
    ["Apator 08", "ci", "APT", 0x03, 0x03],
    ["Apator 08", "ci", "APT", 0x0f, 0x0f],
    ["Apator 17-2", "ci", "APT", 0x04, 0x11],
    ["Apator 16-2", "data", "APA", 0x05, 0x06],
    ["Apator 16-2", "data", "APA", 0x05, 0x07],
    ["BFW 240 radio", "records", "BFW", 0x02, 0x08],
    ["GWF radio module", "data", "GWF", 0x01, 0x03],
    ["GWF radio module", "data", "GWF", 0x02, 0x07],
    ["GWF radio module", "data", "GWF", 0x3c, 0x0e],
    ["BMeters HYDRODIGIT", "data", "BMT", 0x13, 0x06],
    ["BMeters HYDRODIGIT", "data", "BMT", 0x15, 0x07],
    ["BMeters HYDRODIGIT", "data", "BMT", 0x17, 0x07],
    ["Diehl IZAR (PRIOS)", "ci", "DME", 0x99, 0x99],
    ["Diehl IZAR (PRIOS)", "ci", "HYD", 0x85, 0x07],
    ["Diehl IZAR (PRIOS)", "ci", "SAP", 0x15, 0x07],
    ["Techem FHKV data III", "ci", "TCH", 0x69, 0x80],
    ["Techem FHKV data III", "ci", "TCH", 0x94, 0x80],
    ["Techem compact V", "ci", "TCH", 0x45, 0x04],
    ["Techem compact V", "ci", "TCH", 0x45, 0x43],
    ["Techem compact V", "ci", "TCH", 0x45, 0xc3],
    ["Techem compact V", "ci", "TCH", 0x22, 0x43],
    ["Techem compact V", "ci", "TCH", 0x39, 0x43],
    ["Techem radio 3", "ci", "TCH", 0x74, 0x62],
    ["Techem radio 3", "ci", "TCH", 0x74, 0x72],
    ["Techem radio 4", "ci", "TCH", 0x70, 0x62],
    ["Techem radio 4", "ci", "TCH", 0x95, 0x72],
    ["Techem vario 4.5.1", "ci", "TCH", 0x27, 0x04],
    ["Techem vario 4.5.1", "ci", "TCH", 0x27, 0xc3],
  ])("is read as %s, and in no other place", (name, place, manufacturer, version, medium) => {
    const device = { manufacturer, version, medium };
    const places = (["ci", "records", "data"] as const).map((each) => makersLayout(device, each)?.name);

    expect(places.filter((each) => each !== undefined)).toEqual([name]);
    expect(makersLayout(device, place)?.name).toBe(name);
    expect(makersLayout({ ...device, manufacturer: "XXX" }, place)).toBeUndefined();
  });

  it.each<[string, number, number]>([
    ["APT", 0x03, 0x0f],
    ["APT", 0x0f, 0x11],
    ["TCH", 0x22, 0x04],
    ["TCH", 0x74, 0x43],
    ["TCH", 0x45, 0x62],
    ["BFW", 0x02, 0x07],
    ["GWF", 0x01, 0x06],
  ])("%s is not read with version %i and medium %i, which are of two devices", (...device) => {
    const [manufacturer, version, medium] = device;
    const found = (["ci", "records", "data"] as const).map((place) =>
      makersLayout({ manufacturer, version, medium }, place),
    );

    expect(found).toEqual([undefined, undefined, undefined]);
  });

  it("sends as much as its own telegrams have", () => {
    const lengths = makersLayouts.map(({ name, devices, build }) => {
      const { manufacturer = "", versions: [version = 0] = [], media: [medium = 7] = [] } = devices[0] ?? {};
      const plan = { ...meter, manufacturer, version, medium, local: 1_795_251_600, key: undefined };
      const telegram = build({ ...plan, value: () => 1 });
      return [name, telegram.length, byte(telegram[10] ?? 0)];
    });

    expect(lengths).toEqual([
      ["Apator 08", 29, "a0"],
      ["Apator 16-2", 30, "7a"],
      ["Apator 17-2", 29, "a0"],
      ["BFW 240 radio", 55, "7a"],
      ["GWF radio module", 25, "7a"],
      ["BMeters HYDRODIGIT", 28, "7a"],
      ["Diehl IZAR (PRIOS)", 26, "a1"],
      ["Techem FHKV data III", 51, "a0"],
      ["Techem compact V", 56, "a2"],
      ["Techem radio 3", 48, "a2"],
      ["Techem radio 4", 48, "a2"],
      ["Techem vario 4.5.1", 56, "a2"],
    ]);
  });
});

describe("Apator 16-2", () => {
  const apator = { ...meter, manufacturer: "APA", version: 5, medium: 7 } as const;
  /** The fields of a telegram behind DIF 0F and seven bytes of status. */
  const telegram = (fields: string): Uint8Array =>
    buildTelegram(fromHex(`0f 01020304050607 ${fields}`), apator);
  const total = "10 a8610000";
  const volume = ["Volume", "m^3", 0, 25];

  /** Source: the field sizes of the public reader wmbusmeters (driver apator162). */
  const sizes: readonly (readonly [tags: readonly number[], bytes: number])[] = [
    [[0xa2, 0xa5, 0xa9, 0xaf], 1],
    [[0x11, 0x41, 0x43, 0xa7, 0xa8, 0xaa, 0xab, 0xac, 0xad, 0xb4], 2],
    [[0x01, 0x44, 0xa6, 0xb6, 0xb7, 0xbb, 0xbf, 0xc0, 0xc3, 0xc7, 0xd0, 0xd3], 3],
    [[0x00, 0x42, 0xa0, 0xa1, 0xa4, 0xf0], 4],
    [[0xb0], 5],
    [[0x40, 0x8b, 0x8c], 6],
    [[0x8e, 0xa3], 7],
    [[0xb1, 0xb3], 8],
    [[0x71, 0x8a], 9],
    [[0x80, 0x81, 0x82, 0x83, 0x84, 0x86, 0x87], 10],
    [[0x85, 0x88, 0x8f], 11],
    [[0x72], 13],
    [[0xb2, 0xb5], 16],
    [[0x73], 17],
    [[0x75], 25],
    [[0x7b], 49],
    [[0x7c], 53],
  ];
  const rows = sizes.flatMap(([tags, bytes]) => tags.map((tag) => [byte(tag), bytes] as const));

  it.each(rows)("walks over field %s, of %i bytes, to the total", (tag, bytes) => {
    // Bytes that are no tag, so that a wrong size is no way to the total.
    expect(records(telegram(`${tag} ${"61".repeat(bytes)} ${total} 1234`))).toEqual([volume]);
    expect(records(telegram(`${total} ${tag} ${"61".repeat(bytes)} 1234`))).toEqual([volume]);
  });

  it.each(["02", "12", "45", "61", "70", "7d", "89", "8d", "90", "ae", "c8", "d1", "d2", "f1"])(
    "does not know field %s",
    (tag) => {
      const read = readWmbus(telegram(`${total} ${tag} 6161616161`));

      expect(read.warnings).toEqual([
        `the maker's field ${tag.toUpperCase()} is not known: nothing of the telegram is taken`,
      ]);
      expect(read.records.map(({ kind }) => kind)).toEqual(["maker"]);
    },
  );

  it.each([
    ["two bytes of check", "1234", 1],
    ["four", "12345678", 1],
    ["filler before them", "ffffffff 1234", 1],
    ["filler up to them", "ffffffff ffff", 1],
    ["one byte", "12", 0],
    ["none", "", 0],
    ["five", "6162636465", 0],
  ])("has %s behind its fields", (_, check, count) => {
    expect(
      readWmbus(telegram(`${total} ${check}`)).records.filter(({ kind }) => kind === "value"),
    ).toHaveLength(count);
  });

  it("sends a total that rolls over as its dial does", () => {
    const sent = (name: string, cubicMetres: number) => {
      const layout = makersLayouts.find((each) => each.name === name);
      const device =
        name === "Apator 16-2" ? apator : { ...apator, manufacturer: "APT", version: 3, medium: 3 };
      const plan = { ...device, local: 0, key: undefined, value: () => cubicMetres };
      return records(layout?.build(plan) ?? new Uint8Array())[0]?.[3];
    };

    for (const name of ["Apator 16-2", "Apator 08"])
      expect([sent(name, 99_999.999), sent(name, 100_000), sent(name, 100_001.5)], name).toEqual([
        ...[99_999.999, 0, 1.5],
      ]);
  });

  it("has the first total, at most that of its dial", () => {
    expect(records(telegram(`${total} 10 01000000 1234`))).toEqual([volume]);
    expect(records(telegram("10 ffe0f505 1234"))).toEqual([["Volume", "m^3", 0, 99_999.999]]);
    expect(readWmbus(telegram("10 00e1f505 1234")).warnings).toEqual(["a total that cannot be: 100000 m³"]);
    expect(readWmbus(telegram("11 0102 1234")).warnings).toEqual(["the maker's fields hold no total"]);
    expect(readWmbus(telegram(`${total} 1234`)).records[0]?.raw).toEqual(fromHex("a8610000"));
  });
});

describe("BMeters HYDRODIGIT", () => {
  const telegram = (added: string): Uint8Array =>
    buildTelegram(fromHex(`0c13 01000000 0f ${added}`), {
      ...{ ...meter, manufacturer: "BMT", version: 0x13, medium: 7 },
    });
  const behind = (added: string) => records(telegram(added)).slice(1);

  /** Source: the public reader wmbusmeters (driver hydrodigit), volts by the low digit. */
  it.each([
    ["00", 3.7],
    ["01", 1.9],
    ["02", 2.1],
    ["03", 2.2],
    ["04", 2.3],
    ["05", 2.4],
    ["06", 2.5],
    ["07", 2.65],
    ["08", 2.8],
    ["09", 2.9],
    ["0a", 3.05],
    ["0b", 3.2],
    ["0c", 3.35],
    ["0d", 3.5],
    ["0e", 3.7],
    ["0f", 3.7],
    ["f1", 1.9],
  ])("has a battery of code %s with %d volts", (code, volts) => {
    expect(behind(`01 ${code}`)).toEqual([["Voltage", "V", 0, volts]]);
  });

  it("has the register at the end of each month", () => {
    const months = Array.from({ length: 12 }, (_, at) => `${byte(at + 1)}0000`).join("");

    expect(behind(`10 ${months}`).map(([name, , , value]) => [name, value])).toEqual([
      ["Volume at the end of January", 0.01],
      ["Volume at the end of February", 0.02],
      ["Volume at the end of March", 0.03],
      ["Volume at the end of April", 0.04],
      ["Volume at the end of May", 0.05],
      ["Volume at the end of June", 0.06],
      ["Volume at the end of July", 0.07],
      ["Volume at the end of August", 0.08],
      ["Volume at the end of September", 0.09],
      ["Volume at the end of October", 0.1],
      ["Volume at the end of November", 0.11],
      ["Volume at the end of December", 0.12],
    ]);
    const first = (month: string) => behind(`10 ${month} ${"000000".repeat(11)}`)[0]?.[3];
    expect([first("7f9698"), first("809698")]).toEqual([99_999.99, null]);
  });

  it.each([
    ["00", [], []],
    ["00 aabb", [], []],
    ["04 e8030000", [["Volume", "m^3", 0, 1]], []],
    ["08", [], []],
    ["0c e8030000 aa", [["Volume", "m^3", 0, 1]], []],
    ["02 aabbccdd", [], []],
    ["80 aabbcc", [], []],
    ["86 aabbccdd aabbcc e8030000", [["Volume", "m^3", 0, 1]], []],
    ["18 aa", [["Manufacturer specific", "", 0, "18 AA"]], ["contents 18 of the maker's data are not known"]],
    ["20 aa", [["Manufacturer specific", "", 0, "20 AA"]], ["contents 20 of the maker's data are not known"]],
    ["41 01 aa", [["Voltage", "V", 0, 1.9]], ["contents 41 of the maker's data are not known"]],
  ])("with contents %s has these parts", (added, expected, warnings) => {
    const keptRaw = expected.length === 0 ? [["Manufacturer specific", "", 0, rawOf(added)]] : expected;

    expect(behind(added)).toEqual(keptRaw);
    expect(readWmbus(telegram(added)).warnings).toEqual(warnings);
  });

  it.each(["02 aabbcc", "80 aabb", "04 aabbcc", "01", "10 010000"])(
    "that ends early, %s, loses it all",
    (added) => {
      expect(readWmbus(telegram(added)).warnings.join()).toMatch(
        /^the maker's data behind the records is not read: \d+ bytes wanted, \d+ left$/,
      );
    },
  );
});

const rawOf = (hex: string): string =>
  toHex(fromHex(hex))
    .toUpperCase()
    .replaceAll(/(..)(?=.)/g, "$1 ");

describe("GWF", () => {
  const telegram = (added: string): Uint8Array =>
    buildTelegram(fromHex(`0413 01000000 0f ${added}`), {
      ...{ ...meter, manufacturer: "GWF", version: 1, medium: 7 },
    });

  it.each([
    ["01 20 f8", 0x20, 15.5],
    ["01 ff 08", 0xff, 0.5],
    ["01 00 07 aabb", 0, 0],
  ])("with %s has flags %i and %d years of battery", (added, flags, years) => {
    expect(records(telegram(added)).slice(1)).toEqual([
      ["Error flags", "", 0, flags],
      ["Remaining battery life", "year", 0, years],
    ]);
  });

  it("of another type is kept raw", () => {
    expect(records(telegram("03 20 f8")).slice(1)).toEqual([["Manufacturer specific", "", 0, "03 20 F8"]]);
    expect(readWmbus(telegram("00")).warnings).toEqual(["type 0 of the maker's data is not known"]);
  });
});

describe("Apator 08 and 17-2", () => {
  const telegram = (manufacturer: string, ids: string, content: string): Uint8Array =>
    telegramOf(fromHex(`${manufacturer} 78563412 ${ids}`), 0xa0, fromHex(content));

  it("count thirds of a litre, or of a cubic metre, in four bytes", () => {
    const value = (ids: string, content: string) => records(telegram("1406", ids, content))[0]?.[3];
    const first = (content: string) => value("0303", content);

    expect(first("03000000")).toBe(0.001);
    expect(first("00030000")).toBe(0.256);
    expect(first("00000300")).toBe(65.536);
    expect(first("00000003")).toBe(16_777.216);
    expect(first("fda2e111")).toBe(99_999.999);
    expect(first("00a3e111")).toBeUndefined();
    expect([value("0411", "03000000"), value("0411", "04000000")]).toEqual([1, 1.333_333]);
    expect(readWmbus(telegram("1406", "0411", "e0930400")).warnings).toEqual([
      "a total that cannot be: 100000 m³",
    ]);
  });

  it("have bytes of no known meaning behind them", () => {
    expect(namesFrom(telegram("1406", "0303", "03000000 aabb"), 11)).toEqual([
      [0, 4, "total"],
      [4, 2, "not_known"],
    ]);
  });
});
