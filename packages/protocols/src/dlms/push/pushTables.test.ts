import type { FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { encodeApdu } from "../apdu/apdu.ts";
import { cipherApdu } from "../apdu/apduCiphered.ts";
import { parseObis } from "../data/axdr.ts";
import { dateTimeBytes, fromEpoch } from "../data/dateTime.ts";
import { decodeDlmsApdu } from "../decode/decode.ts";
import { parseHdlc } from "../link/hdlc.ts";
import { hanPush, notificationOf } from "./hanPush.ts";
import { pushList } from "./push.ts";
import type { DlmsData } from "../types.ts";

const code = (obis: string): DlmsData => ({ type: "octets", value: parseObis(obis) });
const count = (value: number): DlmsData => ({ type: "uint32", value });
const octets = (text: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(text) });
const visible = (value: string): DlmsData => ({ type: "visible", value });
const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });
const array = (...items: readonly DlmsData[]): DlmsData => ({ type: "array", items });
const scale = (scaler: number, unit: number): DlmsData =>
  structure({ type: "int8", value: scaler }, { type: "enum", value: unit });
const nothing: DlmsData = { type: "null" };
const shown = (body: DlmsData) =>
  pushList(body)?.readings.map(({ function: obis, name, value, unit }) => [obis, name, value, unit]);

/** Source: list descriptions of the Norwegian HAN port; groups C.D.E of IEC 62056-61. */
const quantities: readonly (readonly [groups: string, name: string, unit: string])[] = [
  ["1.7.0", "active_power_import", "W"],
  ["2.7.0", "active_power_export", "W"],
  ["3.7.0", "reactive_power_import", "var"],
  ["4.7.0", "reactive_power_export", "var"],
  ["21.7.0", "active_power_import_l1", "W"],
  ["22.7.0", "active_power_export_l1", "W"],
  ["41.7.0", "active_power_import_l2", "W"],
  ["42.7.0", "active_power_export_l2", "W"],
  ["61.7.0", "active_power_import_l3", "W"],
  ["62.7.0", "active_power_export_l3", "W"],
  ["23.7.0", "reactive_power_import_l1", "var"],
  ["24.7.0", "reactive_power_export_l1", "var"],
  ["43.7.0", "reactive_power_import_l2", "var"],
  ["44.7.0", "reactive_power_export_l2", "var"],
  ["63.7.0", "reactive_power_import_l3", "var"],
  ["64.7.0", "reactive_power_export_l3", "var"],
  ["31.7.0", "current_l1", "A"],
  ["51.7.0", "current_l2", "A"],
  ["71.7.0", "current_l3", "A"],
  ["32.7.0", "voltage_l1", "V"],
  ["52.7.0", "voltage_l2", "V"],
  ["72.7.0", "voltage_l3", "V"],
  ["14.7.0", "frequency", "Hz"],
  ["1.8.0", "active_power_import_total", "Wh"],
  ["2.8.0", "active_power_export_total", "Wh"],
  ["3.8.0", "reactive_power_import_total", "varh"],
  ["4.8.0", "reactive_power_export_total", "varh"],
  ["13.7.0", "power_factor", ""],
  ["0.2.129", "list_ver_id", ""],
  ["0.0.5", "meter_id", ""],
  ["96.1.0", "meter_id", ""],
  ["96.1.1", "meter_type", ""],
  ["96.1.7", "meter_type", ""],
];

