import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { stepOf } from "../core/conversation.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeModbus, type ModbusExchange } from "./decode.ts";
import { exchange, type ModbusTarget } from "./exchange.ts";
import { unwrap, wrap, type ModbusVariant } from "./frame.ts";
import {
  decodeRequest,
  encodeRequest,
  encodeResponse,
  type ModbusRequest,
  type ModbusResponse,
} from "./pdu.ts";

type Known = Exclude<ModbusRequest, { kind: "unknown" }>;

const read: Known = { kind: "read", function: 4, address: 0x48, count: 2 };
const readCoils: Known = { kind: "read", function: 1, address: 0x13, count: 13 };
const switchOn: Known = { kind: "writeOne", function: 5, address: 0xac, value: 0xff00 };
const writeOne: Known = { kind: "writeOne", function: 6, address: 1, value: 3 };
const writeMany: Known = { kind: "writeMany", function: 16, address: 1, count: 2, data: fromHex("000a0102") };

/** One exchange with a device that answers with this. */
function exchanged(request: Known, response: ModbusResponse, to: Partial<ModbusTarget> = {}) {
  const target = { variant: "rtu" as ModbusVariant, unit: 17, next: 0, ...to };
  const talk = exchange(target, request);
  const step = stepOf(talk.next());
  const transaction = target.variant === "tcp" ? unwrap("tcp", step.send).transaction : undefined;
  const done = () =>
    talk.next(wrap(target.variant, { unit: 17, transaction, pdu: encodeResponse(response) })).value;
  return { target, step, transaction, done };
}

describe("an exchange", () => {
  it.each<[Known, object, number]>([
    [read, { code: "read_registers", from: "0x0048", to: "0x0049" }, 3],
    [readCoils, { code: "read_coils", from: "0x0013", to: "0x001F" }, 3],
    [{ ...readCoils, function: 2, count: 1 }, { code: "read_coils", from: "0x0013", to: "0x0013" }, 3],
    [{ ...read, function: 3 }, { code: "read_registers", from: "0x0048", to: "0x0049" }, 3],
    [switchOn, { code: "switch_coil_on", n: "0x00AC" }, 1],
    [{ ...switchOn, value: 0 }, { code: "switch_coil_off", n: "0x00AC" }, 1],
    [writeOne, { code: "write_registers", from: "0x0001", to: "0x0001" }, 1],
    [writeMany, { code: "write_registers", from: "0x0001", to: "0x0002" }, 1],
  ])("of %o is named by what it does, and only a read is tried again", (request, label, tries) => {
    expect(exchanged(request, { kind: "exception", function: 4, code: 1 }).step).toMatchObject({
      label,
      tries,
    });
  });

  it("over TCP has a number of its unit and of its place in the dialogue", () => {
    const response: ModbusResponse = { kind: "exception", function: 4, code: 1 };
    const first = exchanged(read, response, { variant: "tcp" });
    const late = exchanged(read, response, { variant: "tcp", next: 259 });

    expect([first.transaction, first.target.next]).toEqual([0x1100, 1]);
    expect([late.transaction, late.target.next]).toEqual([0x1103, 260]);
  });

  it.each<[string, Known, ModbusResponse, string]>([
    ["a read", read, { kind: "data", function: 4, data: fromHex("00010002") }, "00010002"],
    ["a read of coils", readCoils, { kind: "data", function: 1, data: fromHex("cd6b") }, "cd6b"],
    ["a coil", switchOn, { kind: "written", function: 5, address: 0xac, value: 0xff00 }, ""],
    ["a register", writeOne, { kind: "written", function: 6, address: 1, value: 3 }, ""],
    ["registers", writeMany, { kind: "writtenMany", function: 16, address: 1, count: 2 }, ""],
  ])("of %s has this answer", (_, request, response, data) => {
    expect(toHex(exchanged(request, response).done() as Uint8Array)).toBe(data);
  });

  it.each<[string, Known, ModbusResponse]>([
    ["fewer registers", read, { kind: "data", function: 4, data: fromHex("0001") }],
    ["more registers", read, { kind: "data", function: 4, data: fromHex("000100020003") }],
    ["another value", writeOne, { kind: "written", function: 6, address: 1, value: 4 }],
    ["another register", writeOne, { kind: "written", function: 6, address: 2, value: 3 }],
    ["fewer written", writeMany, { kind: "writtenMany", function: 16, address: 1, count: 1 }],
    ["others written", writeMany, { kind: "writtenMany", function: 16, address: 2, count: 2 }],
    ["one of many", writeMany, { kind: "written", function: 6, address: 1, value: 2 }],
    ["many for one", writeOne, { kind: "writtenMany", function: 16, address: 1, count: 3 }],
    ["data to a write", writeOne, { kind: "data", function: 4, data: fromHex("00010002") }],
    ["a write to a read", read, { kind: "written", function: 6, address: 0x48, value: 2 }],
  ])("with %s in the answer is refused", (_, request, response) => {
    expect(refusalOf(() => exchanged(request, response).done())).toMatchObject({ kind: "unexpected" });
  });

  it.each([
    [1, "unsupported", "unsupported"],
    [2, "refused", "refused"],
    [4, "refused", "unexpected"],
    [5, "refused", "unexpected"],
    [6, "refused", "refused"],
    [10, "timeout", "timeout"],
    [11, "timeout", "timeout"],
    [99, "refused", "refused"],
  ])(
    "with exception %i: a read is %s, a write, which may have been carried out, %s",
    (code, ofRead, ofWrite) => {
      const failed = (request: Known) =>
        refusalOf(() => exchanged(request, { kind: "exception", function: request.function, code }).done());

      expect(failed(read)).toMatchObject({ kind: ofRead });
      expect(failed(writeOne)).toMatchObject({ kind: ofWrite });
      expect(failed(writeMany)).toMatchObject({ kind: ofWrite });
    },
  );
});

