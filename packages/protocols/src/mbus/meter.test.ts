import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { DeviceAddress, MeterState } from "../core/driver.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { mbus, type MbusOptions } from "./driver.ts";
import { ackFrame, longFrame, parseFrame, shortFrame } from "./frame.ts";
import { decodeRecords } from "./records.ts";

const heat: MbusOptions = {
  ...{ resource: "heat", manufacturer: "KAM", version: 0x2d, medium: 4 },
  records: [{ code: "0C 78" }, { code: "04 06", field: "tariff1" }],
};
const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const device: DeviceAddress = { insideAddr: "5", deviceID: "00012345678" };

/** A meter that shows 1 Gcal, and what it answers in hexadecimal. */
function aMeter(
  of: {
    options?: MbusOptions;
    device?: DeviceAddress;
    state?: MeterState;
    now?: () => number;
    take?: (order: DeviceOrder) => Obedience;
  } = {},
) {
  const { options = heat, state = () => 1, now = () => noon } = of;
  const meter = mbus(options).respond(of.device ?? device, state, now, undefined, of.take);
  const ask = (bytes: Uint8Array): string => meter.receive(bytes).map(toHex).join(" ");
  const data = (c = 0x7b, to = 254): Uint8Array => {
    const frame = parseFrame(meter.receive(shortFrame(c, to))[0] ?? new Uint8Array());
    if (frame.kind !== "long") throw new Error("no data");
    return frame.data;
  };
  return { ask, data, records: (c?: number) => decodeRecords(data(c).subarray(12)).records };
}
const select = (hex: string) => longFrame(0x53, 253, 0x52, fromHex(hex));
const ack = toHex(ackFrame);

describe("the answer of the simulated meter", () => {
  it("is a long header with its identity, and its records; 1 Gcal is 1163 kWh", () => {
    const { ask } = aMeter();
    const body = "0805 72 78563412 2d2c 2d 04 01 00 0000 0c78 78563412 0406 8b040000".replaceAll(" ", "");

    expect(ask(shortFrame(0x7b, 5)).slice(8, -4)).toBe(body);
  });

  it("has a number that grows with each new one, and begins again at 0", () => {
    const { data } = aMeter();
    const numbers = Array.from({ length: 257 }, (_, at) => data(at % 2 === 0 ? 0x7b : 0x5b)[8]);

    expect([numbers[0], numbers[1], numbers[254], numbers[255], numbers[256]]).toEqual([1, 2, 255, 0, 1]);
  });

  it("is repeated for the same frame count bit, unless the bit does not count or the link was reset", () => {
    const { ask, data } = aMeter();
    const numbers = [0x7b, 0x7b, 0x5b, 0x5b, 0x7b, 0x4b, 0x4b, 0x6b].map((c) => data(c)[8]);
    ask(shortFrame(0x40, 5));

    expect([...numbers, data(0x6b)[8], data(0x7b)[8]]).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 7, 8]);
    ask(shortFrame(0x40, 5));
    expect(data(0x7b)[8]).toBe(9);
  });

  it.each<[string, DeviceAddress, number, string]>([
    ["by primary address", device, 5, "12345678"],
    ["by the largest one", { insideAddr: "250", deviceID: "7" }, 250, "00000007"],
    ["by the smallest one", { insideAddr: "0", deviceID: "123456789" }, 0, "23456789"],
    ["alone on the line", { insideAddr: "254", deviceID: "12-34" }, 0, "00001234"],
    ["by identity", { insideAddr: " 87654321 ", deviceID: "1" }, 0, "87654321"],
    ["by full identity", { insideAddr: "876543212D2C2D04", deviceID: "1" }, 0, "87654321"],
    ["by digits of its identity", { insideAddr: "8765FFFF", deviceID: "1" }, 0, "00000001"],
    ["by no address at all", { insideAddr: "?", deviceID: "none" }, 0, "00000000"],
  ])("%s has its address and number", (_, of, address, id) => {
    const { ask } = aMeter({ device: of });
    const hex = ask(shortFrame(0x7b, 254));

    expect([Number.parseInt(hex.slice(10, 12), 16), hex.slice(14, 22)]).toEqual([
      address,
      toHex(fromHex(id).toReversed()),
    ]);
  });

  it("has values of the model, its clock and its number where a row has no field", () => {
    const options: MbusOptions = {
      ...heat,
      utcOffsetMinutes: 480,
      records: [
        ...[{ code: "06 6D" }, { code: "02 6C" }, { code: "0C 78" }, { code: "04 7A" }],
        ...[
          { code: "0D FD 0C", value: "AB" },
          { code: "01 FD 0E", value: 7 },
          { code: "04 6D", value: 0 },
        ],
      ],
    };

    expect(
      aMeter({ options, now: () => noon + 0.9 })
        .records()
        .map(({ value }) => value),
    ).toEqual([...["2026-11-20T20:00:00Z", "2026-11-20", 12_345_678, 0, "AB", 7], "2070-01-01T00:00:00Z"]);
    const here = aMeter({ options, device: { ...device, utcOffsetMinutes: -60 } });
    expect(here.records()[0]?.value).toBe("2026-11-20T11:00:00Z");
  });
});