describe("a quantity of a pushed list", () => {
  /** What one step of the numbers of each manufacturer is, by unit. */
  const steps: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    AIDON_V0001: {},
    KFM_001: { A: 0.001, V: 0.1 },
    Kamstrup_V0001: { A: 0.01, Wh: 10, varh: 10 },
  };

  it.each(quantities)("%s is %s in %s, whatever its medium and channel", (groups, name, unit) => {
    for (const [list, step] of Object.entries(steps)) {
      const obis = `1.1.${groups}.255`;
      const [, reading] =
        pushList(structure(code("1.1.0.2.129.255"), visible(list), code(obis), count(50)))?.readings ?? [];

      expect(reading).toEqual({
        name,
        function: obis,
        raw: "0600000032",
        value: 50 * (step[unit] ?? 1),
        unit,
      });
    }
  });

  it("without a name is its own code; a time is a time, and other values are text or hexadecimal", () => {
    const time = dateTimeBytes(fromEpoch(Date.UTC(2026, 10, 20, 12) / 1000, { deviation: null }));
    const body = structure(
      ...[visible("AIDON_V0001"), code("1.0.99.99.0.255"), count(5)],
      ...[code("0.0.1.0.0.255"), { type: "octets", value: time } as const],
      ...[code("0.0.96.1.0.255"), octets("735"), code("0.0.96.1.1.255"), visible("6525")],
      ...[code("0.0.96.1.7.255"), { type: "octets", value: fromHex("0102") } as const],
      ...[code("0.0.96.1.2.255"), { type: "utf8", value: "é" } as const],
      ...[
        code("0.0.96.1.3.255"),
        { type: "bool", value: true } as const,
        code("0.0.96.1.4.255"),
        { type: "dontCare" } as const,
      ],
      ...[code("0.0.96.1.5.255"), { type: "uint64", value: 2n ** 53n } as const],
    );

    expect(pushList(body)?.maker).toBe("Aidon");
    expect(shown(body)).toEqual([
      ["1.1.0.2.129.255", "list_ver_id", "AIDON_V0001", ""],
      ["1.0.99.99.0.255", "1.0.99.99.0.255", 5, ""],
      ["0.0.1.0.0.255", "meter_datetime", "2026-11-20T12:00:00", "-"],
      ["0.0.96.1.0.255", "meter_id", "735", ""],
      ["0.0.96.1.1.255", "meter_type", "6525", ""],
      ["0.0.96.1.7.255", "meter_type", "0102", ""],
      ["0.0.96.1.2.255", "0.0.96.1.2.255", "é", ""],
      ["0.0.96.1.3.255", "0.0.96.1.3.255", "0301", ""],
      ["0.0.96.1.4.255", "0.0.96.1.4.255", "ff", ""],
      ["0.0.96.1.5.255", "0.0.96.1.5.255", "150020000000000000", ""],
    ]);
  });
});

