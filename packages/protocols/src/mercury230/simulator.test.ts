import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { DeviceAddress, MeterHistory } from "../core/driver.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame } from "./frame.ts";
import type { MercuryOptions } from "./meter.ts";
import { device, full, now } from "./testMeter.ts";

interface Given {
  readonly options?: MercuryOptions;
  readonly of?: DeviceAddress;
  readonly clock?: () => number;
  readonly history?: MeterHistory;
  readonly obedience?: Obedience;
  readonly state?: (field: string) => number;
}

/** Its clock shows 2026-11-22, a Sunday, 00:10:00. */
function aMeter({
  options = full,
  of = device,
  clock = () => now,
  history,
  obedience = "obey",
  state,
}: Given = {}) {
  const orders: DeviceOrder[] = [];
  const responder = mercury230(options).respond(
    of,
    state ?? ((field) => 20 + field.length),
    clock,
    history,
    (order) => {
      orders.push(order);
      return obedience;
    },
  );
  const say = (body: string, address = 23): string =>
    responder
      .receive(closeFrame(address, fromHex(body)))
      .map((answer) => toHex(answer.subarray(1, -2)))
      .join();
  return { say, orders, responder };
}

const open1 = "0101010101010101";
const open2 = "0102020202020202";
function opened(level: 1 | 2, given: Given = {}) {
  const made = aMeter(given);
  made.say(level === 1 ? open1 : open2);
  return made;
}

describe("the channel of a simulated meter", () => {
  it("answers a test without a password, and nothing else before it is open", () => {
    const { say } = aMeter();

    expect(say("00")).toBe("00");
    expect(["02", "0316", "0400", "050000", "0800", "07"].map((body) => say(body))).toEqual(
      Array.from({ length: 6 }, () => "05"),
    );
  });

  it("opens at the level of its password, and closes", () => {
    const { say } = aMeter();

    expect(["0103030303030303", "01010101010101", "0101010101010102", "01"].map((body) => say(body))).toEqual(
      ["01", "01", "03", "01"],
    );
    expect([say(open1), say("0316"), say(open2), say("0316")]).toEqual(["00", "03", "00", "00"]);
    expect([say(open1), say("02"), say("0400")]).toEqual(["00", "00", "05"]);
    expect(say("0100010101010101")).toBe("01");
  });

  it("stays open for 240 seconds of silence", () => {
    let at = now;
    const { say } = opened(1, { clock: () => at });

    expect([(at += 240), say("0803")]).toEqual([now + 240, "090002"]);
    expect([(at += 241), say("0803")]).toEqual([now + 481, "05"]);
  });

  it("is silent for other addresses and damaged frames, and finds a frame behind noise", () => {
    const { say, responder } = aMeter();
    const test = closeFrame(23, fromHex("00"));

    expect([say("00", 24), say("00", 0)]).toEqual(["", "00"]);
    expect(responder.receive(test.with(1, 7))).toEqual([]);
    expect(responder.receive(test.subarray(0, 2))).toEqual([]);
    expect(responder.receive(test.subarray(2))).toEqual([test]);
    expect(responder.receive(Uint8Array.from([0xaa, ...test]))).toEqual([test]);
    expect(responder.receive(Uint8Array.from([...new Uint8Array(100).fill(0x55), ...test]))).toEqual([test]);
  });
});