describe("the simulated meter obeys", () => {
  it("requests for itself, and data of class 2 only", () => {
    const { ask } = aMeter();

    expect([0x7b, 0x5b, 0x4b, 0x6b].filter((c) => ask(shortFrame(c, 5)) === "")).toEqual([]);
    expect([0x5a, 0x7a, 0x0b, 0x1b, 0x49, 0x43].map((c) => ask(shortFrame(c, 5))).join("")).toBe("");
    expect([4, 6, 253].map((to) => ask(shortFrame(0x5b, to))).join("")).toBe("");
    expect(ask(shortFrame(0x40, 254))).toBe(ack);
    expect(ask(Uint8Array.of(0xe5))).toBe("");
    expect(ask(longFrame(0x08, 5, 0x72, [1]))).toBe("");
  });

  it("broadcasts without an answer", () => {
    const { ask, data } = aMeter();

    expect(data()[8]).toBe(1);
    expect(ask(shortFrame(0x40, 255))).toBe("");
    // The link was reset, so the same bit means a new telegram.
    expect(data()[8]).toBe(2);
  });

  it.each([
    ["its number", "78563412ffffffff", true],
    ["any meter", "ffffffffffffffff", true],
    ["its low digits", "7856ffffffffffff", true],
    ["a high digit", "7fffffffffffffff", true],
    ["a low digit", "f8ffffffffffffff", true],
    ["another high digit", "8fffffffffffffff", false],
    ["another low digit", "f7ffffffffffffff", false],
    ["another last digit", "ffffff13ffffffff", false],
    ["its maker", "ffffffff2d2cffff", true],
    ["another maker", "ffffffff2d2dffff", false],
    ["another maker's low byte", "ffffffff2c2cffff", false],
    ["half of its maker", "ffffffffff2cffff", false],
    ["the other half", "ffffffff2dffffff", false],
    ["its version", "ffffffffffff2dff", true],
    ["another version", "ffffffffffff2eff", false],
    ["its medium", "ffffffffffffff04", true],
    ["another medium", "ffffffffffffff07", false],
    ["all of it", "785634122d2c2d04", true],
    ["too little", "78563412ffffff", false],
  ])("a selection of %s", (_, hex, isOwn) => {
    const { ask } = aMeter({ device: { insideAddr: "12345678", deviceID: "" } });

    expect(ask(select(hex))).toBe(isOwn ? ack : "");
    expect(ask(shortFrame(0x5b, 253)) !== "").toBe(isOwn);
  });

  it("a selection at its own address and other data there as data", () => {
    const { ask } = aMeter();

    expect(ask(longFrame(0x53, 5, 0x52, fromHex("ffffffffffffffff")))).toBe(ack);
    expect(ask(shortFrame(0x5b, 253))).toBe("");
    expect(ask(longFrame(0x53, 253, 0x50))).toBe("");
    expect(ask(select("ffffffffffffffff"))).toBe(ack);
    expect(ask(longFrame(0x53, 253, 0x50))).toBe(ack);
  });

  it("a reset of its link at its own address, which keeps it selected", () => {
    const { ask } = aMeter();
    ask(select("ffffffffffffffff"));

    expect([ask(shortFrame(0x40, 5)), ask(shortFrame(0x5b, 253)) === ""]).toEqual([ack, false]);
    expect([ask(shortFrame(0x40, 253)), ask(shortFrame(0x5b, 253))]).toEqual([ack, ""]);
  });

  it("the setting of its clock, and leaves other data alone", () => {
    const options: MbusOptions = { ...heat, records: [{ code: "04 6D" }] };
    const orders: DeviceOrder[] = [];
    const take = (order: DeviceOrder): Obedience => {
      orders.push(order);
      return "obey";
    };
    const meter = aMeter({ options, take });
    const write = (hex: string) => meter.ask(longFrame(0x73, 5, 0x51, fromHex(hex)));

    expect(write("046d 3b2c 743b")).toBe(ack);
    expect(orders).toEqual([
      { kind: "clock", seconds: 59 * 60 + (Date.UTC(2027, 10, 20) - Date.UTC(2026, 10, 20)) / 1000 },
    ]);
    expect(meter.records()[0]?.value).toBe("2027-11-20T12:59:00Z");
    expect([write("017a 05"), write("04"), write("446d 3b2c743b"), write("026c 743b")].join("")).toBe(
      ack.repeat(4),
    );
    expect(meter.ask(longFrame(0x73, 5, 0x5a, fromHex("046d 3b2c743b")))).toBe(ack);
    expect(orders).toHaveLength(1);
  });

  it.each<[Obedience, string, string]>([
    ["obey", ack, "2027-11-20T12:59:00Z"],
    ["lie", ack, "2026-11-20T12:00:00Z"],
    ["refuse", "", "2026-11-20T12:00:00Z"],
  ])("an order for the clock, or not: %s", (obedience, answer, clock) => {
    const options: MbusOptions = { ...heat, records: [{ code: "04 6D" }] };
    const meter = aMeter({ options, take: () => obedience });

    expect(meter.ask(longFrame(0x73, 5, 0x51, fromHex("046d 3b2c 743b")))).toBe(answer);
    expect(meter.records()[0]?.value).toBe(clock);
  });
});

