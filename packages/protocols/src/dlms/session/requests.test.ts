import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { callMethod, getAttribute, getAttributes, setAttribute, type Requester } from "./requests.ts";
import { ended, testLink, type Said } from "../testing/testLink.ts";
import type { AccessResult, Apdu, DlmsData } from "../types.ts";

const invoke = { id: 4, isConfirmed: true, isHighPriority: true };
const attribute = { classId: 3, obis: "1.0.1.8.0.255", attribute: 2 };
const method = { classId: 70, obis: "0.0.96.3.10.255", method: 1 };
const one = { attribute, access: null };
const byte: DlmsData = { type: "uint8", value: 7 };
const result: AccessResult = { kind: "data", value: byte };
const label = { code: "read_attribute", obis: "1.0.1.8.0.255", n: 2 } as const;
const silence = new ProtocolError("timeout", "no answer");

function requester(said: readonly Said[], { maxPdu = 0, isReliable = false } = {}) {
  const { link, asked } = testLink(said, isReliable);
  const limits = { answerMs: 3000, interByteMs: 500, tries: 3 };
  const of: Requester = { link, limits, cipher: undefined, maxPdu, nextInvoke: () => invoke };
  return {
    of,
    asked,
    apdus: () => asked.map(({ apdu }) => apdu),
    labels: () => asked.map((each) => each.label),
  };
}
const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });
/** The same message with the number of another request. */
const ofOther = (message: Apdu): Apdu => decodeApdu(encodeApdu(message).with(2, 0xc5));
const bytesOf = (data: string | number): Uint8Array =>
  typeof data === "string" ? fromHex(data) : new Uint8Array(data);
const part = (blockNumber: number, data: string | number, isLast = false): Apdu => ({
  type: "getResponseBlock",
  invoke,
  ...{ isLast, blockNumber, data: bytesOf(data) },
});
const failed = (blockNumber: number): Apdu => ({
  type: "getResponseBlockError",
  invoke,
  ...{ isLast: true, blockNumber, error: 14 },
});