describe("a list in a fixed order", () => {
  const texts = [octets("KFM_001"), octets("6970"), octets("MA304H3E")];
  const heads = ["1.1.0.2.129.255", "0.0.96.1.0.255", "0.0.96.1.7.255"];
  const powers = ["1.0.1.7.0.255", "1.0.2.7.0.255", "1.0.3.7.0.255", "1.0.4.7.0.255"];
  const one = ["1.0.31.7.0.255", "1.0.32.7.0.255"];
  const three = [
    ...["1.0.31.7.0.255", "1.0.51.7.0.255", "1.0.71.7.0.255"],
    ...["1.0.32.7.0.255", "1.0.52.7.0.255", "1.0.72.7.0.255"],
  ];
  const totals = ["0.0.1.0.0.255", "1.0.1.8.0.255", "1.0.2.8.0.255", "1.0.3.8.0.255", "1.0.4.8.0.255"];

  /** Source: KFM_001 OBIS list. */
  it.each([
    [9, [...heads, ...powers, ...one]],
    [13, [...heads, ...powers, ...three]],
    [14, [...heads, ...powers, ...one, ...totals]],
    [18, [...heads, ...powers, ...three, ...totals]],
  ])("has %i values by their place", (size, codes) => {
    const body = structure(...texts, ...Array.from({ length: size - 3 }, () => count(50)));
    const list = pushList(body);

    expect(list?.maker).toBe("Kaifa");
    expect(list?.readings.map((each) => each.function)).toEqual(codes);
  });

  it("of one number is the power that Kaifa, or one item that Aidon sends", () => {
    expect([pushList(structure(count(50)))?.maker, shown(structure(count(50)))]).toEqual([
      ...["Kaifa", [["1.0.1.7.0.255", "active_power_import", 50, "W"]]],
    ]);
    const item = array(structure(code("1.0.1.7.0.255"), count(50), scale(0, 27)));
    expect(pushList(item)?.maker).toBe("Aidon");
  });

  it.each<[string, DlmsData]>([
    ["of 10 values", structure(...texts, ...Array.from({ length: 7 }, () => count(50)))],
    ["without its name", structure(octets("XYZ"), ...Array.from({ length: 8 }, () => count(50)))],
    [
      "with a name in the middle",
      structure(octets("X KFM_001"), ...Array.from({ length: 8 }, () => count(50))),
    ],
    ["of one text", structure(octets("KFM_"))],
    ["of a number of another type", structure({ type: "uint16", value: 5 })],
    ["that is a number", count(5)],
    ["that is empty", array()],
    ["that is an empty structure", structure()],
    ["of numbers", array(count(5), count(6))],
    ["of items of one part", array(structure(code("1.0.1.7.0.255")))],
    ["of items of four parts", array(structure(code("1.0.1.7.0.255"), count(5), scale(0, 27), nothing))],
    ["of items without a code", array(structure(octets("1.7"), count(5)))],
    ["of items with a number for a scale", array(structure(code("1.0.1.7.0.255"), count(5), count(6)))],
    ["of items with half a scale", array(structure(code("1.0.1.7.0.255"), count(5), structure(count(6))))],
    [
      "of items with a scale of other types",
      array(structure(code("1.0.1.7.0.255"), count(5), structure({ type: "int8", value: 0 }, count(6)))),
    ],
    ["of which one item is none", array(structure(code("1.0.1.7.0.255"), count(5)), count(6))],
    ["of pairs with a wrong code", structure(code("1.0.1.7.0.255"), count(5), octets("1.7"), count(6))],
    ["of pairs that are missing", structure(nothing, nothing)],
    ["of pairs behind a number", structure(count(1), code("1.0.1.7.0.255"), count(5))],
    [
      "of pairs behind bytes",
      structure({ type: "octets", value: fromHex("01") }, code("1.0.1.7.0.255"), count(5)),
    ],
  ])("%s is no list", (_, body) => {
    expect(pushList(body)).toBeNull();
  });

  it("may have its name anywhere", () => {
    const named = [code("1.1.0.2.129.255"), visible("Kamstrup_V1")];

    expect(pushList(structure(code("1.1.31.7.0.255"), count(512), ...named))).toMatchObject({
      maker: "Kamstrup",
      readings: [{ value: 5.12, unit: "A" }, {}],
    });
  });

  it("may lack phases in pairs, and a scale in items; a unit may be unknown", () => {
    expect(
      shown(structure(octets("Kamstrup_V1"), nothing, nothing, code("1.0.1.7.0.255"), count(5))),
    ).toEqual([
      ["1.1.0.2.129.255", "list_ver_id", "Kamstrup_V1", ""],
      ["1.0.1.7.0.255", "active_power_import", 5, "W"],
    ]);
    expect(pushList(structure(code("1.0.1.7.0.255"), nothing))?.readings[0]?.value).toBeNull();
    expect(
      shown(
        array(
          structure(code("1.0.32.7.0.255"), count(2276), scale(-1, 35)),
          structure(code("1.0.1.8.0.255"), count(5), scale(2, 30)),
          structure(code("1.0.1.7.0.255"), count(5), scale(0, 99)),
          structure(code("1.0.31.7.0.255"), count(5)),
        ),
      ),
    ).toEqual([
      ["1.0.32.7.0.255", "voltage_l1", 227.6, "V"],
      ["1.0.1.8.0.255", "active_power_import_total", 500, "Wh"],
      ["1.0.1.7.0.255", "active_power_import", 5, "unit 99"],
      ["1.0.31.7.0.255", "current_l1", 5, ""],
    ]);
    const infinite = array(
      structure(code("1.0.1.7.0.255"), { type: "float64", value: 1e300 }, scale(127, 27)),
    );
    expect(() => pushList(infinite)).toThrow("active_power_import is too large");
  });
});

