import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { stepOf, type Conversation, type Responder } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { converse, replay } from "../core/fuzz/replay.ts";
import { mbus, type MbusOptions } from "./driver.ts";
import { control, longFrame, shortFrame } from "./frame.ts";

const heat: MbusOptions = {
  resource: "heat",
  manufacturer: "KAM",
  version: 0x2d,
  medium: 4,
  records: [
    { code: "0C 78" },
    { code: "04 6D" },
    { code: "0C 06", field: "tariff1" },
    { code: "0C 14", field: "V_in" },
    { code: "04 1B", field: "M_in" },
    { code: "0B 3B", field: "Q_in" },
    { code: "0C 2A", field: "heat_power" },
    { code: "0A 5A", field: "T_in" },
    { code: "0A 5E", field: "T_out" },
    { code: "02 FD 17", value: 0 },
  ],
};

const state: Readonly<Record<string, number>> = {
  tariff1: 1234.567,
  V_in: 98_765.43,
  M_in: 97_000,
  Q_in: 1.234,
  heat_power: 0.0258,
  T_in: 84.3,
  T_out: -0.5,
};
const show = (field: string): number => state[field] ?? Number.NaN;
const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const primary = { insideAddr: "5", deviceID: "00012345678" };
const secondary = { insideAddr: "12345678", deviceID: "x" };

const readNow = (options: MbusOptions, device = primary, now = () => noon): Reading[] => {
  const driver = mbus(options);
  return converse(driver.poll({ kind: "now" }, device), driver.respond(device, show, now));
};

const errorOf = (run: () => unknown): ProtocolError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

const refuse: Responder = { receive: () => [] };