describe("an attribute that is read", () => {
  const get = (said: readonly Said[], of = {}) => {
    const made = requester(said, of);
    return { ...made, result: () => ended(getAttribute(made.of, label, one)) };
  };

  it("is that of the answer with the number of the request, in one part or in several", () => {
    const whole = get([[{ type: "getResponse", invoke, result }]]);
    const parts = get([[part(1, "09")], [part(2, "03aa")], [part(3, "bbcc", true)]]);

    expect(whole.result()).toEqual(result);
    expect(whole.apdus()).toEqual([{ type: "getRequest", invoke, ...one }]);
    expect(whole.labels()).toEqual([label]);
    expect(parts.result()).toEqual({ kind: "data", value: { type: "octets", value: fromHex("aabbcc") } });
    expect(parts.apdus().slice(1)).toEqual([
      { type: "getRequestNext", invoke, blockNumber: 1 },
      { type: "getRequestNext", invoke, blockNumber: 2 },
    ]);
    expect(parts.labels().slice(1)).toEqual([
      { ...label, block: 2 },
      { ...label, block: 3 },
    ]);
  });

  it("may be refused, at once or in any part", () => {
    expect(get([[{ type: "getResponse", invoke, result: { kind: "error", code: 4 } }]]).result()).toEqual({
      kind: "error",
      code: 4,
    });
    expect(get([[failed(1)]]).result()).toEqual({ kind: "error", code: 14 });
    expect(get([[part(1, "09")], [failed(2)]]).result()).toEqual({ kind: "error", code: 14 });
  });

  it.each<[string, Apdu]>([
    ["of another number", ofOther({ type: "getResponse", invoke, result })],
    ["of another service", { type: "setResponse", invoke, result: 0 }],
    ["that is a part in the middle", part(2, "aa")],
    ["that refuses a part in the middle", failed(2)],
    ["that is a list", { type: "getResponseList", invoke, results: [result] }],
    [
      "that is pushed",
      {
        type: "dataNotification",
        invoke: {
          ...{ id: 4, isSelfDescriptive: false, isBreakingOnError: false },
          ...{ isConfirmed: false, isHighPriority: false },
        },
        time: null,
        isTimeTagged: false,
        body: byte,
      },
    ],
  ])("is not told by a message %s", (_, message) => {
    const late = get([[message, { type: "getResponse", invoke, result }]]);

    expect(late.result()).toEqual(result);
    expect(() => get([[message], [message], [message]]).result()).toThrow(silence);
    expect(() => get([[message]], { isReliable: true }).result()).toThrow(
      refused("unexpected", `${message.type} is not the answer to this request`),
    );
  });

  it.each<[string, Apdu]>([
    ["of another number", ofOther(part(2, "aa"))],
    ["the same part again", part(1, "aa")],
    ["a later part", part(3, "aa")],
    ["a later refusal", failed(3)],
    ["a whole value", { type: "getResponse", invoke, result }],
  ])("in parts is not continued by %s", (_, message) => {
    const parts = get([[part(1, "11")], [message, part(2, "07", true)]]);

    expect(parts.result()).toEqual(result);
  });

  it("that never ends is cut off", () => {
    const size = 0x8000;
    const endless = Array.from({ length: 20 }, (_, at): Said => [part(at + 1, size)]);

    expect(() => get(endless, { isReliable: true }).result()).toThrow(
      refused("unexpected", "the value never ends"),
    );
  });

  it("is asked for three times, or once over a link that repeats by itself", () => {
    const twice = get([silence, silence, [{ type: "getResponse", invoke, result }]]);
    const never = get([silence, silence, silence]);
    const reliable = get([silence], { isReliable: true });

    expect([twice.result(), twice.asked.length]).toEqual([result, 3]);
    expect(() => never.result()).toThrow(silence);
    expect(() => reliable.result()).toThrow(silence);
    expect([never.asked.length, reliable.asked.length]).toEqual([3, 1]);
    const busy = get([new ProtocolError("refused", "busy")]);
    expect(() => busy.result()).toThrow("busy");
    expect(busy.asked).toHaveLength(1);
  });

  it.each<[Apdu, string, string, number]>([
    [
      { type: "exceptionResponse", stateError: 2, serviceError: 1, counter: null },
      "refused",
      "exception: operation not possible",
      1,
    ],
    [
      { type: "exceptionResponse", stateError: 2, serviceError: 3, counter: null },
      "refused",
      "exception: other reason",
      3,
    ],
    [
      { type: "exceptionResponse", stateError: 1, serviceError: 4, counter: null },
      "refused",
      "exception: message too long, service not allowed",
      4,
    ],
    [
      { type: "exceptionResponse", stateError: 2, serviceError: 5, counter: null },
      "bad_password",
      "exception: the meter cannot decipher the request",
      5,
    ],
    [
      { type: "confirmedServiceError", service: 5, errorClass: 1, error: 2 },
      "refused",
      "service error 1.2",
      2,
    ],
  ])("is refused as a whole by %o", (message, kind, words, detail) => {
    expect(() => get([[message]]).result()).toThrow(refused(kind, words, detail));
  });
});

describe("attributes that are read together", () => {
  const get = (said: readonly Said[], of = {}) => {
    const made = requester(said, of);
    return { ...made, result: () => ended(getAttributes(made.of, label, [one, one])) };
  };
  const none: AccessResult = { kind: "error", code: 4 };

  it("are those of the list, in one part or in several", () => {
    const whole = get([[{ type: "getResponseList", invoke, results: [result, none] }]]);
    const parts = get([[part(1, "020011")], [part(2, "070104", true)]]);

    expect(whole.result()).toEqual([result, none]);
    expect(whole.apdus()).toEqual([{ type: "getRequestList", invoke, requests: [one, one] }]);
    expect(parts.result()).toEqual([result, none]);
    expect(parts.labels()).toEqual([label, { ...label, block: 2 }]);
  });

  it.each<[string, Said, unknown]>([
    [
      "one result",
      [{ type: "getResponse", invoke, result }],
      refused("unsupported", "the meter answers no lists"),
    ],
    [
      "too few results",
      [{ type: "getResponseList", invoke, results: [none] }],
      refused("unexpected", "1 results to 2 requests"),
    ],
    ["a refusal of the list", [failed(1)], refused("refused", "the list is refused", 14)],
    ["too many results", [part(1, "03010401040104", true)], refused("unexpected", "3 results to 2 requests")],
    ["more than its bytes", [part(1, "030104", true)], refused("unexpected", "more results than bytes")],
  ])("are refused for %s", (_, said, error) => {
    expect(() => get([said]).result()).toThrow(error);
  });

  it("are not told by parts in the middle, nor by another number", () => {
    const right: Apdu = { type: "getResponseList", invoke, results: [result, none] };

    for (const message of [part(2, "aa"), failed(2), ofOther(right)])
      expect(get([[message, right]]).result()).toEqual([result, none]);
    expect(get([silence, silence, [right]]).result()).toEqual([result, none]);
  });
});

