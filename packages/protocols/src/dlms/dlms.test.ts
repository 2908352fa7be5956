import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortestFloat } from "../core/shortestFloat.ts";
import { fromHex, toHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeApdu, encodeApdu } from "./apdu/apdu.ts";
import { cipherApdu, decipherApdu } from "./apdu/apduCiphered.ts";
import { parseObis } from "./data/axdr.ts";
import { crcX25 } from "./link/crc.ts";
import { decodeData } from "./data/data.ts";
import { encodeData } from "./data/dataEncode.ts";
import { dateTimeBytes, dateTimeOfBytes, formatDateTime, fromEpoch, toEpoch } from "./data/dateTime.ts";
import { decodeDlmsApdu } from "./decode/decode.ts";
import { decodeDlmsHdlc } from "./decode/decodeHdlc.ts";
import { explainDlms, explainDlmsApdu } from "./decode/explain.ts";
import { clientAddress, encodeHdlc, llc, matchHdlc, parseHdlc } from "./link/hdlc.ts";
import { parseHdlcControl, hdlcControl } from "./link/hdlcControl.ts";
import { protect, unprotect } from "./session/security.ts";
import { dlmsFuzz } from "./seeds/seeds.ts";
import {
  captureObjectOf,
  clockColumn,
  captureObjectData,
  entryAccess,
  entryOf,
  rangeAccess,
  rangeOf,
} from "./apdu/selectiveAccess.ts";
import type { DlmsData } from "./types.ts";
import type { HdlcFrame } from "./link/frames.ts";
import { encodeWrapper, matchWrapper } from "./link/wrapper.ts";
import { codeOf } from "../core/spans.ts";

const bytes = (max = 40) => fc.uint8Array({ maxLength: max });
const simple: fc.Arbitrary<DlmsData> = fc.oneof(
  fc.constant<DlmsData>({ type: "null" }),
  fc.boolean().map((value): DlmsData => ({ type: "bool", value })),
  fc.integer({ min: -0x80, max: 0x7f }).map((value): DlmsData => ({ type: "int8", value })),
  fc.integer({ min: -0x8000, max: 0x7fff }).map((value): DlmsData => ({ type: "int16", value })),
  fc.integer().map((value): DlmsData => ({ type: "int32", value })),
  fc.nat(0xffff).map((value): DlmsData => ({ type: "uint16", value })),
  fc.integer({ min: 0, max: 0xffffffff }).map((value): DlmsData => ({ type: "uint32", value })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): DlmsData => ({ type: "int64", value })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value): DlmsData => ({ type: "uint64", value })),
  fc.float({ noNaN: true }).map((value): DlmsData => ({ type: "float32", value: shortestFloat(value) })),
  fc.double({ noNaN: true }).map((value): DlmsData => ({ type: "float64", value })),
  bytes(300).map((value): DlmsData => ({ type: "octets", value })),
  bytes(8).map((value): DlmsData => ({ type: "bitString", count: value.length * 8, bytes: value })),
  fc.string({ unit: "binary-ascii" }).map((value): DlmsData => ({ type: "visible", value })),
  fc.string({ unit: "grapheme" }).map((value): DlmsData => ({ type: "utf8", value })),
  fc
    .nat(0xffffffff)
    .map((at): DlmsData => ({ type: "dateTime", value: fromEpoch(at, { deviation: null, status: null }) })),
);
const data = fc.letrec<{ value: DlmsData }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    simple,
    fc.array(tie("value"), { maxLength: 5 }).map((items): DlmsData => ({ type: "structure", items })),
    fc.array(tie("value"), { maxLength: 5 }).map((items): DlmsData => ({ type: "array", items })),
  ),
})).value;

const nested = (depth: number): Uint8Array =>
  Uint8Array.from({ length: depth * 2 }, (_, at) => (at % 2 === 0 ? 2 : 1));

