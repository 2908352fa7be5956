import { describe, expect, it } from "vitest";
import { ByteReader, fromHex, toHex, type Span } from "../core/bytes.ts";
import { codeOf } from "../core/spans.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { readAuthentication } from "./authentication.ts";
import { crcEn13757 } from "./crc.ts";
import { encryptBlocks, vectorOfMode5 } from "./crypto.ts";
import { decodeWmbus } from "./decode.ts";
import { buildTelegram } from "./encode.ts";
import { wmbusName, wmbusSender } from "./identity.ts";
import { readWmbus } from "./telegram.ts";

const key = fromHex("000102030405060708090a0b0c0d0e0f");
const address = "9236 78563412 0107";
/** A telegram of MTR 12345678 from L on, with this behind its address. */
const telegram = (hex: string, of: { c?: string; address?: string } = {}): Uint8Array => {
  const body = fromHex(`${of.c ?? "44"} ${of.address ?? address} ${hex}`);
  return Uint8Array.of(body.length, ...body);
};
const refused = (hex: string, given?: Uint8Array) =>
  refusalOf(() => readWmbus(telegram(hex), { key: given }));
const volume = "0c13 78563412";
const names = (bytes: Uint8Array, given?: Uint8Array): unknown[] => {
  const trace: Span[] = [];
  readWmbus(bytes, { trace, key: given });
  return trace.map(({ offset, bytes: count, name }) => [offset, count, codeOf(name)]);
};
const checked = (content: string): string => {
  const sum = crcEn13757(fromHex(content));
  return `${toHex([sum & 0xff, sum >> 8])} ${content}`;
};

describe("the layer behind the address", () => {
  // Source: EN 13757-7:2018, table 2.
  it.each([
    [0x6e, "error, short header", "ci_error_short_header"],
    [0x6f, "error, long header", "ci_error_long_header"],
    [0x74, "alarm, short header", "ci_alarm_short_header"],
    [0x75, "alarm, long header", "ci_alarm_long_header"],
    [0x7c, "COSEM, long header", "ci_cosem_long_header"],
    [0x7d, "COSEM, short header", "ci_cosem_short_header"],
    [0x8a, "transport layer only, short header", "ci_transport_layer_only_short_header"],
    [0x8b, "transport layer only, long header", "ci_transport_layer_only_long_header"],
    [0x5a, "not an answer that can be read", "unknown"],
    [0x71, "not an answer that can be read", "unknown"],
    [0x9f, "not an answer that can be read", "unknown"],
    [0xb8, "not an answer that can be read", "unknown"],
  ])("of CI %i is refused by its name: %s", (ci, words, word) => {
    const trace: Span[] = [];
    const bytes = telegram(toHex([ci]));
    let message = "";
    try {
      readWmbus(bytes, { trace });
    } catch (error) {
      message = String(error);
    }

    expect(message).toBe(`ProtocolError: CI ${ci.toString(16)}: ${words}`);
    expect(refusalOf(() => readWmbus(bytes))).toEqual({ kind: "unsupported", offset: 10 });
    expect(trace.at(-1)).toMatchObject({ offset: 10, bytes: 1, name: "ci_layer", value: { word } });
  });

  it.each([
    ["72", "78563412 9236 01 07 2a 00 0000", "ci_records_long_header"],
    ["78", "", "ci_records_no_header"],
    ["7a", "2a 00 0000", "ci_records_short_header"],
    ["8c", `20 2a 78`, "ci_extended_link_layer_short"],
    ["8d", "", "ci_extended_link_layer_with_session"],
    ["8e", `20 2a ${address} 78`, "ci_extended_link_layer_with_address"],
    ["90", "02 0000 78", "ci_authentication_and_fragmentation_layer"],
  ])("of CI %s is named", (ci, header, word) => {
    const trace: Span[] = [];
    const body = ci === "8d" ? `20 2a 00000000 ${checked(`78 ${volume}`)}` : `${header} ${volume}`;

    expect(readWmbus(telegram(`${ci} ${body}`), { trace }).records).toMatchObject([{ value: 12_345.678 }]);
    expect(trace.find(({ name }) => name === "ci_layer")?.value).toEqual({ word });
  });

  it.each(["a0", "b7"])("of CI %s is the maker's, and kept raw with a warning", (ci) => {
    const { readings, warnings } = decodeWmbus(telegram(`${ci} 010203`));
    const words = `Maker's own data, CI ${ci.toUpperCase()}`;

    expect(readings).toEqual([
      {
        ...{ name: words, value: null, unit: "", storage: 0, tariff: 0, subunit: 0 },
        ...{ function: "instantaneous", raw: "010203" },
      },
    ]);
    expect(warnings).toEqual([
      `CI ${ci.toUpperCase()} is the maker's own: the content is kept raw and not decoded`,
    ]);
    expect(readWmbus(telegram(`8c 20 2b ${ci} 01`))).toMatchObject({
      accessNumber: 0x2b,
      protection: "none",
    });
    expect(names(telegram(`${ci} 010203`)).slice(-2)).toEqual([
      [10, 1, "ci_layer"],
      [11, 3, "makers_data"],
    ]);
  });

  it("of an error report gives its code", () => {
    expect(refused("70 08")).toEqual({ kind: "refused", offset: 10 });
    expect(refused("70")).toEqual({ kind: "refused", offset: 10 });
  });

  it("that is missing or ends early is refused at its place", () => {
    expect(refused("")).toEqual({ kind: "unexpected", offset: 0 });
    expect(refused("7a 2a 00 00")).toEqual({ kind: "unexpected", offset: 13 });
    expect(refused("72 785634")).toEqual({ kind: "unexpected", offset: 11 });
    expect(refused("8c 20")).toEqual({ kind: "unexpected", offset: 12 });
    expect(refused("8d 20 2a 000000")).toEqual({ kind: "unexpected", offset: 13 });
    expect(refused("90 02 00")).toEqual({ kind: "unexpected", offset: 12 });
  });
});