describe("an attribute that is written", () => {
  const octets = (size: number): DlmsData => ({ type: "octets", value: new Uint8Array(size) });
  const set = (said: readonly Said[], maxPdu: number, value: DlmsData = byte) => {
    const made = requester(said, { maxPdu });
    return { ...made, result: () => ended(setAttribute(made.of, label, { ...one, value })) };
  };
  const done: Said = [{ type: "setResponse", invoke, result: 0 }];
  const taken = (blockNumber: number): Said => [{ type: "setResponseBlock", invoke, blockNumber }];

  it.each([
    ["without a limit", 0, 500],
    ["that fill a message of 200 without its 64", 200, 133],
    ["of 32 at least", 70, 30],
  ])("goes whole with bytes %s", (_, maxPdu, size) => {
    const { result: sent, apdus, labels } = set([done], maxPdu, octets(size));

    expect(sent()).toBe(0);
    expect(apdus()).toEqual([{ type: "setRequest", invoke, ...one, value: octets(size) }]);
    expect(labels()).toEqual([label]);
  });

  it("goes in parts with one byte more, each of which the meter has to take", () => {
    const said: Said[] = [
      taken(1),
      taken(2),
      [{ type: "setResponseLastBlock", invoke, result: 3, blockNumber: 3 }],
    ];
    const { result: sent, apdus, labels } = set(said, 70, octets(63));
    const data = (size: number) => new Uint8Array(size);

    expect(sent()).toBe(3);
    expect(apdus()).toMatchObject([
      {
        type: "setRequestFirstBlock",
        attribute,
        block: { isLast: false, blockNumber: 1, data: Uint8Array.of(9, 63, ...data(30)) },
      },
      { type: "setRequestBlock", block: { isLast: false, blockNumber: 2, data: data(32) } },
      { type: "setRequestBlock", block: { isLast: true, blockNumber: 3, data: data(1) } },
    ]);
    expect(labels()).toEqual([label, { ...label, block: 2 }, { ...label, block: 3 }]);
  });

  it("is not sent on when the meter has ended it, and its outcome has to be told", () => {
    const early = set([taken(1), [{ type: "setResponse", invoke, result: 2 }]], 70, octets(100));

    expect([early.result(), early.asked.length]).toEqual([2, 2]);
    expect(() => set([taken(1), taken(2)], 70, octets(50)).result()).toThrow(
      refused("unexpected", "the meter does not say what became of the value"),
    );
  });

  it("is sent once, and answered by its own number and part alone", () => {
    const lost = set([silence, done], 0);
    expect(() => lost.result()).toThrow(silence);
    expect(lost.asked).toHaveLength(1);

    const wrong: Apdu[] = [
      ofOther({ type: "setResponse", invoke, result: 1 }),
      { type: "getResponse", invoke, result },
      { type: "setResponseBlock", invoke, blockNumber: 2 },
      { type: "setResponseLastBlock", invoke, result: 1, blockNumber: 2 },
    ];
    for (const message of wrong) expect(set([[message, ...done]], 0).result()).toBe(0);
  });
});