describe("a frame", () => {
  const names = (variant: ModbusVariant, given: ModbusExchange): unknown[] => {
    const trace: Span[] = [];
    decodeModbus(variant === "rtu" ? "modbus-rtu" : "modbus-tcp", given, { trace });
    return trace.map(({ offset, bytes, name }) => [offset, bytes, name]);
  };
  const rtu = (pdu: Uint8Array) => wrap("rtu", { unit: 17, pdu });

  it.each<[string, Known, readonly unknown[]]>([
    [
      "a read",
      read,
      [
        [2, 2, "register_address"],
        [4, 2, "register_count"],
        [6, 2, "crc"],
      ],
    ],
    [
      "a write",
      writeOne,
      [
        [2, 2, "register_address"],
        [4, 2, "value"],
        [6, 2, "crc"],
      ],
    ],
    [
      "a write of many",
      writeMany,
      [
        [2, 2, "register_address"],
        [4, 2, "register_count"],
        [6, 1, "byte_count"],
        [7, 4, "data"],
        [11, 2, "crc"],
      ],
    ],
  ])("of %s is named to the byte, in the order of its bytes", (_, request, rest) => {
    expect(names("rtu", { request: rtu(encodeRequest(request)) })).toEqual([
      [0, 1, "unit"],
      [1, 1, "function"],
      ...rest,
    ]);
  });

  it.each<[string, ModbusResponse, readonly unknown[]]>([
    [
      "an exception",
      { kind: "exception", function: 4, code: 2 },
      [
        [2, 1, "exception"],
        [3, 2, "crc"],
      ],
    ],
    [
      "a write",
      { kind: "written", function: 6, address: 1, value: 3 },
      [
        [2, 2, "register_address"],
        [4, 2, "value"],
        [6, 2, "crc"],
      ],
    ],
    [
      "a write of many",
      { kind: "writtenMany", function: 16, address: 1, count: 2 },
      [
        [2, 2, "register_address"],
        [4, 2, "register_count"],
        [6, 2, "crc"],
      ],
    ],
    [
      "something else",
      { kind: "unknown", function: 7, data: fromHex("0102") },
      [
        [2, 2, "data"],
        [4, 2, "crc"],
      ],
    ],
    [
      "nothing",
      { kind: "data", function: 3, data: fromHex("") },
      [
        [2, 1, "byte_count"],
        [3, 2, "crc"],
      ],
    ],
  ])("that answers %s is named to the byte", (_, response, rest) => {
    expect(names("rtu", { response: rtu(encodeResponse(response)) })).toEqual([
      [0, 1, "unit"],
      [1, 1, "function"],
      ...rest,
    ]);
  });

  it("over TCP begins with the number, the protocol and the length; the answer follows its request", () => {
    const tcp = (pdu: Uint8Array) => wrap("tcp", { unit: 1, transaction: 7, pdu });
    const request = tcp(encodeRequest({ ...read, count: 1 }));
    const response = tcp(encodeResponse({ kind: "data", function: 4, data: fromHex("0007") }));
    const head = (from: number) => [
      [from, 2, "transaction"],
      [from + 2, 2, "protocol"],
      [from + 4, 2, "length"],
      [from + 6, 1, "unit"],
      [from + 7, 1, "function"],
    ];

    expect(names("tcp", { request, response })).toEqual([
      ...head(0),
      [8, 2, "register_address"],
      [10, 2, "register_count"],
      ...head(12),
      [20, 1, "byte_count"],
      [21, 2, { code: "register", n: "0x0048" }],
    ]);
  });

  it("that is short, damaged, no Modbus or of another length is refused at its place", () => {
    const whole = rtu(encodeRequest(read));
    const tcp = wrap("tcp", { unit: 1, transaction: 7, pdu: encodeRequest(read) });
    const changed = (bytes: Uint8Array, at: number) => bytes.map((byte, n) => (n === at ? byte + 1 : byte));

    expect(refusalOf(() => unwrap("rtu", whole.subarray(0, 3), { base: 10 }))).toEqual({
      kind: "unexpected",
      offset: 13,
    });
    expect(unwrap("rtu", rtu(Uint8Array.of(7))).unit).toBe(17);
    expect(refusalOf(() => unwrap("rtu", changed(whole, 3), { base: 10 }))).toEqual({
      kind: "checksum",
      offset: 16,
    });
    expect(refusalOf(() => unwrap("tcp", changed(tcp, 3)))).toMatchObject({ kind: "unexpected" });
    expect(refusalOf(() => unwrap("tcp", changed(tcp, 5)))).toMatchObject({ kind: "unexpected" });
    expect(refusalOf(() => decodeModbus("modbus-rtu", {}))).toEqual({ kind: "unexpected", offset: 0 });
    const broken = encodeRequest(writeMany).map((byte, at) => (at === 4 ? 3 : byte));
    expect(refusalOf(() => decodeModbus("modbus-rtu", { request: rtu(broken) }))).toMatchObject({
      kind: "unexpected",
    });
    expect(
      refusalOf(() => decodeModbus("modbus-rtu", { request: rtu(Uint8Array.of(...encodeRequest(read), 0)) })),
    ).toMatchObject({ kind: "unexpected" });
  });

  it("with a request says for people what is asked or written", () => {
    const shown = (request: ModbusRequest) =>
      decodeModbus("modbus-rtu", { request: rtu(encodeRequest(request)) }).readings.map(({ name, value }) => [
        name,
        value,
      ]);

    expect(shown(read)).toEqual([
      ["address", 0x48],
      ["count", 2],
    ]);
    expect(shown(writeOne)).toEqual([
      ["address", 1],
      ["value", 3],
    ]);
    expect(shown(writeMany).slice(0, 4)).toEqual([
      ["address", 1],
      ["count", 2],
      ["register 1", 10],
      ["register 2", 258],
    ]);
    expect(shown({ kind: "writeMany", function: 15, address: 19, count: 10, data: fromHex("cd01") })).toEqual(
      [
        ["address", 19],
        ["count", 10],
        ...[1, 0, 1, 1, 0, 0, 1, 1, 1, 0].map((bit, at) => [`coil ${String(19 + at)}`, bit]),
      ],
    );
    expect(shown({ kind: "unknown", function: 7, data: fromHex("01") })).toEqual([]);
    expect(decodeModbus("modbus-rtu", { request: rtu(Uint8Array.of(7)) }).warnings).toEqual([
      "unknown function 7",
    ]);
    expect(decodeModbus("modbus-rtu", { request: rtu(encodeRequest(read)) })).toMatchObject({
      device: { unit: 17, function: 4 },
      warnings: [],
    });
  });

  it("with an answer shows registers, pairs of them and coils from the place that was asked for", () => {
    const shown = (response: ModbusResponse, request?: Known) =>
      decodeModbus("modbus-rtu", {
        ...(request ? { request: rtu(encodeRequest(request)) } : {}),
        response: rtu(encodeResponse(response)),
      }).readings;
    const data = fromHex("436619 9a7fc00000".replace(" ", ""));

    expect(shown({ kind: "data", function: 4, data }, { ...read, count: 4 })).toMatchObject([
      { name: "register 72", value: 0x4366, raw: "4366" },
      { name: "register 73", value: 0x199a, raw: "199a" },
      { name: "register 74", raw: "7fc0" },
      { name: "register 75", raw: "0000" },
      { name: "float 72", value: expect.closeTo(230.1, 4) as number, raw: "4366199a" },
      { name: "float 74", value: null, raw: "7fc00000" },
    ]);
    expect(shown({ kind: "data", function: 4, data: fromHex("0001") }).map(({ name }) => name)).toEqual([
      "register 0",
    ]);
    expect(
      shown({ kind: "data", function: 1, data: fromHex("05") }, { ...readCoils, count: 3 }).map(
        ({ value }) => value,
      ),
    ).toEqual([1, 0, 1]);
    expect(shown({ kind: "data", function: 1, data: fromHex("05") })).toHaveLength(8);
    expect(shown({ kind: "exception", function: 4, code: 2 })).toEqual([
      { name: "exception", value: 2, unit: "", function: "illegal data address" },
    ]);
    expect(shown({ kind: "exception", function: 4, code: 99 })).toEqual([
      { name: "exception", value: 99, unit: "" },
    ]);
    expect(shown({ kind: "unknown", function: 7, data: fromHex("0102") })).toEqual([
      { name: "data", value: "0102", unit: "" },
    ]);
    expect(shown({ kind: "written", function: 6, address: 1, value: 3 }).map(({ name }) => name)).toEqual([
      "address",
      "value",
    ]);
    expect(
      shown({ kind: "writtenMany", function: 16, address: 1, count: 2 }).map(({ name }) => name),
    ).toEqual(["address", "count"]);
  });
});

it("every request and its bytes say the same", () => {
  for (const request of [read, readCoils, switchOn, writeOne, writeMany])
    expect(decodeRequest(unwrap("rtu", wrap("rtu", { unit: 1, pdu: encodeRequest(request) })).pdu)).toEqual(
      request,
    );
});
