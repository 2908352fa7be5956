import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { codeOf } from "../core/spans.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeRecords } from "../mbus/records.ts";
import { formatCache } from "./compact.ts";
import { soundRecords } from "./damage.ts";
import { decodeWmbus } from "./decode.ts";
import { explainWmbus, filledSpans, wmbus, type WmbusOptions } from "./driver.ts";
import { buildTelegram } from "./encode.ts";
import { mbusPayload } from "./payload.ts";

const encryption = "000102030405060708090a0b0c0d0e0f";
const key = fromHex(encryption);
const scale = { impulseWeight: 1, startingValue: 0 };
const device = { insideAddr: "", deviceID: "12345678", ...scale };
const at = 1_795_251_600;
const options = {
  ...{ resource: "water", manufacturers: ["MTR", "OLD"], version: 1, medium: 7 },
  records: [{ code: "0C 13", field: "in1" }],
} as const satisfies WmbusOptions;
const meter = { manufacturer: "MTR", id: "12345678", version: 1, medium: 7, accessNumber: 42 } as const;
const sent = (hex: string, of: Partial<Parameters<typeof buildTelegram>[1]> = {}) =>
  buildTelegram(fromHex(hex), { ...meter, security: "none", ...of });
const volume = "0c13 78563412";

describe("the driver of a meter that sends", () => {
  const read = (telegram: Uint8Array, of: Partial<WmbusOptions> = {}, to: object = {}) =>
    wmbus({ ...options, ...of }).decode(telegram, 0, { ...scale, ...to });
  const refused = (...given: Parameters<typeof read>) => refusalOf(() => read(...given))?.kind;

  it("takes telegrams of its makers and of its number, or of any if it has none", () => {
    expect(read(sent(volume))).toEqual([{ msgType: 1, at: null, values: { in1: 12_345.678 } }]);
    expect(read(sent(volume, { manufacturer: "OLD" }))).toHaveLength(1);
    expect(refused(sent(volume, { manufacturer: "XYZ" }))).toBe("unexpected");
    for (const deviceID of ["12345678", " MTR 12345678 ", "9912345678", "no number", "1234567"])
      expect(read(sent(volume), {}, { deviceID }), deviceID).toHaveLength(1);
    for (const deviceID of ["12345679", "22345678", "MTR-12345679"])
      expect(refused(sent(volume), {}, { deviceID }), deviceID).toBe("unexpected");
  });

  // Source: EN 13757-7:2018, table 13: electricity, gas, heat and cooling, water, allocators, smoke.
  const kinds = [
    [0x02],
    [0x03],
    [0x04, 0x0a, 0x0b, 0x0c, 0x0d],
    [0x06, 0x07, 0x15, 0x16, 0x17],
    [0x08],
    [0x1a],
  ];

  it.each(kinds.flatMap((media, kind) => media.map((medium) => [medium, kind] as const)))(
    "of medium %i takes telegrams of its own kind of meter, and of none that is known to be another",
    (medium, kind) => {
      kinds.flat().forEach((other) => {
        const isOwn = kinds[kind]?.includes(other) === true;
        expect(refused(sent(volume, { medium: other }), { medium }), String(other)).toBe(
          isOwn ? undefined : "unsupported",
        );
      });
      expect(refused(sent(volume, { medium: 0x0f }), { medium })).toBeUndefined();
      expect(refused(sent(volume, { medium }), { medium: 0x0f })).toBeUndefined();
    },
  );

  it("takes nothing that anyone could have sent if it has a key", () => {
    const keys = { encryption };

    expect(read(sent(volume, { security: "mode5", key }), {}, { keys })).toHaveLength(1);
    expect(refused(sent(volume), {}, { keys })).toBe("bad_password");
    expect(refused(sent(volume, { security: "mode5", key }))).toBe("bad_password");
    expect(refused(sent(volume), {}, { keys: { encryption: "00" } })).toBe("bad_password");
  });

  it("learns the format of a full frame only from its own meter", () => {
    const learn = (telegram: Uint8Array, to: object = {}) => {
      const formats = formatCache();
      const kind = refused(telegram, { records: [{ code: "0C 14", field: "in1" }] }, { formats, ...to });
      const compact = sent(`${volume} 0c14 01000000`, { isCompact: true });
      return [kind, refusalOf(() => decodeWmbus(compact, { formats }))?.kind];
    };
    const full = `${volume} 0c14 01000000`;

    expect(learn(sent(full))).toEqual([undefined, undefined]);
    expect(learn(sent(full, { manufacturer: "XYZ" }))).toEqual(["unexpected", "unsupported"]);
    expect(learn(sent(full), { keys: { encryption } })).toEqual(["bad_password", "unsupported"]);
    expect(learn(sent(`${full} 0c13 01`))).toEqual([undefined, "unsupported"]);
  });

  it("reads compact frames of its own records, of the model's other formats, and of those it has seen", () => {
    const compact = sent(`0c14 01000000 ${volume}`, { isCompact: true });
    const seen = formatCache(["0c14 0c13"]);

    expect(read(sent(volume, { isCompact: true }))).toHaveLength(1);
    expect(refused(compact)).toBe("unsupported");
    expect(read(compact, { formats: ["0c14 0c13"] })).toHaveLength(1);
    expect(read(compact, {}, { formats: seen })).toHaveLength(1);
  });

  it("refuses a telegram of a layout that is not known", () => {
    expect(read(sent(`${volume} 0c13 0000`))).toMatchObject([
      { warnings: ["the records end early, the rest is left out: 4 bytes wanted, 2 left"] },
    ]);
    // Four bytes may be cut off, five are no record.
    expect(refused(sent(`${volume} 0c13 0000`))).toBeUndefined();
    expect(refused(sent(`${volume} 0c13 000000`))).toBe("unsupported");
    expect(refused(sent(`${volume} 0003`))).toBeUndefined();
    expect(refused(sent(`${volume} 0003 0004`))).toBe("unsupported");
    expect(
      read(sent(`${volume} 0c13 000000`, { security: "mode5", key }), {}, { keys: { encryption } }),
    ).toHaveLength(1);
  });

  it("says why none of its records was found", () => {
    const message = (telegram: Uint8Array) => {
      try {
        read(telegram);
      } catch (error) {
        return String(error);
      }
      return "";
    };
    const none = "ProtocolError: none of the records that the model names is in the telegram";

    expect(message(sent("0c06 01000000"))).toBe(none);
    expect(message(sent("0c06 01000000 0c"))).toBe(
      `${none}; the records end early, the rest is left out: 1 bytes wanted, 0 left`,
    );
  });

  it("warns of alarms first, then of what was not read", () => {
    const telegram = sent(`${volume} 0c13 00`).with(12, 0x04);

    expect(read(telegram)[0]?.warnings).toEqual([
      "status: power low",
      "the records end early, the rest is left out: 4 bytes wanted, 1 left",
    ]);
  });

  it("sends with its clock, its number and its values", () => {
    const driver = wmbus({
      ...options,
      utcOffsetMinutes: 60,
      records: [
        ...[{ code: "06 6D" }, { code: "02 6C" }, { code: "0C 78" }, { code: "04 7A" }],
        ...[{ code: "01 FD 17", value: 5 }, { code: "0C 13", field: "in1" } as const],
      ],
    });
    const { fport, payload } = driver.encode(device, () => 12.345, at + 0.9);
    const values = decodeWmbus(payload).readings.map(({ value }) => value);

    expect(fport).toBe(0);
    expect(values).toEqual(["2026-11-21T10:00:00Z", "2026-11-21", 12_345_678, 0, 5, 12.345]);
    expect(decodeWmbus(payload).device).toMatchObject({
      accessNumber: Math.floor(at / 16) & 0xff,
      version: 1,
    });
    const ofDigits = (deviceID: string) =>
      decodeWmbus(wmbus(options).encode({ ...device, deviceID }, () => 1, at).payload).device["id"];
    expect([ofDigits("MTR-1234"), ofDigits("9912345678"), ofDigits("")]).toEqual([
      ...["00001234", "12345678", "00000000"],
    ]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "wmbus" });
    expect(Object.keys(driver.secrets ?? {})).toEqual(["encryption"]);
  });

  it("counts its telegrams by 16 seconds, which is part of their keys", () => {
    const sentAt = (time: number) => {
      const driver = wmbus({ ...options, security: "mode7" });
      const { payload } = driver.encode({ ...device, keys: { encryption } }, () => 1, time);
      return new DataView(payload.buffer).getUint32(18, true);
    };

    expect([sentAt(at), sentAt(at + 15.9), sentAt(at + 16)]).toEqual([112_203_225, 112_203_225, 112_203_226]);
  });

  it("protects what it sends with mode 5 unless its model says otherwise", () => {
    const protection = (of: Partial<WmbusOptions>, keys?: { encryption: string }) => {
      const { payload } = wmbus({ ...options, ...of }).encode(
        { ...device, ...(keys && { keys }) },
        () => 1,
        at,
      );
      return decodeWmbus(payload, { key: keys?.encryption }).device["protection"];
    };

    expect(protection({})).toBe("none");
    expect(protection({ security: "mode7" })).toBe("none");
    expect(protection({}, { encryption })).toBe("mode 5");
    expect(protection({ security: "mode7" }, { encryption })).toBe("mode 7");
    expect(protection({ security: "extended" }, { encryption })).toBe("extended link layer");
  });
});

