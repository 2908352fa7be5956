import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { wmbus } from "./driver.ts";
import { buildTelegram } from "./encode.ts";
import { mbusPayload } from "./payload.ts";
import { codeOf } from "../core/spans.ts";

const encryption = "000102030405060708090a0b0c0d0e0f";
const scale = { impulseWeight: 1, startingValue: 0 };
const address = { insideAddr: "", deviceID: "12345678", ...scale };
const at = 1_795_251_600;
const state = (field: string): number => (field === "in1" ? 296.78 : 1.284);
const rows = [{ code: "0C 13", field: "in1" }, { code: "0B 3B", field: "Q_in" }, { code: "04 6D" }] as const;
const meter = {
  resource: "water",
  manufacturers: ["MTR", "OLD"],
  version: 1,
  medium: 7,
  records: rows,
} as const;

describe("the driver of radio meters", () => {
  it.each(["mode5", "mode7", "extended"] as const)(
    "reads what its simulator sends in %s, with the meter's clock",
    (security) => {
      const driver = wmbus({ ...meter, security });
      const device = { ...address, keys: { encryption } };
      const { payload } = driver.encode(device, state, at);

      expect(driver.decode(payload, 0, device)).toEqual([
        { msgType: 1, at: null, meterAt: at, values: { in1: 296.78 } },
        { msgType: 2, at: null, meterAt: at, values: { Q_in: 1.284 } },
      ]);
      expect(driver.explain(payload, 0).reduce((sum, span) => sum + span.bytes, 0)).toBe(payload.length);
      const named = driver.explain(payload, 0, device);
      expect(named.reduce((sum, span) => sum + span.bytes, 0)).toBeGreaterThanOrEqual(payload.length);
      expect(named).toContainEqual(
        expect.objectContaining({
          name: { code: "volume", unit: "m^3", isDecrypted: true },
          value: expect.closeTo(296.78) as number,
        }),
      );
      expect(named.some(({ name }) => ["not_named", "undecoded"].includes(codeOf(name)))).toBe(false);
      const fillers = named.filter(({ name }) => codeOf(name) === "filler");
      expect(fillers.some((one) => fillers.some(({ offset }) => offset === one.offset + one.bytes))).toBe(
        false,
      );
      const wrong = { ...device, keys: { encryption: encryption.replace("0f", "ff") } };
      expect(() => driver.decode(payload, 0, wrong)).toThrow(
        expect.objectContaining({ kind: "bad_password" }),
      );
      const broken = { ...device, keys: { encryption: "00" } };
      expect(driver.explain(payload, 0, broken)).toEqual(driver.explain(payload, 0));
      expect(() => driver.decode(payload, 0, broken)).toThrow(
        expect.objectContaining({ kind: "bad_password" }),
      );
    },
  );

  it("interprets the clock of a meter as local time of the device", () => {
    const driver = wmbus({ ...meter, utcOffsetMinutes: 60 });
    const { payload } = driver.encode({ ...address, utcOffsetMinutes: 480 }, state, at);
    const meterAt = (device: object) => driver.decode(payload, 0, { ...address, ...device })[0]?.meterAt ?? 0;

    expect(meterAt({ utcOffsetMinutes: 480 })).toBe(at);
    expect(meterAt({}) - at).toBe(7 * 3600);
  });

  it("refuses the telegram of another meter and of another manufacturer", () => {
    const driver = wmbus(meter);
    const { payload } = driver.encode(address, state, at);
    const other = wmbus({ ...meter, manufacturers: ["XYZ"] });

    expect(driver.decode(payload, 0, scale)).toHaveLength(2);
    for (const read of [
      () => driver.decode(payload, 0, { ...scale, deviceID: "12345679" }),
      () => other.decode(payload, 0, address),
    ])
      expect(read).toThrow(expect.objectContaining({ kind: "unexpected" }));
  });

  it("refuses an unprotected telegram for a device that has a key", () => {
    const driver = wmbus(meter);
    const { payload } = driver.encode(address, state, at);
    const device = { ...address, keys: { encryption } };

    expect(() => driver.decode(payload, 0, device)).toThrow(
      expect.objectContaining({ kind: "bad_password" }),
    );
  });

  it("reads a compact frame whose records it knows without having seen the full one", () => {
    const driver = wmbus(meter);
    const records = fromHex("0c13 78670900 0b3b 841200 046d 0029553b");
    const plan = { manufacturer: "MTR", id: "12345678", version: 1, medium: 7, accessNumber: 1 } as const;
    const compact = buildTelegram(records, { ...plan, security: "none", isCompact: true });

    expect(driver.decode(compact, 0, address)[0]?.values).toEqual({ in1: 96.778 });
  });

  it("refuses a telegram without any record of the model", () => {
    const driver = wmbus({ ...meter, records: [{ code: "0C 06" }] });
    const { payload } = wmbus(meter).encode(address, state, at);

    expect(() => driver.decode(payload, 0, address)).toThrow(expect.objectContaining({ kind: "unexpected" }));
  });
});

describe("the driver of M-Bus payloads", () => {
  const driver = mbusPayload({ resource: "water", records: rows });

  it.each([
    ["bare records", "0c13 78670900"],
    ["CI 78", "78 0c13 78670900"],
    ["CI 7A", "7a 01 00 0000 0c13 78670900"],
    ["CI 72", "72 78563412 9236 01 07 01 00 0000 0c13 78670900"],
  ])("reads %s", (_, hex) => {
    expect(driver.decode(fromHex(hex), 1, address)).toMatchObject([{ msgType: 1, values: { in1: 96.778 } }]);
    expect(driver.explain(fromHex(hex), 1).reduce((sum, span) => sum + span.bytes, 0)).toBe(
      fromHex(hex).length,
    );
  });

  it.each([
    ["nothing", "", "unexpected"],
    ["another meter", "72 78563499 9236 01 07 01 00 0000 0c13 78670900", "unexpected"],
    ["encrypted records", "7a 01 00 1005 0c13 78670900", "unsupported"],
    ["no record of the model", "0c06 78670900", "unexpected"],
  ])("refuses %s", (_, hex, kind) => {
    expect(() => driver.decode(fromHex(hex), 1, address)).toThrow(expect.objectContaining({ kind }));
  });

  it("interprets the clock of a meter as local time of the device", () => {
    const device = { ...address, utcOffsetMinutes: 480 };

    expect(driver.decode(driver.encode(device, state, at).payload, 1, device)[0]?.meterAt).toBe(at);
  });

  it("sends with CI 78 on the port of the model, and reads no other port", () => {
    const own = mbusPayload({ resource: "water", records: rows, fport: 5, hasCi: true });
    const { fport, payload } = own.encode(address, state, at);

    expect([fport, toHex(payload.subarray(0, 3))]).toEqual([5, "780c13"]);
    expect(own.decode(payload, 5, address)).toHaveLength(2);
    expect(() => own.decode(payload, 6, address)).toThrow(expect.objectContaining({ kind: "unsupported" }));
  });
});