describe("values", () => {
  it("come back from their bytes", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(decodeData(encodeData(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it("refuse nesting deeper than 16 and more elements than there are bytes", () => {
    expect(() => decodeData(nested(5000))).toThrow(/nested deeper/);
    expect(() => decodeData(fromHex("01 84 ffffffff 00"))).toThrow(/elements in/);
    expect(decodeData(Uint8Array.of(...nested(15), 0)).type).toBe("structure");
  });

  it("limit the expansion of a compact array", () => {
    expect(() => decodeData(fromHex("13 01 ffff 00 01 00"))).toThrow(ProtocolError);
    expect(() => decodeData(fromHex("13 00 01 00"))).toThrow(/no bytes/);
    expect(() => decodeData(fromHex("13 02 02 01 ffff 00 11 02 0102"))).toThrow(/more elements/);
  });

  it("read a compact array of structures", () => {
    const value = decodeData(fromHex("13 02 02 12 11 06 0001 02 0003 04"));

    expect(value).toMatchObject({
      items: [{ items: [{ value: 1 }, { value: 2 }] }, { items: [{ value: 3 }, { value: 4 }] }],
    });
    expect(toHex(encodeData(value))).toBe("1302021211060001020003" + "04");
  });

  it("name the offset of an unknown type", () => {
    expect(() => decodeData(fromHex("0202 1105 77"))).toThrow(
      expect.objectContaining({ kind: "unsupported", offset: 4 }),
    );
  });
});

describe("date-time", () => {
  it("adds the deviation to local time to get UTC", () => {
    const at = dateTimeOfBytes(fromHex("07e4 01 06 ff 00 03 00 ff ffc4 00"));

    expect(toEpoch(at)).toBe(Date.UTC(2020, 0, 5, 23, 3) / 1000);
    expect(toEpoch(at, { isDeviationReversed: true })).toBe(Date.UTC(2020, 0, 6, 1, 3) / 1000);
  });

  it("uses the zone of the model if the meter reports no deviation", () => {
    const at = dateTimeOfBytes(fromHex("07ea 06 01 ff 08 00 00 ff 8000 ff"));

    expect(toEpoch(at, { deviation: -480 })).toBe(Date.UTC(2026, 5, 1) / 1000);
    expect(formatDateTime(at)).toBe("2026-06-01T08:00:00");
  });

  it("is not an instant with missing, impossible or invalid fields", () => {
    expect(toEpoch(dateTimeOfBytes(fromHex("ffff 01 06 ff 00 03 00 ff 0000 00")))).toBeNull();
    expect(toEpoch(dateTimeOfBytes(fromHex("07ea 02 1e ff 00 03 00 ff 0000 00")))).toBeNull();
    expect(toEpoch(dateTimeOfBytes(fromHex("07ea 02 1c ff 00 03 00 ff 0000 01")))).toBeNull();
    expect(toEpoch(dateTimeOfBytes(fromHex("07ea 02 1c ff 18 03 00 ff 0000 00")))).toBeNull();
  });

  it("is restored from an instant, with and without deviation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.integer({ min: -720, max: 840 }),
        (seconds, deviation) => {
          const at = fromEpoch(seconds, { deviation });
          expect(toEpoch(dateTimeOfBytes(dateTimeBytes(at)))).toBe(seconds);
          expect(toEpoch(fromEpoch(seconds, { deviation: null }))).toBe(seconds);
        },
      ),
    );
  });
});

const frame: HdlcFrame = {
  destination: clientAddress(16),
  source: { upper: 1, lower: 17, bytes: 2 },
  control: { type: "i", send: 3, receive: 4, isFinal: true },
  isSegmented: false,
  information: fromHex("e6e700 c401c1 00 0600001391"),
};
const encoded = encodeHdlc(frame);

describe("HDLC", () => {
  it("has the check value of the standard", () => {
    expect(crcX25(new TextEncoder().encode("123456789"))).toBe(0x906e);
  });

  it("is restored from its bytes with addresses of 1, 2 and 4 bytes", () => {
    const address = fc.oneof(
      fc.nat(0x7f).map((upper) => ({ upper, lower: null, bytes: 1 as const })),
      fc.tuple(fc.nat(0x7f), fc.nat(0x7f)).map(([upper, lower]) => ({ upper, lower, bytes: 2 as const })),
      fc.tuple(fc.nat(0x3fff), fc.nat(0x3fff)).map(([upper, lower]) => ({ upper, lower, bytes: 4 as const })),
    );
    fc.assert(
      fc.property(
        address,
        address,
        bytes(),
        fc.boolean(),
        (destination, source, information, isSegmented) => {
          const one: HdlcFrame = { ...frame, destination, source, information, isSegmented };
          expect(parseHdlc(encodeHdlc(one))).toEqual(one);
        },
      ),
    );
  });

  it("preserves every known control byte", () => {
    const known = Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => parseHdlcControl(byte) !== undefined,
    );

    expect(known.length).toBe(128 + 16 + 16 + 12);
    for (const byte of known) expect(hdlcControl(parseHdlcControl(byte) ?? frame.control)).toBe(byte);
  });

  it("waits for the rest, skips noise and frames that are not ours", () => {
    const isOurs = matchHdlc(({ destination }) => destination.upper === 16);
    const echo = encodeHdlc({ ...frame, destination: frame.source, source: frame.destination });
    const received = Uint8Array.of(0x00, 0x7e, 0x13, ...echo, ...encoded);

    expect(isOurs(received)).toEqual({ state: "frame", skip: 3 + echo.length, length: encoded.length });
    expect(isOurs(received.subarray(0, -1))).toMatchObject({ state: "more" });
    expect(isOurs(encoded.subarray(0, 5))).toEqual({ state: "more", skip: 0 });
  });

  it("reports which check sequence is wrong", () => {
    const damaged = encoded.slice();
    damaged[damaged.length - 4] = 0xee;

    expect(() => matchHdlc()(damaged)).toThrow(expect.objectContaining({ kind: "checksum" }));
  });

  it("joins the segments of a message and names every byte of them", () => {
    const message = Uint8Array.of(
      ...llc.fromServer,
      ...fromHex("c401c100 0906 010001080 0ff".replaceAll(" ", "")),
    );
    const first = encodeHdlc({ ...frame, isSegmented: true, information: message.subarray(0, 10) });
    const last = encodeHdlc({ ...frame, information: message.subarray(10) });
    const both = Uint8Array.of(...first, ...last.subarray(1));

    const decoded = decodeDlmsHdlc(both);

    expect(decoded.readings).toMatchObject([{ name: "value", value: "0100010800ff" }]);
    expect(decodeDlmsHdlc(first).warnings).toEqual(["part of a longer message"]);
    expectNoHoles(explainDlms(both, "hdlc"), both.length);
  });
});