describe("telegrams of the simulated meter", () => {
  /** A text record of this many bytes altogether. */
  const text = (bytes: number) => ({ code: "0D FD 0C", value: "A".repeat(bytes - 4) });
  const lengths = (records: MbusOptions["records"]) => {
    const meter = aMeter({ options: { ...heat, records } });
    const telegrams = [0x7b, 0x5b, 0x7b].map((c) => meter.data(c).subarray(12));
    return telegrams.map((data) => [data.length, data.at(-1) === 0x1f]);
  };

  it("hold 239 bytes of records and say that more follow, then begin again", () => {
    expect(lengths([text(120), text(119)])).toEqual([
      [239, false],
      [239, false],
      [239, false],
    ]);
    expect(lengths([text(120), text(120)])).toEqual([
      [121, true],
      [120, false],
      [121, true],
    ]);
    expect(lengths([text(120), text(119), text(4)])).toEqual([
      [240, true],
      [4, false],
      [240, true],
    ]);
    expect(lengths([])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
  });

  it("begin again after a reset of the application", () => {
    const meter = aMeter({ options: { ...heat, records: [text(120), text(120)] } });

    expect(meter.data(0x7b).at(-1)).toBe(0x1f);
    expect(meter.ask(longFrame(0x53, 5, 0x50))).toBe(ack);
    expect(meter.data(0x5b).at(-1)).toBe(0x1f);
    expect(meter.ask(longFrame(0x53, 5, 0x5c))).toBe(ack);
    expect(meter.data(0x7b).at(-1)).toBe(0x41);
  });
});

describe("archives of the simulated meter", () => {
  const archived = (archive: Partial<NonNullable<MbusOptions["archives"]>[number]>): MbusOptions => ({
    ...heat,
    utcOffsetMinutes: 180,
    records: [],
    archives: [
      {
        msgType: 103,
        firstStorage: 2,
        count: 2,
        date: "04 6D",
        rows: [{ code: "04 06", field: "tariff1" }],
        ...archive,
      },
    ],
  });
  /** Storage and value of all records at these times, local. */
  const at = (options: MbusOptions, ...times: string[]) => {
    let now = 0;
    const go = (time: string) => (now = Date.parse(`${time}Z`) / 1000 - 180 * 60);
    go("2026-11-20T12:34:56");
    const meter = aMeter({ options, now: () => now, state: () => (now % 1000) / 1163 });
    return times.map((time, n) => {
      go(time);
      return meter.records(n % 2 === 0 ? 0x7b : 0x5b).map(({ storage, value }) => [storage, value]);
    });
  };

  it.each([
    [103, "2026-11-30T23:59:59", "2026-12-01T00:00:00"],
    [101, "2026-11-20T23:59:59", "2026-11-21T00:00:00"],
    [100, "2026-11-20T12:59:59", "2026-11-20T13:00:00"],
  ] as const)("of kind %i keep the register at the end of a period, marked as none before", (...row) => {
    const [msgType, before, end] = row;
    const value = ((Date.parse(`${end}Z`) / 1000 - 180 * 60) % 1000) * 1000;
    const none = [
      [2, null],
      [2, 0],
      [3, null],
      [3, 0],
    ];

    expect(at(archived({ msgType }), before, end)).toEqual([
      none,
      [[2, `${end}Z`], [2, value], ...none.slice(2)],
    ]);
  });

  it("have the newest first, and forget the oldest", () => {
    const [, , , last] = at(
      archived({ msgType: 101 }),
      ...["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-23"].map((day) => `${day}T01:00:00`),
    );

    expect(last?.map(([storage, value]) => [storage, value]).filter((_, n) => n % 2 === 0)).toEqual([
      [2, "2026-11-23T00:00:00Z"],
      [3, "2026-11-22T00:00:00Z"],
    ]);
  });

  it("have the last day of a period, or the first one of the next, as their date alone", () => {
    const dates = (dateMeans?: "startOfDay") =>
      at(
        archived({ date: "02 6C", count: 1, ...(dateMeans ? { dateMeans } : {}) }),
        "2026-12-05T00:00:00",
      )[0]?.[0];

    expect(dates()).toEqual([2, "2026-11-30"]);
    expect(dates("startOfDay")).toEqual([2, "2026-12-01"]);
  });
});