describe("a simulated meter", () => {
  it.each([
    ["its clock", "0400", "0010000722112601"],
    ["when it was switched on", "040100", "000000221126000000000000"],
    ["when it was switched on the day before", "040101", "000000211126000000000000"],
    ["when it was switched on nine days ago", "040109", "000000131126000000000000"],
    ["an empty journal", "040200", "00".repeat(12)],
    ["the last journal", "041a00", "00".repeat(12)],
    ["no journal that it does not have", "041b00", "01"],
    ["no eleventh record of a journal", "04010a", "01"],
    ["its counters", "050000", "000078690000a08c0000a08c0000c8af"],
    ["those of the fourth tariff", "050004", "000078690000a08c0000a08c0000c8af"],
    ["no fifth tariff", "050005", "01"],
    ["its phases", "056000", "000028230000282300002823"],
    ["a fifth of it for this year", "051000", "000018150000201c0000201c00002823"],
    ["a fifth of it for the last year", "052000", "000018150000201c0000201c00002823"],
    ["a fiftieth for a month", "053b00", "00001c020000d0020000d00200008403"],
    ["a thousandth for today", "054000", "00001b000000240000002400 00002d00"],
    ["two thousandths for yesterday", "055000", "000036000000480000004800 00005a00"],
    ["no other array", "057000", "01"],
    ["its serial number and date", "0800", "002914170f0319"],
    ["its transformers", "0802", "00010001"],
    ["its firmware", "0803", "090002"],
    ["its variant", "0812", "b4e4c297df30"],
    ["its last record", "0813", "81000800002211261e"],
    ["that the load is on", "0818", "0100"],
    ["that there is no limit", "0819", "000000"],
    ["no other parameter", "0899", "01"],
    ["no other momentary value", "081699", "01"],
    ["no other code", "07", "01"],
    ["no second half of its memory", "068381000f", "01"],
    ["the newest record of its profile", "060381000f", "0800002211261e007de880007de880"],
    ["a part of it", "0603810305", "2211261e00"],
    ["two records", "060380f020", "0823302111261e007de880007de88000 0800002211261e007de880007de88000"],
    ["the end of its memory", "0603fff010", "0823300910261e007de880007de88000"],
    ["nothing of no length", "0603810000", "01"],
    ["nothing of another memory", "060481000f", "01"],
    ["nothing beyond its memory", "0603fff011", "01"],
  ])("has %s", (_, asked, answer) => {
    expect(opened(1).say(asked)).toBe(answer.replaceAll(" ", ""));
  });

  it("has the second half of a memory of twice the size", () => {
    const { say } = opened(1, { options: { ...full, profile: { memoryBytes: 131_072, constant: 500 } } });

    expect(say("0813")).toBe("81001800002211261e");
    expect(say("068381000f")).toBe("1800002211261e803e7440803e7440");
    expect(say("060381000f").slice(0, 2)).toBe("08");
    expect(say("0683fff010")).toHaveLength(32);
    expect(say("0683fff011")).toBe("01");
  });

  it("has the past of its history, in whole pulses, also after its clock was set", () => {
    const first = now - 600 - 1800;
    const history: MeterHistory = (at) => () => (at - first) / 1_800_000 + 0.0006;
    const { say } = opened(2, { history });

    expect(say("060381000f").slice(14)).toBe("0100".repeat(4));
    expect(say("060380f00f").slice(14)).toBe("0000".repeat(4));
    say("030c0010010722112601");
    expect(say("060381200f")).toBe("0801002211261e" + "0100".repeat(4));
  });

  it("without a profile or other counters says so", () => {
    const { say } = opened(1, { options: {} });

    expect([say("0813"), say("060381000f")]).toEqual(["01", "01"]);
    expect(say("050000")).toBe("00007869ffffffffffffffffffffffff");
  });

  it.each([
    ["aMinus", "050000", "000078690000a08cffffffffffffffff", "007de880ffffffff"],
    ["rPlus", "050000", "00007869ffffffff0000a08cffffffff", "007dffff007dffff"],
    ["rMinus", "050000", "00007869ffffffffffffffff0000c8af", "007dffffffffe880"],
  ] as const)("that keeps %s has no other counters", (kept, asked, counters, counts) => {
    const { say } = opened(1, { options: { ...full, keeps: [kept] } });

    expect(say(asked)).toBe(counters);
    expect(say("060381000f").slice(14)).toBe(counts);
  });

  it.each([
    ["00", -1.5, "c2f049"],
    ["08", 2, "03400d"],
    ["11", 230.12, "00e459"],
    ["21", 5.25, "008214"],
    ["30", -0.95, "c0b603"],
    ["40", 50, "008813"],
    ["11", 1e9, "3fffff"],
    ["11", Number.NaN, "000000"],
  ])("has the momentary value %s of %d as %s, both directions in the highest bits", (bwri, value, bytes) => {
    expect(
      opened(1, { state: () => value })
        .say(`0816${bwri}`)
        .slice(0, 6),
    ).toBe(bytes);
  });

  it("of one phase has its one value first and nothing of the others", () => {
    const { say } = opened(1, { options: { phases: 1 }, state: () => 1 });

    expect(say("081600")).toBe("01a086" + "000000".repeat(3));
    expect(say("081651")).toBe("006400006400000000");
  });

  it("has the last eight digits of a long number, and zeros before a short one", () => {
    const serial = (deviceID: string) =>
      opened(1, { of: { insideAddr: "23", deviceID } })
        .say("0800")
        .slice(0, 8);

    expect([serial("9912345678"), serial("SN-7")]).toEqual(["0c22384e", "00000007"]);
  });
});