describe("a telegram for people", () => {
  it("has warnings of status, layers, values and makers' data, in this order", () => {
    const telegram = sent(`0c13 0a000000 0f aa`).with(12, 0x18);

    expect(decodeWmbus(Uint8Array.of(...telegram, 1)).warnings).toEqual([
      ...["status: permanent error", "status: temporary error"],
      ...["1 bytes behind the telegram are left out"],
      "record 1: digits are not decimal, no value (0.01)",
      "data behind DIF 0F is the maker's own: kept raw and not decoded",
    ]);
    expect(decodeWmbus(sent(`${volume} 1f`)).warnings).toEqual([]);
    expect(decodeWmbus(sent(volume)).protocol).toBe("wmbus");
    expect(refusalOf(() => decodeWmbus(sent(volume), { key: "12" }))?.kind).toBe("bad_password");
  });
});

describe("the bytes of a telegram", () => {
  const names = (bytes: Uint8Array, given?: Uint8Array) =>
    explainWmbus(bytes, { key: given }).map(({ offset, bytes: count, name }) => [
      offset,
      count,
      codeOf(name),
    ]);

  it("are all named, fillers in one, and what was encrypted by its plain text", () => {
    const sealed = sent(volume, { security: "mode5", key });
    const spans = explainWmbus(sealed, { key }).slice(-5);

    expect(names(sealed, key).slice(-5)).toEqual([
      [15, 2, "filler"],
      [17, 1, "dif"],
      [18, 1, "vif"],
      [19, 4, "volume"],
      [23, 8, "filler"],
    ]);
    expect(spans.map(({ name }) => typeof name !== "string" && name.isDecrypted)).toEqual(
      new Array(5).fill(true),
    );
    expect(spans[0]?.value).toBeNull();
    expect(names(sealed).at(-1)).toEqual([15, 16, "undecoded"]);
    expect(names(sent(`2f ${volume}`)).slice(-4)[0]).toEqual([15, 1, "filler"]);
  });

  it("are told from those that are not encrypted behind them", () => {
    const sealed = sent(volume, { security: "mode5", key });
    const more = Uint8Array.of(...sealed, 0x2f, 0x2f).with(0, sealed.length + 1);

    expect(names(more, key).slice(-2)).toEqual([
      [23, 8, "filler"],
      [31, 2, "filler"],
    ]);
  });

  it("between spans are named by the reason, and a span that overlaps one before is left out", () => {
    const span = (offset: number, bytes: number): Span => ({ offset, bytes, name: "status", value: 1 });
    const filled = (spans: Span[]) =>
      filledSpans(fromHex("000102030405"), spans, "not_named").map(({ offset, bytes, name, value }) => [
        ...[offset, bytes, name, value],
      ]);

    expect(filled([])).toEqual([[0, 6, "not_named", "000102030405"]]);
    expect(filled([span(4, 2), span(1, 2)])).toEqual([
      [0, 1, "not_named", "00"],
      [1, 2, "status", 1],
      [3, 1, "not_named", "03"],
      [4, 2, "status", 1],
    ]);
    expect(filled([span(0, 3), span(2, 2), span(3, 2), span(5, 2)])).toEqual([
      [0, 3, "status", 1],
      [3, 2, "status", 1],
      [5, 1, "not_named", "05"],
    ]);
  });
});

