import type { FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import { archivesOf, inZoneOf } from "./session/archives.ts";
import { dlms } from "./driver.ts";
import { readFacts } from "./session/identify.ts";
import { octets, testSession, whole, type Kept } from "./objects/testSession.ts";
import type { ProfileTable } from "./objects/profile.ts";
import {
  clientTitle,
  controllerOf,
  publicClient,
  serverAddress,
  transportOf,
  type ServerRule,
} from "./options.ts";
import { keysOfDevice, limitsOf } from "./session/proof.ts";
import { spodes } from "./spodes.ts";
import { ended } from "./testing/testLink.ts";
import { authentications, day, device, options } from "./testing/testMeter.ts";

const refused = (kind: string, message: string): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message });

describe("archives of a model", () => {
  const table = (changes: Partial<ProfileTable>): ProfileTable => ({
    ...{ msgType: 101, obis: "1.0.98.2.0.255", columns: [], period: day, ...changes },
  });

  it.each<[Partial<ProfileTable>, object]>([
    [{ period: "asked" }, { msgType: 101, period: 1800, depthSec: 45 * day }],
    [{ period: 3600 }, { msgType: 101, period: 3600, depthSec: 45 * day }],
    [{ period: day - 1 }, { msgType: 101, period: day - 1, depthSec: 45 * day }],
    [{ period: day }, { msgType: 101, period: day, depthSec: 120 * day }],
    [
      { msgType: 103, period: "month" },
      { msgType: 103, period: "month", depthSec: 366 * day },
    ],
    [{ depthSec: 5 }, { msgType: 101, period: day, depthSec: 5 }],
  ])("with %o are %o", (changes, expected) => {
    expect(archivesOf(options({ profiles: [table(changes)], journals: [] }))).toEqual([expected]);
  });

  it("are one by type, the first of them, and one of all journals", () => {
    const profiles = [table({ period: 3600 }), table({ period: day })];
    const events = { msgType: 7, period: "events", depthSec: 45 * day };

    expect(archivesOf(options({ profiles, journals: [] }))).toMatchObject([{ msgType: 101, period: 3600 }]);
    expect(archivesOf(options({ profiles: [] }))).toEqual([events]);
    const { profiles: _, journals: _journals, ...bare } = options();
    expect(archivesOf(bare)).toEqual([]);
  });

  it("are in the standard time of the place of a device, if it is known", () => {
    const of = options();

    expect(inZoneOf(of, { ...device, utcOffsetMinutes: 60 })).toEqual({
      ...of,
      clock: { utcOffsetMinutes: 60 },
    });
    expect(inZoneOf(of, device)).toBe(of);
  });
});

describe("the address of a meter", () => {
  const near = (insideAddr: string, deviceID = "41 200 042") => ({ insideAddr, deviceID });
  const rule = (bytes: 1 | 2 | 4, physical: ServerRule["physical"]): ServerRule => ({
    logical: 1,
    bytes,
    physical,
  });

  it.each<[ServerRule, string, number, number | null]>([
    [rule(1, "none"), "", 1, null],
    [rule(1, "insideAddr"), "17", 17, null],
    [rule(2, "insideAddr"), " 127 ", 1, 127],
    [rule(2, "insideAddr"), "0", 1, 0],
    [rule(4, "insideAddr"), "16383", 1, 16_383],
    [rule(4, "serial"), "", 1, 1042],
    [rule(1, "serial"), "", 1042, null],
  ])("by %o of %o is %i and %s", (of, insideAddr, upper, lower) => {
    expect(serverAddress(of, near(insideAddr))).toEqual({ upper, lower, bytes: of.bytes });
  });

  it.each<[ServerRule, string, string]>([
    [rule(2, "insideAddr"), "128", "the insideAddr gives no address from 0 to 127"],
    [rule(4, "insideAddr"), "16384", "the insideAddr gives no address from 0 to 16383"],
    [rule(2, "none"), "", "the none gives no address from 0 to 127"],
    [rule(2, "serial"), "", "the serial gives no address from 0 to 127"],
    [rule(2, "insideAddr"), "", 'the insideAddr "" is no number'],
    [rule(4, "insideAddr"), "123456", 'the insideAddr "123456" is no number'],
    [rule(4, "insideAddr"), "x1", 'the insideAddr "x1" is no number'],
    [rule(4, "insideAddr"), "1x", 'the insideAddr "1x" is no number'],
  ])("is none by %o of %o", (of, insideAddr, message) => {
    expect(() => serverAddress(of, near(insideAddr))).toThrow(refused("unexpected", message));
  });

  it("is that of the last four digits of its number", () => {
    expect(serverAddress(rule(4, "serial"), near("", "A12-34567B"))).toMatchObject({ lower: 5567 });
    expect(() => serverAddress(rule(4, "serial"), near("", "none"))).toThrow(
      refused("unexpected", 'the serial "" is no number'),
    );
  });

  it("is reached over the wrapper if its line says so", () => {
    expect(transportOf({ transport: "hdlc" }, {})).toBe("hdlc");
    expect(transportOf({ transport: "hdlc" }, { isWrapped: false })).toBe("hdlc");
    expect(transportOf({ transport: "hdlc" }, { isWrapped: true })).toBe("wrapper");
    expect(transportOf({ transport: "wrapper" }, {})).toBe("wrapper");
  });
});