describe("a notification that is decoded", () => {
  const item = array(structure(code("1.0.1.7.0.255"), count(50), scale(0, 27)));
  const time = dateTimeBytes(fromEpoch(Date.UTC(2026, 10, 20, 12) / 1000, { deviation: null }));
  const decoded = (body: DlmsData, at?: Uint8Array) => decodeDlmsApdu(notificationOf(body, at));

  it("has its maker, its number and its time, once", () => {
    expect(decoded(item, time)).toEqual({
      protocol: "dlms-apdu",
      device: { message: "dataNotification", invokeId: 0, manufacturer: "Aidon" },
      readings: [
        { name: "meter_datetime", value: "2026-11-20T12:00:00", unit: "-", raw: toHex(time) },
        { name: "active_power_import", value: 50, unit: "W", function: "1.0.1.7.0.255", raw: "0600000032" },
      ],
      warnings: [],
    });
    expect(decoded(item).readings).toHaveLength(1);
    expect(decoded(item, fromHex("0102")).readings[0]).toMatchObject({
      name: "meter_datetime",
      value: "0102",
    });
    const timed = array(structure(code("0.0.1.0.0.255"), { type: "octets", value: time }));
    expect(decoded(timed, time).readings).toHaveLength(1);
  });

  it("of no list has its value", () => {
    expect(decoded(count(5))).toMatchObject({
      device: { message: "dataNotification", invokeId: 0 },
      readings: [{ name: "value", value: 5, function: "uint32" }],
    });
    expect(decoded(count(5)).device).not.toHaveProperty("manufacturer");
  });
});