describe("records that may be damaged", () => {
  /** The records of 48 encrypted bytes; the first two records fill the first block and a half. */
  const list = (hex: string, of: { encrypted?: number; lenient?: boolean } = {}) => {
    const bytes = fromHex(hex);
    const { encrypted = bytes.length } = of;
    const read = decodeRecords(bytes, { withPlaces: true, isLenient: true });
    return soundRecords(read, { encrypted, total: bytes.length });
  };
  const good = "04 13 01000000";
  const eight = `${good} `.repeat(8);
  const kept = (hex: string, of: Parameters<typeof list>[1] = {}) => list(hex, of).records.length;

  it("are all kept if nothing speaks against them", () => {
    expect(kept(eight)).toBe(8);
    expect(list(eight).broken).toBeUndefined();
  });

  it.each([
    ["a counter far below zero", `${eight} 0413 ffffff80`, 5],
    ["a list that breaks off", `${eight} 0413 0000`, 5],
    ["two codes that nobody knows", `${eight} 01fd77 01 01fd77 01`, 5],
    ["two reasons of missing values", `${eight} 049315 01000000 049315 01000000`, 5],
    ["two values that are no digits", `${eight} 0c13 0a000000 0c13 0a000000`, 5],
    ["two records without data", `${eight} 0013 0013`, 5],
    ["two texts for numbers", `${eight} 0d13 01 41 0d13 01 41`, 5],
    ["two storages of 128", `${eight} 84800413 01000000 84800413 01000000`, 5],
    ["two maxima of a counter", `${eight} 1413 01000000 1413 01000000`, 5],
    ["two words that nobody knows", `${eight} 049308 01000000 049308 01000000`, 5],
    ["a counter that comes with two other values", `${eight} 0413 02000000 0413 03000000`, 5],
    ["one of each of two", `${eight} 01fd77 01 1413 01000000`, 5],
  ])("end a block before %s", (_, hex, count) => {
    expect(kept(hex)).toBe(count);
    expect(list(hex).broken).toMatchObject({ kind: "unexpected" });
  });

  it.each([
    ["a counter a little below zero", `${eight} 0413 ffffffff`],
    ["a negative one of three bytes", `${eight} 0313 ffff80`],
    ["a negative one with a direction", `${eight} 04933c ffffff80`],
    ["a temperature far below zero", `${eight} 045b ffffff80`],
    ["one code that nobody knows", `${eight} 01fd77 01`],
    ["two texts of texts", `${eight} 0d78 01 41 0dfd11 01 41`],
    ["two storages of 127", `${eight} c4bf0313 01000000 c4bf0313 01000000`.replaceAll("c4bf03", "c48f03")],
    ["two maxima of a temperature", `${eight} 145b 01000000 145b 01000000`],
    ["two maxima in a direction", `${eight} 14933b 01000000 14933b 01000000`],
    ["a counter that comes twice", `${eight} 0413 01000000`],
    ["one of another tariff", `${eight} 841013 02000000 842013 03000000`],
    ["one in another direction", `${eight} 04933b 02000000 04933c 03000000`],
    ["a temperature that changes", `${eight} 045b 02000000 045b 03000000 045b 04000000`],
    ["makers' data", `${eight} 0f 01`],
  ])("are all kept with %s", (_, hex) => {
    expect(list(hex).broken).toBeUndefined();
  });

  it("are kept where marks stand behind what was encrypted", () => {
    expect(kept(`${eight} 0413 ffffff80`, { encrypted: 48 })).toBe(9);
    expect(list(`${eight} 0413 0000`, { encrypted: 48 }).records).toHaveLength(8);
    expect(list(`${eight} 0413 0000`, { encrypted: 48 }).broken).toMatchObject({
      message: "4 bytes wanted, 2 left",
    });
    expect(kept(`${eight} 0413 ffffff80`, { encrypted: 49 })).toBe(5);
  });

  it("are never fewer than those of the first block, which its fillers prove", () => {
    expect(kept(`${good} 0413 ffffff80 ${eight}`)).toBe(2);
    expect(kept(`0413 ffffff80 ${eight}`)).toBe(2);
  });

  it("are returned as they are without their places", () => {
    const read = decodeRecords(fromHex(`${eight} 0413 ffffff80`));

    expect(soundRecords(read, { encrypted: 54, total: 54 })).toBe(read);
  });
});