describe("the link layer", () => {
  // Source: EN 13757-4:2019, table 23.
  it.each([
    ["00", "ACK"],
    ["08", "RSP_UD"],
    ["18", "RSP_UD"],
    ["44", "SND_NR"],
    ["46", "SND_IR"],
    ["47", "ACC_NR"],
    ["48", "ACC_DMD"],
    ["53", 0x53],
  ])("with control field %s is %s", (c, word) => {
    const trace: Span[] = [];
    const { link } = readWmbus(telegram(`78 ${volume}`, { c }), { trace });

    expect(link).toMatchObject({
      ...{ control: Number.parseInt(c, 16), manufacturer: "MTR", id: "12345678", version: 1, medium: 7 },
      ...{ mediumName: "Water", address: fromHex(address) },
    });
    expect(trace.map(({ offset, bytes, name, value }) => [offset, bytes, name, value]).slice(0, 6)).toEqual([
      [0, 1, "l_field", 16],
      [1, 1, "c_field", word],
      [2, 2, "m_field", "MTR"],
      [4, 4, "identification_number", "12345678"],
      [8, 1, "version", 1],
      [9, 1, "medium", { word: "medium_water" }],
    ]);
  });

  it("is that of a radio module where the long header names the meter", () => {
    const { device } = decodeWmbus(telegram(`72 21436587 2d2c 0b 04 2a 04 0000 ${volume}`));

    expect(device).toEqual({
      ...{ id: "87654321", manufacturer: "KAM", version: 11, medium: "Heat: Outlet" },
      ...{
        radioModule: "MTR 12345678",
        accessNumber: 0x2a,
        status: 4,
        protection: "none",
        checkSums: "none",
      },
    });
    expect(decodeWmbus(telegram(`78 ${volume}`)).device).toEqual({
      ...{ id: "12345678", manufacturer: "MTR", version: 1, medium: "Water" },
      ...{ protection: "none", checkSums: "none" },
    });
    expect(readWmbus(telegram(`72 21436587 2d2c 0b 04 2a 04 0000`)).meter.address).toEqual(
      fromHex("2d2c 21436587 0b04"),
    );
  });

  it("has bytes behind it that are told of", () => {
    const longer = Uint8Array.of(...telegram(`78 ${volume}`), 1, 2);

    expect(readWmbus(longer).warnings).toEqual(["2 bytes behind the telegram are left out"]);
    expect(names(longer).at(-1)).toEqual([17, 2, "behind_telegram"]);
  });
});