describe("consumption of a simulated meter with a history", () => {
  /** Kilowatt-hours are days since 2025, of the meter's own time. */
  const day = (at: number) => (at + 10_800 - Date.UTC(2025, 0, 1) / 1000) / 86_400;
  const history: MeterHistory = (at) => () => day(at);
  const used = (array: string, given: Given = {}) => {
    const { say } = opened(1, { history, state: () => day(now), ...given });
    const hex = say(`05${array}00`);
    const [first = 0, second = 0, third = 0, fourth = 0] = fromHex(hex);
    return ((second << 24) | (first << 16) | (fourth << 8) | third) / 1000;
  };
  const today = 10 / 1440;

  it.each([
    ["00", 690 + today],
    ["10", 325 + today],
    ["20", 365],
    ["31", 31],
    ["32", 28],
    ["3a", 31],
    ["3b", 21 + today],
    ["3c", 31],
    ["40", today],
    ["50", 1],
  ])("of array %s is that of its days", (array, days) => {
    expect(used(array)).toBeCloseTo(days, 2);
  });

  it("is never less than nothing", () => {
    expect(used("40", { state: () => 0 })).toBe(0);
  });
});

describe("orders to a simulated meter", () => {
  it.each([
    ["0331", "01"],
    ["033100", "03"],
    ["032d01", "03"],
    ["032c000000", "03"],
    ["030c0010000722112601", "03"],
    ["0316", "03"],
    ["031600", "01"],
    ["0377", "01"],
    ["03", "01"],
    ["030d0011", "01"],
    ["030d001100", "00"],
  ])("%s at level 1 is answered with %s", (order, answer) => {
    expect(opened(1).say(order)).toBe(answer);
  });

  it("switch the load off and on", () => {
    const { say, orders } = opened(2);

    expect([say("033100"), say("0818"), say("033101"), say("0818")]).toEqual(["00", "0000", "00", "0100"]);
    expect(orders).toEqual([
      { kind: "power", isOn: false },
      { kind: "power", isOn: true },
    ]);
  });

  it("limit the power as long as the limit is switched on", () => {
    const { say, orders } = opened(2);

    expect([say("032c0bb071"), say("0819"), orders.length]).toEqual(["00", "000000", 0]);
    expect([say("032d00"), orders.length]).toEqual(["00", 0]);
    expect([say("032d01"), say("0819"), say("032d01")]).toEqual(["00", "0bb071", "00"]);
    expect([say("032c000000"), say("032d00"), say("0819")]).toEqual(["00", "00", "000000"]);
    expect(orders).toEqual([
      { kind: "limit", limitKw: 7.5 },
      { kind: "limit", limitKw: 0 },
      { kind: "limit", limitKw: null },
    ]);
  });

  it("restart it, which closes the channel", () => {
    const { say, orders } = opened(2);

    expect([say("0316"), say("0400"), orders]).toEqual(["00", "05", [{ kind: "restart" }]]);
  });

  it("set its clock, and with it what it tells of the past", () => {
    const { say, orders } = opened(2);

    expect([say("030c0030070122112601"), say("0400")]).toEqual(["00", "0030070722112601"]);
    expect(orders).toEqual([{ kind: "clock", seconds: 7 * 3600 + 20 * 60 }]);
    expect(say("0813").slice(6, 16)).toBe("0730221126");
    expect([say("030cff30070122112601"), say("030c0030070131022601")]).toEqual(["01", "01"]);
  });

  it.each([
    ["000600", -240, "00"],
    ["590500", -241, "01"],
    ["001400", 240, "00"],
    ["011400", 241, "01"],
  ])("move its clock to %s, by %i seconds: %s", (time, seconds, answer) => {
    const { say, orders } = opened(1);

    expect(say(`030d${time}`)).toBe(answer);
    expect(orders).toEqual(answer === "00" ? [{ kind: "clock", seconds }] : []);
  });

  it("move its clock once a day", () => {
    let at = now;
    const { say } = opened(1, { clock: () => at });

    expect([say("030d301000"), say("0400"), say("030d301000")]).toEqual(["00", "3010000722112601", "04"]);
    at += 86_400;
    expect([say(open1), say("030d301000")]).toEqual(["00", "00"]);
    expect(say("030d3010ff")).toBe("01");
  });

  it.each([
    ["refuse", "02"],
    ["lie", "00"],
  ] as const)("have no effect on one that is to %s", (obedience, answer) => {
    const { say } = opened(2, { obedience });
    const before = [say("0400"), say("0818"), say("0819")];

    const orders = ["033100", "032d01", "030c0030070122112601", "030d301000", "0316"];
    expect(orders.map((order) => say(order))).toEqual(orders.map(() => answer));
    expect([say("0400"), say("0818"), say("0819")]).toEqual(before);
  });
});