describe("credentials", () => {
  it("have a title of three letters and 40 bits of a hash of the number", () => {
    // FNV-1a of 64 bits, the lowest five bytes of it.
    expect(toHex(clientTitle("41200042"))).toBe("4d5452f421980c16");
    expect(toHex(clientTitle(""))).toBe("4d5452e484222325");
    expect(publicClient).toBe(16);
  });

  it("of a device are two keys of 32 digits", () => {
    const key = "000102030405060708090a0b0c0d0e0F";
    const found = keysOfDevice({ encryption: key, authentication: key });

    expect(found && [toHex(found.encryptionKey), toHex(found.authenticationKey)]).toEqual([
      ...[key.toLowerCase(), key.toLowerCase()],
    ]);
    for (const wrong of ["", key.slice(1), `${key}0`, key.replace("F", "g")]) {
      expect(keysOfDevice({ encryption: key, authentication: wrong })).toBeUndefined();
      expect(keysOfDevice({ encryption: wrong, authentication: key })).toBeUndefined();
    }
    expect([keysOfDevice(undefined), keysOfDevice({}), keysOfDevice({ encryption: key })]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it("are told with their forms by a driver, those of the client that changes too", () => {
    const secrets = (of: object) => Object.keys(dlms(options(of)).secrets ?? {});
    const control = { client: 48, authentication: authentications.gmac };

    expect(secrets({ authentication: authentications.none })).toEqual([]);
    expect(secrets({ authentication: authentications.lls })).toEqual(["password"]);
    expect(secrets({ authentication: authentications.gmac })).toEqual(["encryption", "authentication"]);
    expect(secrets({ control })).toEqual(["password", "encryption", "authentication"]);
    const form = dlms(options()).secrets?.password ?? /$^/;
    expect(["1", "x".repeat(64), " ~"].every((each) => form.test(each))).toBe(true);
    expect(["", "x".repeat(65), "é", "\n"].some((each) => form.test(each))).toBe(false);
    expect(controllerOf(options({ control }))).toMatchObject(control);
  });

  it("of the factory are those that the model names", () => {
    const of = options({ authentication: { kind: "lls", default: "111111" } });

    expect(dlms(of).factoryPasswords).toEqual([new TextEncoder().encode("111111")]);
    expect(dlms(options())).not.toHaveProperty("factoryPasswords");
    expect(dlms(options({ authentication: authentications.gmac }))).not.toHaveProperty("factoryPasswords");
  });

  it("do not change the limits of a line, which a model may have", () => {
    expect(limitsOf(options())).toEqual({ answerMs: 3000, interByteMs: 500, tries: 3 });
    expect(limitsOf(options({ limits: { tries: 5 } }))).toEqual({
      answerMs: 3000,
      interByteMs: 500,
      tries: 5,
    });
  });
});

describe("a driver", () => {
  it("tells what it is", () => {
    expect(dlms(options())).toMatchObject({
      ...{ kind: "line", protocol: "dlms", namesSerial: true, journals: ["power", "external"] },
      archives: [{ msgType: 101 }, { msgType: 5 }, { msgType: 7 }],
    });
    const { journals: _, ...bare } = options();
    expect(dlms(bare).journals).toEqual([]);
  });

  it.each([
    ["no such archive", {}, { msgType: 103 }],
    ["no journals", { journals: [] }, { msgType: 7 }],
  ])("with %s refuses to read one", (_, of, request) => {
    expect(() => dlms(options(of)).poll({ kind: "archive", from: 0, to: 1, ...request }, device)).toThrow(
      refused("unsupported", "the meter keeps no such archive"),
    );
  });
});

describe("the identity of a meter", () => {
  const [name, serial, version] = ["1 0.0.96.1.1.255 2", "1 0.0.96.1.0.255 2", "1 1.0.0.2.0.255 2"];
  const text = (value: string) => octets(...new TextEncoder().encode(value));
  const facts = (objects: Record<string, Kept>) => {
    const { session, asked } = testSession(objects);
    return { found: ended(readFacts(session)), asked };
  };

  it("is in its objects, as text in any form", () => {
    const objects = {
      [name]: { type: "visible", value: " CE308 " },
      [serial]: { type: "utf8", value: "41200042" },
      [version]: text("1.0.7 "),
    } as const;

    expect(facts(objects)).toEqual({
      found: { name: "CE308", serial: "41200042", version: "1.0.7" },
      asked: [name, serial, version],
    });
    expect(facts({ "1 0.0.96.1.2.255 2": text("2.1") })).toEqual({
      found: { version: "2.1" },
      asked: [name, serial, version, "1 0.0.96.1.2.255 2"],
    });
  });

  it.each<Kept>([3, whole("uint8", 5), text("  "), octets(1), { type: "visible", value: " " }])(
    "is not known by %o",
    (kept) => {
      expect(facts({ [name]: kept }).found).toEqual({});
    },
  );
});

describe("a SPODES meter", () => {
  const of = {
    transport: "hdlc",
    server: { logical: 1, bytes: 2, physical: "insideAddr" },
    utcOffsetMinutes: 180,
  } as const;
  const three = spodes(of).options;
  const energies: readonly (readonly [group: number, prefix: string])[] = [
    [1, "tariff"],
    [2, "tariff_negative"],
    [3, "tariff_reactive"],
    [4, "tariff_reactive_negative"],
  ];
  /** Source: STO 34.01-5.1-006, in groups of IEC 62056-61. */
  const counters = energies.flatMap(([group, prefix]) =>
    [0, 1, 2, 3, 4].map((tariff) => [
      `1.0.${String(group)}.8.${String(tariff)}.255`,
      `${prefix}${String(tariff)}`,
    ]),
  );
  const sums: readonly (readonly [string, FieldName])[] = [
    ["1.0.1.7.0.255", "power_active"],
    ["1.0.3.7.0.255", "power_reactive"],
    ["1.0.9.7.0.255", "power_apparent"],
    ["1.0.13.7.0.255", "cos0"],
    ["1.0.14.7.0.255", "Frequency"],
  ];
  const phase = (number: number, groups: readonly number[]) =>
    ["voltage", "current", "power_active", "power_reactive", "cos"].map((field, at) => [
      `1.0.${String(groups[at])}.7.0.255`,
      `${field}${String(number)}`,
    ]);
  const first = phase(1, [32, 31, 21, 23, 33]);
  const others = [...phase(2, [52, 51, 41, 43, 53]), ...phase(3, [72, 71, 61, 63, 73])];
  const rowsOf = (rows: readonly { readonly obis: string; readonly field: string }[]) =>
    rows.map(({ obis, field }) => [obis, field]);

  it("has its counters and its values by phase, of one phase or of three", () => {
    expect(rowsOf(three.registers)).toEqual([...counters, ...sums, ...first, ...others]);
    expect(rowsOf(spodes({ ...of, isThreePhase: false }).options.registers)).toEqual([
      ...counters,
      ...sums,
      ...first,
    ]);
    for (const { field, msgType } of three.registers)
      expect(msgType).toBe(field.startsWith("tariff") ? 1 : 2);
  });

  it("has its profiles, each with its profile of scales", () => {
    const load = [1, 2, 3, 4].map((group, at) => [
      `1.0.${String(group)}.29.0.255`,
      ["power_a_plus", "power_a_minus", "power_r_plus", "power_r_minus"][at],
    ]);
    const shown = (three.profiles ?? []).map(({ msgType, obis, period, scalerProfile, columns }) => [
      ...[msgType, obis, period, scalerProfile, rowsOf(columns)],
    ]);

    expect(shown).toEqual([
      [5, "1.0.99.1.0.255", 1800, "1.0.94.7.4.255", load],
      [101, "1.0.98.2.0.255", 86_400, "1.0.94.7.2.255", counters],
      [103, "1.0.98.1.0.255", "month", "1.0.94.7.1.255", counters],
    ]);
    expect(spodes({ ...of, loadPeriodSec: 3600 }).options.profiles?.[0]).toMatchObject({ period: 3600 });
    expect(three.current).toEqual({
      ...{ obis: "1.0.94.7.0.255", scalerProfile: "1.0.94.7.3.255", columns: three.registers },
    });
    expect(spodes({ ...of, isCurrentByRegister: true }).options).not.toHaveProperty("current");
  });

  it("has its journals in the order of their numbers", () => {
    const names = [
      ...["voltage", "current", "power", "settings", "external", "communication", "access", "self_check"],
      "reactive_power",
    ];

    expect(three.journals).toEqual(names.map((name, at) => ({ obis: `0.0.99.98.${String(at)}.255`, name })));
  });

  it("is read with a password by client 32, and changed with keys by client 48, unless the model says otherwise", () => {
    const control = {
      client: 48,
      authentication: { kind: "gmac", counter: { obis: "0.0.43.1.0.255", client: 16 } },
    };

    expect(three).toMatchObject({
      ...{ transport: "hdlc", client: 32, authentication: { kind: "lls", default: "111111" }, control },
      ...{ server: of.server, resource: "electricity", clock: { utcOffsetMinutes: 180 } },
    });
    expect(spodes({ ...of, client: 1 }).options).toMatchObject({
      client: 1,
      authentication: { kind: "lls" },
    });
    expect(spodes({ ...of, client: 1 }).options).not.toHaveProperty("control");
    const bare = spodes({ ...of, authentication: authentications.none }).options;
    expect(bare).toMatchObject({ client: 32, authentication: { kind: "none" } });
    expect(bare).not.toHaveProperty("control");
    expect(spodes({ ...of, changes: { listSize: 1 } }).options.listSize).toBe(1);
  });
});