describe("the extended link layer", () => {
  it("has the number of the telegram, and with an address the meter", () => {
    const own = "2d2c 21436587 0b04";

    expect(readWmbus(telegram(`8c 20 2a 78 ${volume}`)).accessNumber).toBe(0x2a);
    expect(readWmbus(telegram(`8c 20 2a 7a 2b 00 0000 ${volume}`)).accessNumber).toBe(0x2b);
    expect(readWmbus(telegram(`8e 20 2a ${own} 78 ${volume}`)).meter.id).toBe("87654321");
    expect(readWmbus(telegram(`8f 20 2a ${own} 00000000 ${checked(`78 ${volume}`)}`)).meter.id).toBe(
      "87654321",
    );
    expect(readWmbus(telegram(`8c 20 2a 78 ${volume}`)).meter.id).toBe("12345678");
  });

  it("with a session is encrypted or not, as three bits of it say", () => {
    const plain = (session: string, content = checked(`78 ${volume}`)) => `8d 20 2a ${session} ${content}`;

    expect(readWmbus(telegram(plain("00000000"))).protection).toBe("none");
    expect(readWmbus(telegram(plain("ffffff1f"))).protection).toBe("none");
    expect(readWmbus(telegram(plain("00000020")))).toMatchObject({
      ...{ protection: "removed", records: [{ value: 12_345.678 }] },
      warnings: ["encryption is announced, but the receiver has already taken it off"],
    });
    expect(refused(plain("00000040"))).toEqual({ kind: "unsupported", offset: 13 });
    expect(refused(plain("000000e0"), key)).toEqual({ kind: "unsupported", offset: 13 });
    expect(refused(plain("00000000", "0000 78"))).toEqual({ kind: "checksum", offset: 17 });
    expect(refused(plain("00000000", "ffff"))).toEqual({ kind: "checksum", offset: 17 });
    expect(refused(plain("00000020", "0000 78"))).toEqual({ kind: "bad_password", offset: 17 });
    expect(refused(plain("00000020"), key)).toEqual({ kind: "bad_password", offset: 17 });
  });

  it("is named to the byte, and what was encrypted is marked", () => {
    expect(names(telegram(`8d 20 2a 00000000 ${checked(`78 ${volume}`)}`)).slice(6)).toEqual([
      [10, 1, "ci_layer"],
      [11, 1, "cc_field"],
      [12, 1, "link_access_number"],
      [13, 4, "session_number"],
      [17, 2, "payload_check"],
      [19, 1, "ci_layer"],
      [20, 1, "dif"],
      [21, 1, "vif"],
      [22, 4, "volume"],
    ]);
    const sealed = buildTelegram(fromHex(volume), {
      ...{ manufacturer: "MTR", id: "12345678", version: 1, medium: 7, accessNumber: 42 },
      ...{ security: "extended", key },
    });
    const trace: Span[] = [];
    readWmbus(sealed, { key, trace });
    expect(trace.map(({ name }) => typeof name !== "string" && name.isDecrypted === true)).toEqual([
      ...new Array<boolean>(10).fill(false),
      ...new Array<boolean>(5).fill(true),
    ]);
  });
});

