import type { FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { stepOf, type Conversation, type Responder, type Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse, replay } from "../core/fuzz/replay.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { mbus, type MbusOptions } from "./driver.ts";
import { ackFrame, longFrame, shortFrame } from "./frame.ts";
import { answerMs } from "./session.ts";
import { fitsMask, targetOf } from "./target.ts";

const meter = { resource: "water", manufacturer: "MTR", version: 1, medium: 7 } as const;
const options: MbusOptions = { ...meter, records: [{ code: "0C 13", field: "in1" }] };
const primary = { insideAddr: "5", deviceID: "12345678" };
const header = (access = "01", status = "00") => `78563412 9236 01 07 ${access} ${status} 0000`;
const telegram = (hex: string, ci = 0x72) => longFrame(0x08, 5, ci, fromHex(hex));

/** Reads one answer with these records. */
const read = (hex: string, of: Partial<MbusOptions> = {}, ci = 0x78) =>
  replay(mbus({ ...options, ...of }).poll({ kind: "now" }, primary), [
    [shortFrame(0x40, 5), ackFrame],
    [shortFrame(0x7b, 5), telegram(hex, ci)],
  ]);

/** The steps of a dialogue with these answers; an undefined one is silence. */
function stepsOf(dialogue: Conversation<unknown>, answers: readonly (Uint8Array | undefined)[]): Step[] {
  const steps: Step[] = [];
  let turn = dialogue.next();
  for (const answer of answers) {
    if (turn.done) break;
    steps.push(stepOf(turn));
    turn = answer ? dialogue.next(answer) : dialogue.throw(new ProtocolError("timeout", "silence"));
  }
  return steps;
}

describe("the steps of a poll", () => {
  const shown = (steps: readonly Step[]) =>
    steps.map(({ label, send, firstByteMs, interByteMs, tries }) => [
      ...[label, toHex(send)],
      ...[firstByteMs, interByteMs, tries],
    ]);

  // Source: EN 13757-2, 5.5.2: a slave answers within 330 bit times and 50 ms, here doubled.
  it("wait for 330 bits and 50 ms, twice", () => {
    expect([300, 2400, 9600, 38_400].map(answerMs)).toEqual([2300, 375, 169, 118]);
  });

  it("to a primary address: initialise, then read with the other frame count bit each time", () => {
    const more = telegram(`${header()} 0c13 01000000 1f`);
    const dialogue = mbus(options).poll({ kind: "now" }, primary);

    expect(shown(stepsOf(dialogue, [ackFrame, more, telegram(`${header("02")} 0c13 02000000`)]))).toEqual([
      [{ code: "initialise", n: 5 }, "1040054516", 375, 375, 3],
      [{ code: "read_telegram", n: 1 }, "107b058016", 375, 375, 3],
      [{ code: "read_telegram", n: 2 }, "105b056016", 375, 375, 3],
    ]);
  });

  it("to an identity: deselect, whoever answers, then select", () => {
    const driver = mbus({ ...options, baud: 300 });
    const device = { insideAddr: "12345678", deviceID: "" };
    const steps = (silent: boolean) =>
      shown(
        stepsOf(driver.poll({ kind: "now" }, device), [
          ...[silent ? undefined : ackFrame, ackFrame],
          telegram(`${header()} 0c13 01000000`),
        ]),
      );

    expect(steps(true)).toEqual([
      ["deselect", "1040fd3d16", 2300, 2300, 1],
      [
        { code: "select", n: "12345678" },
        toHex(longFrame(0x53, 253, 0x52, fromHex("78563412ffffffff"))),
        ...[2300, 2300, 3],
      ],
      [{ code: "read_telegram", n: 1 }, "107bfd7816", 2300, 2300, 3],
    ]);
    expect(steps(false)).toEqual(steps(true));
  });

  it("take data of the one who was asked, or of anyone where only one can answer", () => {
    const matches = (insideAddr: string, from: number) => {
      const answers = insideAddr.length > 3 ? [ackFrame, ackFrame] : [ackFrame];
      const steps = stepsOf(mbus(options).poll({ kind: "now" }, { insideAddr, deviceID: "" }), [
        ...answers,
        telegram("0c13 01000000", 0x78),
      ]);
      return steps.at(-1)?.match?.(longFrame(0x08, from, 0x78, [0x2f])).state;
    };

    expect([matches("250", 250), matches("250", 249)]).toEqual(["frame", "more"]);
    expect([matches("254", 7), matches("12345678", 7)]).toEqual(["frame", "frame"]);
  });

  it("that set a clock send it once, with the frame count bit set", () => {
    const driver = mbus({ ...options, records: [{ code: "04 6D" }] });
    const dialogue = driver.commands.time_set?.(primary, { time_set: "2027-11-29 11:47" });
    const steps = dialogue ? stepsOf(dialogue, [ackFrame, ackFrame]) : [];

    expect(steps.map(({ label, tries }) => [label, tries])).toEqual([
      [{ code: "initialise", n: 5 }, 3],
      ["set_clock", 1],
    ]);
    expect(toHex(steps[1]?.send ?? [])).toBe(toHex(longFrame(0x73, 5, 0x51, fromHex("046d 2f2b7d3b"))));
  });

  it("refuse an acknowledgement instead of data", () => {
    const dialogue = mbus(options).poll({ kind: "now" }, primary);

    expect(refusalOf(() => stepsOf(dialogue, [ackFrame, ackFrame]))).toEqual({
      ...{ kind: "unexpected", offset: undefined },
    });
  });

  it("end with what other errors than of a device there are", () => {
    const dialogue = mbus(options).poll({ kind: "now" }, { insideAddr: "12345678", deviceID: "" });
    dialogue.next();

    expect(() => dialogue.throw(new TypeError("a bug"))).toThrow(TypeError);
  });
});

describe("telegrams that follow each other", () => {
  const count = (telegrams: readonly string[], ci = 0x72): number => {
    let asked = 0;
    const line: Responder = {
      receive: (bytes) => {
        if (bytes[1] === 0x40) return [ackFrame];
        asked += 1;
        return [telegram(telegrams[Math.min(asked, telegrams.length) - 1] ?? "", ci)];
      },
    };
    converse(mbus(options).poll({ kind: "now" }, primary), line);
    return asked;
  };
  const record = "0c13 01000000";

  it("are one that is repeated if they differ in the access number alone", () => {
    expect(count([`${header("01")} ${record} 1f`, `${header("02")} ${record} 1f`])).toBe(2);
    expect(count([`${header("01")} ${record} 1f`, `${header("01", "04")} ${record} 1f`])).toBe(3);
    expect(count([`01 00 0000 ${record} 1f`, `02 00 0000 ${record} 1f`], 0x7a)).toBe(3);
    expect(count([`${record} 1f`, `${record} 1f`], 0x78)).toBe(2);
    expect(count([record, `${record} 1f`], 0x78)).toBe(1);
  });

  it("give the reading of all, and the serial number of the first", () => {
    const readings = replay(
      mbus({ ...options, records: [...options.records, { code: "0B 3B", field: "Q_in" }] }).poll(
        { kind: "now" },
        primary,
      ),
      [
        [shortFrame(0x40, 5), ackFrame],
        [shortFrame(0x7b, 5), telegram(`${header()} 0c13 01000000 1f`)],
        [shortFrame(0x5b, 5), telegram(`99999999 9236 01 07 02 00 0000 0b3b 020000`)],
      ],
    );

    expect(readings).toEqual([
      { msgType: 1, at: null, values: { in1: 0.001 }, serial: "12345678" },
      { msgType: 2, at: null, values: { Q_in: 0.002 } },
    ]);
  });

  it("of a meter other than the selected one are refused; without an identity there is no telling", () => {
    const poll = (hex: string, ci: number) =>
      refusalOf(() =>
        replay(mbus(options).poll({ kind: "now" }, { insideAddr: "1234567F", deviceID: "" }), [
          [shortFrame(0x40, 253), ackFrame],
          [longFrame(0x53, 253, 0x52, fromHex("7f563412ffffffff")), ackFrame],
          [shortFrame(0x7b, 253), telegram(hex, ci)],
        ]),
      )?.kind;

    expect(poll(`${header()} ${record}`, 0x72)).toBeUndefined();
    expect(poll(record, 0x78)).toBeUndefined();
    expect(poll(`88563412 9236 01 07 01 00 0000 ${record}`, 0x72)).toBe("unexpected");
    expect(read(`88563412 9236 01 07 01 00 0000 ${record}`, {}, 0x72)).toHaveLength(1);
  });
});

describe("the readings of an answer", () => {
  it("are stamped by the clock of the meter, of which others are no clock", () => {
    const stamp = (hex: string, of: Partial<MbusOptions> = {}) =>
      read(`${hex} 0c13 01000000`, of)[0]?.meterAt;
    const moment = Date.UTC(2027, 10, 29, 11, 47) / 1000;

    expect(stamp("046d 2f0b7d3b")).toBe(moment);
    expect(stamp("046d 2f8b7d3b")).toBe(moment - 3600);
    expect(stamp("046d 2f0b7d3b", { utcOffsetMinutes: 90 })).toBe(moment - 5400);
    expect(stamp("066d 1e2f0b7d3b00")).toBe(moment + 30);
    expect(stamp("446d 2f0b7d3b 046d 2f0c7d3b")).toBe(moment + 3600);
    for (const none of ["446d 2f0b7d3b", "146d 2f0b7d3b", "04ed7e 2f0b7d3b", "026c 7d3b", "04fd70 2f0b7d3b"])
      expect(stamp(none), none).toBeUndefined();
    for (const none of ["026d 7d3b", "046d ffffffff", "036d 1e2d0b"])
      expect(stamp(none), none).toBeUndefined();
  });

  it("are found by all of their place, and by nothing else", () => {
    const record = { code: "C4 50 13", field: "in1" } as const;
    const of = { records: [record, { code: "0C 14", field: "in2" }] } as const;
    const found = (hex: string) => read(`0c14 05000000 ${hex}`, of)[0]?.values.in1;

    for (const same of ["c45013 01000000", "cc5013 01000000", "c45014 01000000", "c4d00013 01000000"])
      expect(found(same), same).toBeCloseTo(same.includes("5014") ? 0.01 : 0.001, 9);
    for (const other of ["845013", "c44013", "c41013", "d45013", "c4501b", "c45093bb7e", "c45093 3c"])
      expect(found(`${other} 01000000`), other).toBeUndefined();
  });

  it("are of the first record with a value", () => {
    const values = (hex: string) => read(hex)[0]?.values.in1;

    expect(values("0c13 01000000 0c13 02000000")).toBe(0.001);
    expect(values("0c13 ffffffff 0c13 02000000")).toBe(0.002);
    expect(values("0c13 01000000 0c13 ffffffff")).toBe(0.001);
    expect(values("0c13 ffffffff")).toBeNull();
    expect(values("0d13 01 41")).toBeNull();
    expect(values("0c933b 03000000")).toBe(0.003);
    expect(refusalOf(() => values("0c93bb22 03000000"))?.kind).toBe("unexpected");
    expect(refusalOf(() => values("0c933c 03000000"))?.kind).toBe("unexpected");
    // A mass is none of a volume.
    expect(refusalOf(() => values("0c1b 03000000"))?.kind).toBe("unexpected");
  });

  it("of a value that is another thing in the unit of the meter are left out", () => {
    const fields = (hex: string) =>
      read(hex, {
        records: [
          { code: "04 5B", field: "T_in" },
          { code: "0C 13", field: "in1" },
        ],
      });

    expect(fields("0c13 01000000 04fb5b 01000000")).toEqual([
      { msgType: 1, at: null, values: { in1: 0.001 } },
    ]);
  });

  it.each<[FieldName, 1 | 2]>([
    ["in1", 1],
    ["V_in", 1],
  ])("of a counter, %s, are of message type %i", (field, msgType) => {
    expect(read("0c13 01000000", { records: [{ code: "0C 13", field }] })).toEqual([
      { msgType, at: null, values: { [field]: 0.001 } },
    ]);
  });
});

describe("an archive", () => {
  const archived = (of: object = {}): MbusOptions => ({
    ...options,
    utcOffsetMinutes: 60,
    archives: [
      {
        msgType: 103,
        firstStorage: 1,
        count: 2,
        date: "02 6C",
        rows: [{ code: "0C 13", field: "in1" }],
        ...of,
      },
      { msgType: 101, firstStorage: 8, count: 1, date: "04 6D", rows: [{ code: "0C 13", field: "in1" }] },
    ],
  });
  /** Storage 1: 29 November; 2: 30 November 2027; 8: with time. */
  const records =
    "4c13 01000000 426c 7d3b 8c0113 02000000 82016c 7e3b 8c0413 08000000 84046d 2f0b7d3b cc0113 03000000";
  const nov = (day: number) => Date.UTC(2027, 10, day) / 1000 - 3600;
  const poll = (msgType: 100 | 101 | 103, from: number, to: number, of: object = {}) =>
    replay(mbus(archived(of)).poll({ kind: "archive", msgType, from, to }, primary), [
      [shortFrame(0x40, 5), ackFrame],
      [shortFrame(0x7b, 5), telegram(records, 0x78)],
    ]).map(({ msgType: kind, at, meterAt, values }) => [kind, at, meterAt, values.in1]);

  it("has the readings of its kind from one time to before the other", () => {
    expect(poll(103, 0, 4e9)).toEqual([
      [103, nov(30), nov(30), 0.001],
      [103, nov(31), nov(31), 0.002],
    ]);
    expect(poll(103, nov(30), nov(31))).toEqual([[103, nov(30), nov(30), 0.001]]);
    expect(poll(103, nov(30) + 1, nov(31))).toEqual([]);
    expect(poll(101, 0, 4e9)).toEqual([[101, nov(29) + 42_420, nov(29) + 42_420, 0.008]]);
    expect(poll(103, 0, 4e9, { dateMeans: "startOfDay" }).map(([, at]) => at)).toEqual([nov(29), nov(30)]);
    expect(poll(103, 0, 4e9, { count: 1 })).toHaveLength(1);
    expect(refusalOf(() => poll(100, 0, 4e9))).toEqual({ kind: "unsupported", offset: undefined });
  });

  it("is told by the driver with its depth", () => {
    const kept = mbus({
      ...options,
      archives: [
        { msgType: 100, firstStorage: 1, count: 5, date: "04 6D", rows: [] },
        { msgType: 101, firstStorage: 6, count: 5, date: "02 6C", rows: [] },
        { msgType: 103, firstStorage: 11, count: 5, date: "02 6C", rows: [] },
      ],
    });

    expect(kept.archives).toEqual([
      { msgType: 100, period: 3600, depthSec: 5 * 3600 },
      { msgType: 101, period: 86_400, depthSec: 5 * 86_400 },
      { msgType: 103, period: "month", depthSec: 5 * 31 * 86_400 },
    ]);
    expect(mbus(options)).toMatchObject({ kind: "line", protocol: "mbus", archives: [] });
    expect(mbus(options)).not.toHaveProperty("clockStepSec");
  });

  it("is explained in both directions", () => {
    const driver = mbus(options);
    const { sent, received } = driver.explain(shortFrame(0x40, 5), ackFrame);

    expect([sent.length, received.map(({ name }) => name)]).toEqual([5, ["acknowledgement"]]);
  });
});

describe("the address of a meter", () => {
  it.each<[string, object]>([
    ["0", { kind: "primary", address: 0 }],
    [" 250 ", { kind: "primary", address: 250 }],
    ["007", { kind: "primary", address: 7 }],
    ["254", { kind: "primary", address: 254 }],
    ["12345678", { kind: "secondary", address: 253, id: "12345678", selection: fromHex("78563412ffffffff") }],
    ["1234fff8", { kind: "secondary", id: "1234FFF8", selection: fromHex("f8ff3412ffffffff") }],
    ["123456782d2cA104", { id: "12345678", selection: fromHex("785634122d2ca104") }],
  ])("%j is a target", (insideAddr, target) => {
    expect(targetOf({ insideAddr })).toMatchObject(target);
  });

  it.each(["251", "252", "253", "255", "999", "", "1234", "1234567A", "123456789", "12345678 2D2C2D04"])(
    "%j is none",
    (insideAddr) => {
      expect(refusalOf(() => targetOf({ insideAddr }))).toEqual({ kind: "unexpected", offset: undefined });
    },
  );

  it("fits digits of which some may be any", () => {
    expect([fitsMask("12345678", "1234FFFF"), fitsMask("1234567A", "1234567F")]).toEqual([true, true]);
    expect(["22345678", "123456780", "012345678"].map((id) => fitsMask(id, "12345FFF"))).toEqual([
      ...[false, false, false],
    ]);
    expect(fitsMask("1234abcd", "1234ABCD")).toBe(true);
  });
});