describe("a meter at a HAN port", () => {
  const scaleOf = { impulseWeight: 1, startingValue: 0 };
  const read = (...items: readonly DlmsData[]) => hanPush.decode(notificationOf(array(...items)), 1, scaleOf);
  const value = (obis: string, number: number, scaler: number, unit: number): DlmsData =>
    structure(code(obis), count(number), scale(scaler, unit));

  /** Code, unit code and scale as Aidon sends them; 12345 of each in the field. */
  const rows: readonly (readonly [
    obis: string,
    unit: number,
    scaler: number,
    field: FieldName,
    value: number,
  ])[] = [
    ["1.0.1.7.0.255", 27, 0, "power_active", 12.345],
    ["1.0.3.7.0.255", 29, 0, "power_reactive", 12.345],
    ["1.0.31.7.0.255", 33, -2, "current1", 123.45],
    ["1.0.51.7.0.255", 33, -2, "current2", 123.45],
    ["1.0.71.7.0.255", 33, -2, "current3", 123.45],
    ["1.0.32.7.0.255", 35, -2, "voltage1", 123.45],
    ["1.0.52.7.0.255", 35, -2, "voltage2", 123.45],
    ["1.0.72.7.0.255", 35, -2, "voltage3", 123.45],
    ["1.0.1.8.0.255", 30, 0, "tariff0", 12.345],
    ["1.0.2.8.0.255", 30, 0, "tariff_negative0", 12.345],
    ["1.0.3.8.0.255", 32, 0, "tariff_reactive0", 12.345],
    ["1.0.4.8.0.255", 32, 0, "tariff_reactive_negative0", 12.345],
  ];

  it.each(rows)("sends %s in unit %i as %s", (obis, unit, scaler, field, expected) => {
    expect(read(value(obis, 12_345, scaler, unit))).toEqual([
      { msgType: /^tariff/.test(field) ? 1 : 2, at: null, values: { [field]: expected } },
    ]);
    expect(() => read(value(obis, 12_345, scaler, 44))).toThrow(
      expect.objectContaining({ message: "no value of the list has a field and a known unit" }),
    );
  });

  it("that sends a value twice has sent the first one", () => {
    expect(read(value("1.0.1.7.0.255", 5000, 0, 27), value("1.0.1.7.0.255", 7000, 0, 27))).toMatchObject([
      { values: { power_active: 5 } },
    ]);
  });

  it("sends counters apart from the rest", () => {
    expect(read(value("1.0.1.7.0.255", 5, 0, 27), value("1.0.1.8.0.255", 7000, 0, 30))).toEqual([
      { msgType: 1, at: null, values: { tariff0: 7 } },
      { msgType: 2, at: null, values: { power_active: 0.005 } },
    ]);
  });

  it.each([
    ["1.0.32.7.0.255", 35, 1000, "voltage1"],
    ["1.0.31.7.0.255", 33, 1000, "current1"],
    ["1.0.1.7.0.255", 27, 1_000_000, "power_active"],
    ["1.0.3.7.0.255", 29, 1_000_000, "power_reactive"],
  ] as const)("has in %s of unit %i no more than %i", (obis, unit, most, field) => {
    const [last] = read(value(obis, most, 0, unit));
    const [beyond] = read(value(obis, most + 1, 0, unit));

    expect(last).toEqual({ msgType: 2, at: null, values: { [field]: 1000 } });
    expect(beyond?.values).toEqual({ [field]: null });
    expect(beyond?.warnings?.[0]).toMatch(
      new RegExp(`^\\w+: ${String(most + 1)} \\w+ cannot be, its scale is not known$`),
    );
    expect(read(value("1.0.1.8.0.255", 4e9, 3, 30))[0]?.values).toEqual({ tariff0: 4e9 });
  });

  it("is opened with the keys of the device, from a frame or from a message", () => {
    const keys = {
      encryption: "000102030405060708090a0b0c0d0e0f",
      authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
    };
    const context = {
      encryptionKey: fromHex(keys.encryption),
      authenticationKey: fromHex(keys.authentication),
      systemTitle: fromHex("4d54520000000001"),
    };
    const security = {
      suite: 0,
      isAuthenticated: true,
      isEncrypted: true,
      isBroadcastKey: false,
      isCompressed: false,
    };
    const plain = notificationOf(array(value("1.0.1.8.0.255", 7000, 0, 30)));
    const sealed = encodeApdu(cipherApdu(plain, "generalGlo", { context, security, counter: 1 }));
    const open = (own: object) => hanPush.decode(sealed, 1, { ...scaleOf, keys: own });

    expect(open(keys)).toEqual([{ msgType: 1, at: null, values: { tariff0: 7 } }]);
    expect(open({ encryption: keys.encryption })).toHaveLength(1);
    expect(() => open({})).toThrow("no value of the list");
    expect(() => open({ ...keys, authentication: keys.encryption })).toThrow(
      expect.objectContaining({ kind: "bad_password" }),
    );
    expect(Object.keys(hanPush.secrets ?? {})).toEqual(["encryption", "authentication"]);
    expect([hanPush.kind, hanPush.protocol]).toEqual(["uplink", "dlms-push"]);
  });

  it("is simulated as a frame without an answer, with every value of a list", () => {
    const state = (field: string) => (field === "power_active" ? -1 : field.length / 4);
    const device = { insideAddr: "", deviceID: "1", ...scaleOf };
    const at = Date.UTC(2026, 10, 20, 12) / 1000;
    const { fport, payload } = hanPush.encode(device, state, at);
    const frame = parseHdlc(payload);
    const values = Object.assign(
      {},
      ...hanPush.decode(payload, 1, scaleOf).map((each) => each.values),
    ) as object;

    expect(fport).toBe(1);
    expect(frame).toMatchObject({
      ...{ source: { upper: 32 }, destination: { upper: 32 }, isSegmented: false },
      control: { type: "ui", isFinal: true },
    });
    expect(toHex(frame.information).slice(0, 46)).toBe("e6e7000f000000000c07ea0b14050c000000800000010c");
    expect(values).toEqual(
      Object.fromEntries(
        rows.map(([, , , field]) => [field, Math.max(0, field === "power_active" ? 0 : field.length / 4)]),
      ),
    );
    expect(hanPush.explain(payload, 1)[0]?.name).toBe("flag");
    expect(hanPush.explain(notificationOf(count(5)), 1)[0]?.name).toBe("message_tag");
  });
});