describe("the authentication layer", () => {
  /** Source: OMS vol. 2, clause 6: bits of the fragmentation control and the fields that they announce. */
  it.each([
    ["02 0000", {}],
    ["02 0100", {}],
    ["03 0020 05", { control: 5 }],
    ["04 0002 aabb", {}],
    ["06 0008 01020304", { counter: 0x0403_0201 }],
    ["04 0010 1400", {}],
    ["05 0024 03 aabb", { control: 3, code: "aabb" }],
    ["07 0024 04 aabbccdd", { control: 4, code: "aabbccdd" }],
    ["0b 0024 05 0102030405060708", { control: 5, code: "0102030405060708" }],
    ["0f 0024 26 0102030405060708090a0b0c", { control: 0x26, code: "0102030405060708090a0b0c" }],
    ["13 0024 07 000102030405060708090a0b0c0d0e0f", { control: 7, code: toHex(key) }],
    ["0f 0024 08 0102030405060708090a0b0c", { control: 8, code: "0102030405060708090a0b0c" }],
    ["0d 003e 03 aabb 01020304 0a0b 1400", { control: 3, counter: 0x0403_0201, code: "0a0b" }],
  ])("%s is read with its fields", (...[layer, fields]: readonly [string, object]) => {
    const { code, ...others } = readAuthentication(new ByteReader(fromHex(layer)));

    expect({ ...others, ...(code && { code: toHex(code) }) }).toStrictEqual(fields);
    expect(readWmbus(telegram(`90 ${layer} 78 ${volume}`)).records).toMatchObject([{ value: 12_345.678 }]);
  });

  it.each([
    ["fragments that follow", "02 0040", "unsupported", 12],
    ["a second fragment", "02 0200", "unsupported", 12],
    ["a code without its kind", "02 0004", "unsupported", 14],
    ["a code of no known kind", "03 0024 09", "unsupported", 15],
    ["a length that is short", "01 0000", "unexpected", 14],
    ["a length that is long", "03 0000", "unexpected", 14],
    ["a field that is missing", "06 0008 010203", "unexpected", 14],
  ])("with %s is refused", (_, layer, kind, offset) => {
    expect(refused(`90 ${layer}`)).toEqual({ kind, offset });
  });

  it("is named to the byte", () => {
    expect(names(telegram(`90 0d 003e 03 aabb 01020304 0a0b 1400 78 ${volume}`)).slice(6, 15)).toEqual([
      [10, 1, "ci_layer"],
      [11, 1, "authentication_length"],
      [12, 2, "fragmentation_control"],
      [14, 1, "message_control"],
      [15, 2, "key_information"],
      [17, 4, "message_counter"],
      [21, 2, "authentication_code"],
      [23, 2, "message_length"],
      [25, 1, "ci_layer"],
    ]);
  });
});