describe("a method that is called", () => {
  interface Calling {
    readonly parameters?: DlmsData | null;
    readonly maxPdu?: number;
    readonly isReliable?: boolean;
  }
  const call = (said: readonly Said[], { parameters = byte, ...of }: Calling = {}) => {
    const made = requester(said, of);
    return { ...made, result: () => ended(callMethod(made.of, label, { method, parameters })) };
  };
  const answer = (code: number, returned: AccessResult | null = null): readonly Apdu[] => [
    { type: "actionResponse", invoke, result: code, returned },
  ];
  const block = (blockNumber: number, data: string | number, isLast = false): readonly Apdu[] => [
    { type: "actionResponseBlock", invoke, block: { isLast, blockNumber, data: bytesOf(data) } },
  ];

  it("has a result, and may return a value", () => {
    const bare = call([answer(0)], { parameters: null });

    expect(bare.result()).toEqual({ result: 0, returned: null });
    expect(bare.apdus()).toEqual([{ type: "actionRequest", invoke, method, parameters: null }]);
    expect(call([answer(3, result)]).result()).toEqual({ result: 3, returned: result });
    const lost = call([silence, answer(0)]);
    expect(() => lost.result()).toThrow(silence);
    expect(lost.asked).toHaveLength(1);
    for (const message of [...block(1, "0900", true), ...answer(9)])
      expect(call([[ofOther(message), ...answer(0)]]).result()).toMatchObject({ result: 0 });
  });

  it("sends long parameters in parts", () => {
    const next = (blockNumber: number): Apdu => ({ type: "actionResponseNextBlock", invoke, blockNumber });
    const long: DlmsData = { type: "octets", value: new Uint8Array(63) };
    const parts = call([[next(2), next(1)], [next(2)], answer(0)], { maxPdu: 70, parameters: long });

    expect(parts.result()).toEqual({ result: 0, returned: null });
    expect(parts.apdus()).toMatchObject([
      { type: "actionRequestFirstBlock", method, block: { isLast: false, blockNumber: 1 } },
      { type: "actionRequestBlock", block: { isLast: false, blockNumber: 2 } },
      { type: "actionRequestBlock", block: { isLast: true, blockNumber: 3, data: new Uint8Array(1) } },
    ]);
    expect(parts.labels()).toEqual([{ ...label, block: 1 }, { ...label, block: 2 }, label]);
    const lost = call([silence, [next(1)]], { maxPdu: 70, parameters: long });
    expect(() => lost.result()).toThrow(silence);
    expect(lost.asked).toHaveLength(1);
    expect(() => call([[ofOther(next(1))]], { maxPdu: 70, parameters: long }).result()).toThrow(silence);
    expect(() => call([answer(0)], { maxPdu: 70, parameters: long }).result()).toThrow(silence);
  });

  it.each([
    ["a value", "00 01 00 1107", { result: 0, returned: result }],
    ["a refusal", "00 01 01 04", { result: 0, returned: { kind: "error", code: 4 } }],
    ["nothing", "0300", { result: 3, returned: null }],
    ["nothing at all", "03", { result: 3, returned: null }],
  ])("may return %s in parts", (_, hex, expected) => {
    const bytes = fromHex(hex);
    const [first, rest] = [toHex(bytes.subarray(0, 1)), toHex(bytes.subarray(1))];
    const parts = call([block(1, first), silence, block(2, rest, true)]);

    expect(parts.result()).toEqual(expected);
    expect(parts.apdus().slice(1)).toEqual([
      { type: "actionRequestNextBlock", invoke, blockNumber: 1 },
      { type: "actionRequestNextBlock", invoke, blockNumber: 1 },
    ]);
    expect(parts.labels()[1]).toEqual({ ...label, answerBlock: 2 });
  });

  it("is refused for parts out of order, and for those that never end", () => {
    expect(() => call([block(2, "00")]).result()).toThrow(refused("unexpected", "block 1 is not what came"));
    const right = block(2, "00", true);
    for (const wrong of [block(3, "09"), answer(9), block(2, "09", true).map(ofOther)])
      expect(call([block(1, "00"), [...wrong, ...right]]).result()).toEqual({
        result: 0,
        returned: null,
      });
    const endless = Array.from({ length: 20 }, (_, at) => block(at + 1, 0x8000));
    expect(() => call(endless, { isReliable: true }).result()).toThrow(
      expect.objectContaining({ kind: "unexpected" }),
    );
  });
});
