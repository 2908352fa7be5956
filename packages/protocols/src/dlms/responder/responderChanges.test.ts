import { describe, expect, it } from "vitest";
import { toHex } from "../../core/bytes.ts";
import type { DeviceOrder, Obedience } from "../../core/orders.ts";
import { encodeData } from "../data/dataEncode.ts";
import { now } from "../testing/testMeter.ts";
import { aarq, attributeOf, connected, meter, moment, testInvoke as invoke } from "../testing/testServer.ts";
import type { Apdu, DlmsData } from "../types.ts";

const uint = (value: number): DlmsData => ({ type: "uint32", value });
const text = (value: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(value) });
const [clock, relay, limiter, calendar] = [
  "8 0.0.1.0.0.255",
  "70 0.0.96.3.10.255",
  "71 0.0.17.0.0.255",
  "20 0.0.13.0.0.255",
];
const exception = (stateError: number, serviceError: number, counter: number | null = null) => ({
  ...{ type: "exceptionResponse", stateError, serviceError, counter },
});

/** A connected meter, and the orders that it is given. */
function ordered(does: Obedience = "obey") {
  const orders: DeviceOrder[] = [];
  const own = connected({}, {}, (order) => (orders.push(order), does));
  return { ...own, orders };
}

describe("a change of a simulated meter", () => {
  it("of its clock is an order of seconds, forwards or back", () => {
    const own = ordered();
    const shift = (value: number): DlmsData => ({ type: "int16", value });

    expect([own.set(`${clock} 2`, moment(now + 60)), own.call(`${clock} 6`, shift(-90))]).toEqual([0, 0]);
    expect(own.orders).toEqual([
      { kind: "clock", seconds: 60 },
      { kind: "clock", seconds: -90 },
    ]);
    expect(own.read(`${clock} 2`)).toEqual(moment(now - 30));
    expect([900, -900, 901, -901].map((value) => own.call(`${clock} 6`, shift(value)))).toEqual([
      0, 0, 12, 12,
    ]);
    expect([own.call(`${clock} 6`, uint(5)), own.call(`${clock} 6`, null)]).toEqual([12, 12]);
  });

  it.each([
    [0, [2, 2], 1, []],
    [1, [0, 0], 2, [false]],
    [2, [0, 0], 1, [false, true]],
    [3, [0, 0], 2, [false]],
    [4, [0, 0], 1, [false, true]],
    [5, [0, 0], 2, [false]],
  ])("of its relay in mode %i is answered by %j, and leaves the state %i", (mode, answers, state, isOn) => {
    const own = ordered();
    own.set(`${relay} 4`, { type: "enum", value: mode });
    own.orders.length = 0;

    expect([own.call(`${relay} 1`), own.call(`${relay} 2`)]).toEqual(answers);
    expect(own.read(`${relay} 3`)).toEqual({ type: "enum", value: state });
    expect(own.read(`${relay} 2`)).toEqual({ type: "bool", value: state === 1 });
    expect(own.orders).toEqual(isOn.map((each) => ({ kind: "power", isOn: each })));
    own.call(`${relay} 2`);
    expect(own.read(`${relay} 3`)).toEqual({ type: "enum", value: state });
  });

  it("of a relay that is on changes nothing in a mode that arms it", () => {
    const own = ordered();
    own.set(`${relay} 4`, { type: "enum", value: 3 });

    expect([own.call(`${relay} 2`), own.read(`${relay} 3`)]).toEqual([0, { type: "enum", value: 1 }]);
  });

  it("of its limit is an order in kilowatts, of other settings one by name", () => {
    const own = ordered();

    expect([own.set(`${limiter} 4`, uint(7500)), own.set(`${limiter} 6`, uint(30))]).toEqual([0, 0]);
    expect(own.orders).toEqual([
      { kind: "limit", limitKw: 7.5 },
      { kind: "set", name: `${limiter} 6`, value: uint(30) },
    ]);
    expect([3, 4, 5, 6].map((at) => own.read(`${limiter} ${String(at)}`))).toEqual(
      [7500, 7500, 15_000, 30].map(uint),
    );
  });

  it("of its calendar begins with its activation", () => {
    const own = ordered();
    const empty: DlmsData = { type: "array", items: [] };
    const days: DlmsData = { type: "array", items: [uint(1)] };

    expect([own.set(`${calendar} 6`, text("2027")), own.set(`${calendar} 9`, days)]).toEqual([0, 0]);
    expect([own.orders, own.read(`${calendar} 2`), own.read(`${calendar} 9`)]).toEqual([[], text(""), days]);
    expect(own.call(`${calendar} 1`)).toBe(0);
    expect(own.orders).toEqual([
      { kind: "set", name: "calendar", value: [text("2027"), empty, empty, days] },
    ]);
    expect([2, 3, 4, 5].map((at) => own.read(`${calendar} ${String(at)}`))).toEqual([
      ...[text("2027"), empty, empty, days],
    ]);
  });

  it.each([
    ["refuse", 2],
    ["lie", 0],
  ] as const)("that it does not make (%s) is answered by %i, and all stays as it is", (does, code) => {
    const own = ordered(does);
    const changes = [
      ...[own.set(`${clock} 2`, moment(now + 60)), own.call(`${clock} 6`, { type: "int16", value: 5 })],
      ...[own.call(`${relay} 1`), own.call(`${relay} 2`), own.set(`${limiter} 4`, uint(1))],
      own.call(`${calendar} 1`),
    ];

    expect(changes).toEqual(changes.map(() => code));
    expect([own.read(`${clock} 2`), own.read(`${relay} 3`), own.read(`${limiter} 4`)]).toEqual([
      ...[moment(now), { type: "enum", value: 1 }, uint(15_000)],
    ]);
  });
});