describe("the transport layer", () => {
  const plain = fromHex(`2f2f ${volume} 2f2f2f2f2f2f2f2f`);
  const sealedBy = (given: Uint8Array) => encryptBlocks(given, vectorOfMode5(fromHex(address), 0x2a), plain);
  const mode5 = (word: string, rest = toHex(sealedBy(key))) => telegram(`7a 2a 00 ${word} ${rest}`);

  it("in mode 5 is opened by the key of the meter, also before bytes that are not encrypted", () => {
    expect(readWmbus(mode5("1005"), { key })).toMatchObject({
      protection: "mode 5",
      warnings: [],
      status: 0,
    });
    const more = readWmbus(mode5("1005", `${toHex(sealedBy(key))} 0413 05000000`), { key });
    expect(more.records.map(({ value }) => value)).toEqual([12_345.678, 0.005]);
    expect(names(mode5("1005", `${toHex(sealedBy(key))} 0413 05000000`), key).slice(-3)).toEqual([
      [31, 1, "dif"],
      [32, 1, "vif"],
      [33, 4, "volume"],
    ]);
  });

  it("whose word says that nothing is encrypted is read as it is", () => {
    for (const word of ["0000", "0005", "f000", "00e0"])
      expect(readWmbus(telegram(`7a 2a 00 ${word} ${volume}`)), word).toMatchObject({
        ...{ protection: "none", records: [{ value: 12_345.678 }] },
      });
    expect(readWmbus(telegram(`7a 2a 00 0007 10 ${volume}`)).records).toMatchObject([{ value: 12_345.678 }]);
  });

  it("that was opened by the receiver says so", () => {
    expect(readWmbus(mode5("1005", toHex(plain)))).toMatchObject({ protection: "removed" });
    expect(refusalOf(() => readWmbus(mode5("1005", toHex(plain.with(0, 0)))))?.kind).toBe("bad_password");
    expect(refusalOf(() => readWmbus(mode5("1005", toHex(plain.with(1, 0)))))?.kind).toBe("bad_password");
  });

  it.each([
    ["no key", "1005", undefined, "bad_password", 15],
    ["another key", "1005", key.with(0, 1), "bad_password", 15],
    ["fewer bytes than it says", "2005", key, "unexpected", 15],
    ["a mode that is not read", "100d", key, "unsupported", 15],
    ["mode 1", "1001", key, "unsupported", 15],
  ])("with %s is refused behind its header", (_, word, given, kind, offset) => {
    expect(refusalOf(() => readWmbus(mode5(word), { key: given }))).toEqual({ kind, offset });
  });

  it("in mode 7 without its authentication is refused", () => {
    expect(refused(`7a 2a 00 1007 10 ${toHex(plain)}`, key)).toEqual({
      ...{ kind: "unsupported", offset: 16 },
    });
  });

  it("in mode 7 is read with control, counter and code only, and with the right ones", () => {
    const built = buildTelegram(fromHex(volume), {
      ...{
        manufacturer: "MTR",
        id: "12345678",
        version: 1,
        medium: 7,
        accessNumber: 42,
        counter: 0x0102_0304,
      },
      ...{ security: "mode7", key },
    });
    /** L 11, 8C and 2, then 90, length, control 2, message control, counter 4, code 8. */
    const layer = { control: 17, counter: 18, code: 22, content: 30 };
    const refusedBy = (bytes: Uint8Array) => refusalOf(() => readWmbus(bytes, { key }))?.kind;

    expect(readWmbus(built, { key })).toMatchObject({ protection: "mode 7", accessNumber: 42 });
    for (const at of [
      layer.counter,
      layer.counter + 3,
      layer.code,
      layer.code + 7,
      layer.content,
      built.length - 1,
    ])
      expect(refusedBy(built.map((byte, place) => (place === at ? byte ^ 1 : byte))), String(at)).toBe(
        "bad_password",
      );
    expect(refusedBy(built.with(layer.control, 0x35))).toBe("bad_password");
    expect(refusalOf(() => readWmbus(built))).toEqual({ kind: "bad_password", offset: 36 });
  });
});

describe("the sender, before anything is opened", () => {
  const nameOf = (hex: string) => wmbusName(wmbusSender(telegram(hex)));
  const inner = "21436587 2d2c 0b 04";
  const [own, meter] = ["MTR-12345678-01-07", "KAM-87654321-0B-04"];

  it.each([
    ["6f", meter],
    ["72", meter],
    ["73", meter],
    ["75", meter],
    ["7c", meter],
    ["8b", meter],
    ["6e", own],
    ["7a", own],
    ["78", own],
    ["a2", own],
  ])("behind CI %s is %s", (ci, name) => {
    expect(nameOf(`${ci} ${inner} 2a 00 0000`)).toBe(name);
  });

  it.each([
    [`8c 20 2a 72 ${inner} 2a 00 0000`, meter],
    [`8e 20 2a 2d2c 21436587 0b04 7a`, meter],
    [`8d 20 2a 00000000 1234 72 ${inner} 2a 00 0000`, meter],
    [`8d 20 2a 00000020 1234 72 ${inner} 2a 00 0000`, own],
    [`8d 20 2a ffffff1f 1234 72 ${inner} 2a 00 0000`, meter],
    [`8f 20 2a 2d2c 21436587 0b04 00000020`, meter],
    [`90 02 0000 72 ${inner} 2a 00 0000`, meter],
    [`8c 20 2a 90 02 0000 72 ${inner} 2a 00 0000`, meter],
    [`8b ${inner}`, own],
    [`90 02 0040 72 ${inner} 2a 00 0000`, own],
    [`8d 20 2a 0000`, own],
    ["72", own],
  ])("behind the layers %s is %s", (hex, name) => {
    expect(nameOf(hex)).toBe(name);
  });
});