function expectNoHoles(spans: readonly { offset: number; bytes: number }[], length: number): void {
  let at = 0;
  for (const span of spans) {
    expect(span.offset).toBe(at);
    at += span.bytes;
  }
  expect(at).toBe(length);
}

describe("TCP wrapper", () => {
  it("waits for the stated length, skips frames of other devices", () => {
    const ours = encodeWrapper({ source: 1, destination: 16, payload: fromHex("c401c1000600000009") });
    const late = encodeWrapper({ source: 2, destination: 16, payload: fromHex("d80101") });
    const match = matchWrapper(({ source }) => source === 1);

    expect(match(Uint8Array.of(...late, ...ours))).toEqual({
      state: "frame",
      skip: late.length,
      length: ours.length,
    });
    expect(match(ours.subarray(0, 9))).toEqual({ state: "more", skip: 0 });
    expect(match(Uint8Array.of(0xff, ...ours))).toMatchObject({ state: "frame", skip: 1 });
  });
});

const context = (length: number) => ({
  encryptionKey: Uint8Array.from({ length }, (_, at) => at),
  authenticationKey: Uint8Array.from({ length }, (_, at) => at + 100),
  systemTitle: fromHex("4d54520000000001"),
});
const security = {
  suite: 0,
  isAuthenticated: true,
  isEncrypted: true,
  isBroadcastKey: false,
  isCompressed: false,
};