describe("what does not fit into a message of a simulated meter", () => {
  const load = attributeOf("7 0.0.99.98.2.255 2");
  const small = (maxPdu: number, clients = 0xffff) => {
    const own = meter({}, { maxPdu, events: [{ journal: "0.0.99.98.2.255", at: now, code: 5 }] });
    const request = aarq();
    if (request.userInformation?.type !== "initiateRequest") throw new Error("no proposal");
    own.connect({ ...request, userInformation: { ...request.userInformation, maxPdu: clients } });
    return own;
  };
  const get = (own: ReturnType<typeof small>) =>
    own.ask({ type: "getRequest", invoke, attribute: load, access: null });
  // A list of one row: 2 bytes, a structure 2, its clock 14, its code 3.
  const whole = 21;

  it.each([
    [whole + 48, 0xffff, "getResponse"],
    [whole + 47, 0xffff, "getResponseBlock"],
    [0xffff, whole + 48, "getResponse"],
    [0xffff, whole + 47, "getResponseBlock"],
    [whole + 48, 0, "getResponse"],
    [whole + 47, 0, "getResponseBlock"],
    [1, 0, "getResponseBlock"],
  ])("of %i bytes to a client of %i is a %s", (maxPdu, clients, type) => {
    expect(get(small(maxPdu, clients))?.type).toBe(type);
  });

  it("comes in blocks of 16 bytes at least, in order, of its own request", () => {
    const own = small(1);
    const next = (blockNumber: number, id = 1) =>
      own.ask({ type: "getRequestNext", invoke: { ...invoke, id }, blockNumber });
    const refused = (blockNumber: number, id = 1) => ({
      ...{ type: "getResponseBlockError", invoke: { ...invoke, id }, isLast: true, blockNumber, error: 19 },
    });

    expect(next(0)).toEqual(refused(0));
    const first = get(own);
    expect(first).toMatchObject({ type: "getResponseBlock", isLast: false, blockNumber: 1 });
    expect([next(2), next(1, 2)]).toEqual([refused(2), refused(1, 2)]);
    const last = next(1);
    expect(last).toMatchObject({ type: "getResponseBlock", isLast: true, blockNumber: 2 });
    expect(next(2)).toEqual(refused(2));
    const parts = [first, last].map((each) =>
      each?.type === "getResponseBlock" ? each.data : new Uint8Array(),
    );
    expect(parts.map(({ length }) => length)).toEqual([16, 5]);
  });

  it("comes in blocks of a list as well, with results and refusals", () => {
    const name = { attribute: attributeOf("3 1.0.1.8.0.255 2"), access: null };
    const none = { attribute: attributeOf("3 1.0.9.9.9.255 2"), access: null };
    const ask = (own: ReturnType<typeof small>, ...requests: (typeof name)[]) =>
      own.ask({ type: "getRequestList", invoke, requests });

    expect(ask(small(1024), name, none)).toMatchObject({
      type: "getResponseList",
      results: [{ kind: "data" }, { kind: "error", code: 4 }],
    });
    const block = ask(small(1), name, none, name, name);
    expect(block).toMatchObject({ type: "getResponseBlock", isLast: false });
    expect(block?.type === "getResponseBlock" && toHex(block.data)).toMatch(
      /^040006[0-9a-f]{8}01040006[0-9a-f]{8}00$/,
    );
    expect(ask(small(1), name, none)).toMatchObject({ type: "getResponseList" });
  });

  it("is taken in blocks, in order", () => {
    const own = ordered();
    const attribute = attributeOf(`${limiter} 4`);
    const bytes = encodeData(uint(9000));
    const block = (blockNumber: number, data: Uint8Array, isLast: boolean) => ({ isLast, blockNumber, data });
    const first = (blockNumber = 1): Apdu => ({
      ...{ type: "setRequestFirstBlock", invoke, attribute, access: null },
      block: block(blockNumber, bytes.subarray(0, 2), false),
    });
    const next = (blockNumber: number, id = 1): Apdu => ({
      ...{ type: "setRequestBlock", invoke: { ...invoke, id } },
      block: block(blockNumber, bytes.subarray(2), true),
    });

    expect(own.ask(next(2))).toEqual(exception(1, 3));
    expect(own.ask(first(2))).toEqual(exception(1, 3));
    expect(own.ask(first())).toEqual({ type: "setResponseBlock", invoke, blockNumber: 1 });
    expect([own.ask(next(3)), own.ask(next(2, 2))]).toEqual([exception(1, 3), exception(1, 3)]);
    expect(own.ask(next(2))).toEqual({ type: "setResponseLastBlock", invoke, result: 0, blockNumber: 2 });
    expect(own.read(`${limiter} 4`)).toEqual(uint(9000));
    const shift = encodeData({ type: "int16", value: 5 });
    const method = { classId: 8, obis: "0.0.1.0.0.255", method: 6 };
    expect(
      own.ask({
        type: "actionRequestFirstBlock",
        invoke,
        method,
        block: block(1, shift.subarray(0, 1), false),
      }),
    ).toEqual({ type: "actionResponseNextBlock", invoke, blockNumber: 1 });
    expect(own.ask({ type: "actionRequestBlock", invoke, block: block(2, shift.subarray(1), true) })).toEqual(
      {
        ...{ type: "actionResponse", invoke, result: 0, returned: null },
      },
    );
    const wide = { type: "setRequestFirstBlock", invoke, attribute, access: null } as const;
    expect(own.ask({ ...wide, block: block(1, new Uint8Array(60_000), false) })).toMatchObject({
      type: "setResponseBlock",
    });
    expect(
      own.ask({ type: "setRequestBlock", invoke, block: block(2, new Uint8Array(5537), false) }),
    ).toEqual(exception(1, 3));
    expect(
      own.ask({ type: "setRequestBlock", invoke, block: block(2, new Uint8Array(5536), false) }),
    ).toMatchObject({
      type: "setResponseBlock",
    });
  });
});
