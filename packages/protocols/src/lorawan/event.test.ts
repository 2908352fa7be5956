import { describe, expect, it } from "vitest";
import { fieldsOf } from "../core/json.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import {
  applicationPort,
  checkDown,
  checkedPayload,
  devEuiOf,
  downlinkOutcomes,
  loraRate,
  strongestFirst,
  widestCounter,
  widestPort,
} from "./event.ts";

describe("an event of a network server", () => {
  it("has a counter of 32 bits, a port of a byte, and one of five outcomes", () => {
    expect([widestCounter, widestPort]).toEqual([4_294_967_295, 255]);
    expect(downlinkOutcomes).toEqual(["queued", "sent", "acknowledged", "not_acknowledged", "failed"]);
  });

  it("has a payload of at most 512 bytes", () => {
    expect(checkedPayload(new Uint8Array(512))).toHaveLength(512);
    expect(refusalOf(() => checkedPayload(new Uint8Array(513)))).toMatchObject({ kind: "unexpected" });
    expect(() => checkedPayload(new Uint8Array(513))).toThrow("payload is not of at most 512 bytes");
  });

  it("names its device by 16 hexadecimal digits, in small letters", () => {
    const devEui = (eui: string) => devEuiOf(fieldsOf({ eui }), "eui", "info.eui");

    expect(devEui("0102030405060AbC")).toBe("0102030405060abc");
    for (const wrong of ["", "0102030405060ab", "0102030405060abcd", "0102030405060abg"])
      expect(() => devEui(wrong)).toThrow("info.eui is not 16 hexadecimal digits");
    expect(() => devEuiOf(fieldsOf({}), "eui")).toThrow("eui is not 16 hexadecimal digits");
  });

  it("has the strongest reception first, as they came where they are alike", () => {
    const reception = (gatewayId: string, rssi: number) => ({ gatewayId, rssi, snr: 0 });
    const given = [reception("a", -100), reception("b", -70), reception("c", -100), reception("d", -90)];

    expect(strongestFirst(given).map(({ gatewayId }) => gatewayId)).toEqual(["b", "d", "a", "c"]);
  });

  it("has a data rate if it has both of its parts", () => {
    expect(loraRate(7, 125_000)).toBe("SF7BW125");
    expect(loraRate(12, 62_500)).toBe("SF12BW62.5");
    expect([loraRate(0, 125_000), loraRate(7, 0), loraRate(-1, 125_000), loraRate(7, -1)]).toEqual([
      "",
      "",
      "",
      "",
    ]);
  });
});

describe("a downlink", () => {
  const down = (fPort: number, bytes: number) => () => {
    checkDown({ fPort, payload: new Uint8Array(bytes), confirmed: false });
  };

  it("goes to ports 1 to 223, with up to 242 bytes", () => {
    for (const [fPort, bytes] of [
      [1, 0],
      [223, 242],
    ] as const)
      expect(down(fPort, bytes)).not.toThrow();
    for (const [fPort, bytes] of [
      [0, 1],
      [224, 1],
      [1.5, 1],
      [1, 243],
    ] as const)
      expect(down(fPort, bytes)).toThrow(RangeError);
  });

  it("that is read goes to the same ports", () => {
    const port = (fPort: unknown) => applicationPort(fieldsOf({ fPort }), "fPort");

    expect([port(1), port(223)]).toEqual([1, 223]);
    for (const wrong of [0, 224, 1.5, undefined])
      expect(() => port(wrong)).toThrow("fPort is not a whole number from 1 to 223");
  });
});