describe("the driver of M-Bus payloads", () => {
  const rows = [{ code: "0C 13", field: "in1" }] as const;
  const driver = mbusPayload({ resource: "water", records: rows });
  const kindOf = (hex: string, deviceID?: string) =>
    refusalOf(() =>
      driver.decode(fromHex(hex), 1, { ...scale, ...(deviceID === undefined ? {} : { deviceID }) }),
    )?.kind;

  it("takes the payload of its number, if both have one", () => {
    const long = `72 78563412 9236 01 07 01 00 0000 ${volume}`;

    for (const deviceID of [undefined, "12345678", "MTR12345678", "none"])
      expect(kindOf(long, deviceID), deviceID).toBeUndefined();
    expect(kindOf(long, "12345679")).toBe("unexpected");
    expect(kindOf(volume, "12345679")).toBeUndefined();
    expect(kindOf("0c06 01000000")).toBe("unexpected");
  });

  it("takes any port without one of its own, and sends to port 1", () => {
    expect(driver.decode(fromHex(volume), 99, scale)).toHaveLength(1);
    const { fport, payload } = driver.encode({ ...device, deviceID: "AB-99912345678" }, () => 12.345, at);
    expect([fport, toHex(payload)]).toEqual([1, "0c1345230100"]);
    expect(driver).toMatchObject({ kind: "uplink", protocol: "mbus-payload" });
  });

  it("names the bytes of a payload, and those that it cannot read by the reason", () => {
    const names = (hex: string) =>
      driver.explain(fromHex(hex), 1).map(({ offset, bytes, name }) => [offset, bytes, codeOf(name)]);

    expect(names(`78 ${volume}`)).toEqual([
      [0, 1, "ci_layer"],
      [1, 1, "dif"],
      [2, 1, "vif"],
      [3, 4, "volume"],
    ]);
    expect(names("0c13 01")).toEqual([
      [0, 1, "dif"],
      [1, 1, "vif"],
      [2, 1, "undecoded"],
    ]);
    expect(refusalOf(() => driver.decode(fromHex("78 0c13 01"), 1, scale))).toEqual({
      ...{ kind: "unexpected", offset: 3 },
    });
    expect(refusalOf(() => driver.decode(new Uint8Array(0), 1, scale))).toEqual({
      kind: "unexpected",
      offset: 0,
    });
  });
});