describe("protection", () => {
  it.each([0, 1, 2])("decrypts what it encrypted in suite %i, with every protection", (suite) => {
    fc.assert(
      fc.property(
        bytes(),
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (plain, isAuthenticated, isEncrypted, counter) => {
          const protection = {
            context: context(suite === 2 ? 32 : 16),
            security: { ...security, suite, isAuthenticated, isEncrypted },
            counter,
          };
          expect(unprotect(protect(plain, protection), protection)).toEqual(plain);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("refuses a changed message, another system title and a key of a wrong length", () => {
    const protection = { context: context(16), security, counter: 1 };
    const content = protect(fromHex("c001c1000100002a0000ff0200"), protection);
    const changed = content.slice();
    changed[0] = (changed[0] ?? 0) ^ 1;
    const other = { ...protection, context: { ...context(16), systemTitle: fromHex("4d54520000000002") } };

    expect(() => unprotect(changed, protection)).toThrow(expect.objectContaining({ kind: "bad_password" }));
    expect(() => unprotect(content, other)).toThrow(expect.objectContaining({ kind: "bad_password" }));
    expect(() => unprotect(content, { ...protection, context: context(24) })).toThrow(
      expect.objectContaining({ kind: "unsupported" }),
    );
  });

  it("is removed with both keys, with one key and a warning, and not at all without", () => {
    const plain = fromHex("c401c1000600001391");
    const apdu = cipherApdu(plain, "generalGlo", { context: context(16), security, counter: 5 });
    const message = encodeApdu(apdu);
    const { encryptionKey, authenticationKey } = context(16);

    const checked = decodeDlmsApdu(message, {
      key: toHex(encryptionKey) + toHex(authenticationKey),
      trace: [],
    });
    const unchecked = decodeDlmsApdu(message, { key: toHex(encryptionKey) });

    expect(checked).toMatchObject({
      readings: [{ name: "value", value: 5009 }],
      warnings: [],
      device: { invocationCounter: 5 },
    });
    expect(unchecked.warnings).toEqual(["the authentication tag was not checked: no authentication key"]);
    expect(decodeDlmsApdu(message).warnings).toEqual(["encrypted: the key is not given"]);
    expect(decipherApdu(apdu, { ...context(16), systemTitle: new Uint8Array(8) })).toEqual(plain);
  });
});

describe("messages", () => {
  it("come back from their bytes, every byte named", () => {
    const [target] = dlmsFuzz;
    for (const seed of target?.seeds ?? []) {
      expect(toHex(encodeApdu(decodeApdu(seed)))).toBe(toHex(seed));
      expectNoHoles(explainDlmsApdu(seed), seed.length);
      expect(
        explainDlmsApdu(seed).filter(({ name }) => ["data", "undecoded"].includes(codeOf(name))),
      ).toEqual([]);
    }
  });

  it("show a refusal as a reading", () => {
    expect(decodeDlmsApdu(fromHex("c401c10104")).readings).toEqual([
      { name: "result", value: 4, unit: "", function: "object-undefined" },
    ]);
    expect(decodeDlmsApdu(fromHex("d80105")).readings[0]).toMatchObject({
      name: "exception",
      value: 5,
      function: "deciphering-error",
    });
  });

  it("do not show the password of an association", () => {
    const [, , , aarq] = dlmsFuzz[0]?.seeds ?? [];

    expect(JSON.stringify(decodeDlmsApdu(aarq ?? new Uint8Array()))).not.toContain("3132333435363738");
  });
});

describe("selective access", () => {
  it("is restored from its parameters", () => {
    const at: DlmsData = { type: "null" };
    const range = { restricting: clockColumn, from: at, to: at, columns: [clockColumn] };
    const entry = { fromEntry: 1, toEntry: 10, fromColumn: 1, toColumn: 0 };

    expect(rangeOf(rangeAccess(range))).toEqual(range);
    expect(entryOf(entryAccess(entry))).toEqual(entry);
    expect(captureObjectOf(captureObjectData(clockColumn))).toEqual(clockColumn);
  });

  it("accepts an OBIS code in either notation", () => {
    expect(parseObis("1-0:1.8.0*255")).toEqual(parseObis("1.0.1.8.0.255"));
    expect(() => parseObis("1.8.0")).toThrow(ProtocolError);
    expect(() => parseObis("1.0.1.8.0.256")).toThrow(ProtocolError);
  });
});

describe("broken input", () => {
  it.each(dlmsFuzz.map((target) => [target.name, target] as const))(
    "of %s throws nothing but ProtocolError",
    (_, target) => {
      const seed = fc.constantFrom(...target.seeds);
      const change = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
      const tryOne = (input: Uint8Array): void => {
        try {
          target.decode(input);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
        }
      };
      fc.assert(
        fc.property(seed, change, fc.nat(), (bytesOf, changes, cut) => {
          const copy = bytesOf.slice();
          for (const [at, value] of changes) copy[at % copy.length] = value;
          tryOne(copy.subarray(0, cut % 3 === 0 ? cut % (copy.length + 1) : copy.length));
        }),
        { numRuns: 1500 },
      );
      fc.assert(fc.property(bytes(200), tryOne), { numRuns: 300 });
    },
  );
});