describe("poll of a meter", () => {
  it.each([
    ["primary", primary],
    ["secondary", secondary],
    ["secondary with wildcards", { insideAddr: "1234FFFF", deviceID: "12345678" }],
    ["full secondary", { insideAddr: "123456782D2C2D04", deviceID: "" }],
    ["the only meter on the line", { insideAddr: "254", deviceID: "12345678" }],
  ])("DEV-035: reads counters and states of the simulated meter by %s address", (_, device) => {
    const [counters, states, ...others] = readNow(heat, device);

    expect(others).toEqual([]);
    expect(counters).toMatchObject({ msgType: 1, at: null, meterAt: noon });
    expect(counters?.values.tariff1).toBeCloseTo(1234.567, 2);
    expect(counters?.values.V_in).toBeCloseTo(98_765.43, 2);
    expect(counters?.values.M_in).toBe(97_000);
    expect(states).toMatchObject({ msgType: 2, at: null, values: { Q_in: 1.234, T_in: 84.3, T_out: -0.5 } });
    expect(states?.values.heat_power).toBeCloseTo(0.0258, 4);
  });

  it("turns Wh, J and MWh into the unit of the resource", () => {
    const options = (code: string, resource: MbusOptions["resource"]): MbusOptions => ({
      ...heat,
      resource,
      records: [{ code, field: "tariff1" }],
    });
    const poll = (records: string, resource: MbusOptions["resource"]) =>
      replay(mbus(options("0C 06", resource)).poll({ kind: "now" }, primary), [
        [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
        [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, fromHex(records))],
      ])[0]?.values;

    expect(poll("0c06 00100000", "electricity")).toEqual({ tariff1: 1000 });
    expect(poll("0c06 00100000", "heat")).toEqual({ tariff1: 0.859845 });
    expect(poll("0c0e 68418000", "heat")?.tariff1).toBeCloseTo((804_168 * 1e6) / 4.1868e9, 8);
    expect(poll("04fb01 63040000", "heat")).toEqual({ tariff1: 965.606191 });
  });

  it("refuses a float that its unit makes infinite, with the name of the field", () => {
    const poll = mbus({ ...heat, records: [{ code: "04 47", field: "Q_in" }] });
    const read = (value: number) => {
      const float = new Uint8Array(8);
      new DataView(float.buffer).setFloat64(0, value, true);
      return replay(poll.poll({ kind: "now" }, primary), [
        [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
        [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, [0x0d, 0x47, 0xf8, ...float])],
      ]);
    };

    expect(read(2)).toEqual([{ msgType: 2, at: null, values: { Q_in: 120 } }]);
    expect(errorOf(() => read(1e307))).toMatchObject({ kind: "unexpected", message: "Q_in is too large" });
  });

  it("stores null for a sentinel and nothing for a missing record", () => {
    const readings = replay(mbus(heat).poll({ kind: "now" }, primary), [
      [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
      [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, fromHex("0c06 ffffffff 0a5a 0102"))],
    ]);

    expect(readings).toEqual([
      { msgType: 1, at: null, values: { tariff1: null } },
      { msgType: 2, at: null, values: { T_in: 20.1 } },
    ]);
  });

  it("never uses another tariff, storage, function or direction for the field", () => {
    const strangers =
      "8c1006 01000000 4c06 01000000 1c06 01000000 3c06 01000000 0c863c 01000000 8c4006 01000000";
    const run = () =>
      replay(mbus(heat).poll({ kind: "now" }, primary), [
        [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
        [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, fromHex(strangers))],
      ]);

    expect(errorOf(run).kind).toBe("unexpected");
  });

  it("reads telegram after telegram with a toggled FCB while 1F announces more", () => {
    const first = longFrame(0x08, 5, 0x78, fromHex("0c06 01000000 1f"));
    const second = longFrame(0x08, 5, 0x78, fromHex("0c14 02000000"));

    const readings = replay(mbus(heat).poll({ kind: "now" }, primary), [
      [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
      [shortFrame(0x7b, 5), first],
      [shortFrame(0x5b, 5), second],
    ]);

    expect(readings).toMatchObject([{ values: { V_in: 0.02 } }]);
  });

  it("stops at a telegram that repeats and at the cap", () => {
    const telegram = (value: number) => longFrame(0x08, 5, 0x78, [0x04, 0x06, value, 0, 0, 0, 0x1f]);
    const count = (next: (requests: number) => number): number => {
      let requests = 0;
      const device: Responder = {
        receive: (bytes) => [bytes[1] === 0x40 ? Uint8Array.of(0xe5) : telegram(next(++requests))],
      };
      converse(mbus(heat).poll({ kind: "now" }, primary), device);
      return requests;
    };

    expect(count(() => 1)).toBe(2);
    expect(count((requests) => requests)).toBe(16);
  });

  it("spreads a long list over telegrams and reads all of them", () => {
    const long: MbusOptions = {
      ...heat,
      records: [
        ...Array.from({ length: 60 }, (_, at) => ({ code: `84 ${(0x80 + (at % 16)).toString(16)} 01 14` })),
        ...heat.records,
      ],
    };

    const [counters, states] = readNow(long);

    expect(counters?.values.M_in).toBe(97_000);
    expect(states?.values.T_in).toBe(84.3);
  });

  it("refuses an answer of a meter other than the selected one", () => {
    const run = () => {
      const driver = mbus(heat);
      const other = driver.respond({ insideAddr: "87654321", deviceID: "" }, show, () => noon);
      const deaf: Responder = {
        // Two meters are selected on a faulty bus: the other one acknowledges and answers.
        receive: (bytes) =>
          other.receive(bytes[6] === 0x52 ? longFrame(0x53, 253, 0x52, fromHex("ffffffffffffffff")) : bytes),
      };
      return converse(driver.poll({ kind: "now" }, secondary), deaf);
    };

    expect(errorOf(run).kind).toBe("unexpected");
  });

  it("throws errors for an error report and for silence of the meter", () => {
    const busy = () =>
      replay(mbus(heat).poll({ kind: "now" }, primary), [
        [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
        [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x70, [8])],
      ]);

    expect(errorOf(busy)).toMatchObject({ kind: "refused", detail: 8, isBusy: true });
    expect(errorOf(() => converse(mbus(heat).poll({ kind: "now" }, primary), refuse)).kind).toBe("timeout");
    expect(errorOf(() => readNow(heat, { insideAddr: "251", deviceID: "" })).kind).toBe("unexpected");
  });

  it("refuses at once a model that assigns a record to a field of another kind", () => {
    expect(() => mbus({ ...heat, records: [{ code: "0C 14", field: "tariff1" }] })).toThrow(RangeError);
  });
});

describe("archives by storage number", () => {
  const archived: MbusOptions = {
    ...heat,
    utcOffsetMinutes: 180,
    archives: [
      { msgType: 103, firstStorage: 1, count: 2, date: "02 6C", rows: [{ code: "0C 06", field: "tariff1" }] },
    ],
  };

  it("stamps a value with the moment it applies to, in UTC", () => {
    const [, month] = replay(mbus(archived).poll({ kind: "now" }, primary), [
      [shortFrame(0x40, 5), Uint8Array.of(0xe5)],
      [shortFrame(0x7b, 5), longFrame(0x08, 5, 0x78, fromHex("0c06 00100000 4c06 00100000 426c 5f3a"))],
    ]);

    expect(month?.msgType).toBe(103);
    expect(month?.at).toBe(Date.UTC(2026, 10, 1) / 1000 - 180 * 60);
  });

  it("keeps the registers of the simulated meter at the end of the month", () => {
    let now = noon;
    const driver = mbus(archived);
    const meter = driver.respond(primary, show, () => now);
    const archive = (): Reading[] =>
      converse(driver.poll({ kind: "archive", msgType: 103, from: 0, to: 4e9 }, primary), meter);

    expect(archive()).toEqual([]);
    now = Date.UTC(2026, 11, 3) / 1000;

    const december = Date.UTC(2026, 11, 1) / 1000 - 180 * 60;
    expect(archive()).toMatchObject([{ msgType: 103, at: december, meterAt: december }]);
    expect(archive()[0]?.values.tariff1).toBeCloseTo(1234.567, 2);
  });

  it("refuses an archive that the model does not have", () => {
    const run = () => mbus(archived).poll({ kind: "archive", msgType: 101, from: 0, to: 1 }, primary).next();

    expect(errorOf(run).kind).toBe("unsupported");
  });
});

describe("the simulated meter", () => {
  const meter = (device = primary): Responder => mbus(heat).respond(device, show, () => noon);
  const hex = (answers: readonly Uint8Array[]): string => answers.map(toHex).join();

  it("repeats its telegram for the same FCB and renews it for the other", () => {
    const slave = meter();
    slave.receive(shortFrame(control.sndNke, 5));
    const first = hex(slave.receive(shortFrame(0x7b, 5)));

    expect(hex(slave.receive(shortFrame(0x7b, 5)))).toBe(first);
    expect(hex(slave.receive(shortFrame(0x5b, 5)))).not.toBe(first);
  });

  it("answers requests that arrive in pieces and glued together", () => {
    const slave = meter();
    const request = Uint8Array.of(0, ...shortFrame(control.sndNke, 5), ...shortFrame(0x7b, 5));

    const whole = hex(meter().receive(request));
    const pieces = [...request].flatMap((byte) => slave.receive(Uint8Array.of(byte)));

    expect(pieces).toHaveLength(2);
    expect(hex(pieces)).toBe(whole);
  });

  it("ignores foreign addresses, damaged frames, broadcast 255, and 253 while not selected", () => {
    const damaged = shortFrame(control.sndNke, 5);
    damaged[3] = 0;

    for (const request of [damaged, ...[6, 255, 253].map((to) => shortFrame(control.sndNke, to))])
      expect(meter().receive(request)).toEqual([]);
  });

  it("is deselected when another meter is selected or the link is reset", () => {
    const slave = meter(secondary);
    const select = (id: string) =>
      slave.receive(longFrame(control.sndUd, 253, 0x52, fromHex(`${id}ffffffff`)));

    expect(hex(select("78563412"))).toBe("e5");
    expect(slave.receive(shortFrame(0x7b, 253))).toHaveLength(1);
    expect(select("78563413")).toEqual([]);
    expect(slave.receive(shortFrame(0x7b, 253))).toEqual([]);
    select("ffffffff");
    expect(hex(slave.receive(shortFrame(control.sndNke, 253)))).toBe("e5");
    expect(slave.receive(shortFrame(0x7b, 253))).toEqual([]);
  });

  it("rolls a counter over and stops any other value at the largest number of its record", () => {
    const small = {
      ...heat,
      records: [
        { code: "0A 14", field: "V_in" },
        { code: "0A 3B", field: "Q_in" },
      ],
    } as const;
    const driver = mbus(small);
    const slave = driver.respond(
      primary,
      () => 123.45,
      () => noon,
    );

    const readings = converse(driver.poll({ kind: "now" }, primary), slave);

    expect(readings).toMatchObject([{ values: { V_in: 23.45 } }, { values: { Q_in: 9.999 } }]);
  });

  it("starts over after an application reset and accepts a change of speed", () => {
    const slave = meter();

    expect(hex(slave.receive(longFrame(control.sndUd, 5, 0x50)))).toBe("e5");
    expect(hex(slave.receive(longFrame(control.sndUd, 254, 0xbb)))).toBe("e5");
  });
});

describe("the conversation", () => {
  it("sends REQ_UD2 with FCB set first and never retries a deselection", () => {
    const steps: string[] = [];
    const conversation: Conversation<Reading[]> = mbus(heat).poll({ kind: "now" }, secondary);
    const slave = mbus(heat).respond(secondary, show, () => noon);
    let turn = conversation.next();
    while (!turn.done) {
      const { send, tries } = stepOf(turn);
      steps.push(`${toHex(send.subarray(0, 3))} x${String(tries)}`);
      const [reply] = slave.receive(send);
      turn = reply ? conversation.next(reply) : conversation.throw(new ProtocolError("timeout", "no answer"));
    }

    expect(steps).toEqual(["1040fd x1", "680b0b x3", "107bfd x3"]);
  });
});
