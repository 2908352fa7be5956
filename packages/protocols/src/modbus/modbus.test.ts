import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, fromHex, toHex, type Span } from "../core/bytes.ts";
import { stepOf } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse, replay } from "../core/fuzz/replay.ts";
import { decodeModbus } from "./decode.ts";
import { modbus } from "./driver.ts";
import { matchReply, wrap, type ModbusVariant, type Sent } from "./frame.ts";
import { decodeRequest } from "./pdu.ts";
import { planReads } from "./plan.ts";
import type { RegisterRow } from "./registers.ts";
import { modbusFuzz } from "./seeds.ts";

const vectors = new URL("../../../../../shared/vectors/modbus/exchanges.json", import.meta.url);

interface Exchange {
  name: string;
  kind: "tcp" | "rtu-over-tcp";
  request: string;
  response: string;
  expected: {
    function?: number;
    floats?: number[];
    words?: number[];
    exception?: number;
    address?: number;
    count?: number;
  };
}

/** Values of the readings with this name prefix. */
const valuesOf = (decoded: ReturnType<typeof decodeModbus>, name: string) =>
  decoded.readings.filter((each) => each.name.startsWith(name)).map((each) => each.value);

/** Spans must cover the frame from first to last byte, without holes or overlaps. */
function expectCovered(spans: readonly Span[], length: number): void {
  let at = 0;
  for (const span of spans) {
    expect(span.offset).toBe(at);
    at += span.bytes;
  }
  expect(at).toBe(length);
}

describe.skipIf(!existsSync(vectors))("recorded exchanges (../shared/vectors/modbus)", () => {
  const { cases } = existsSync(vectors)
    ? (JSON.parse(readFileSync(vectors, "utf8")) as { cases: Exchange[] })
    : { cases: [] };

  it("are all thirteen present", () => expect(cases).toHaveLength(13));

  it.each(cases)("DEV-035: $kind $name has the expected values", (each) => {
    const protocol = each.kind === "tcp" ? "modbus-tcp" : "modbus-rtu";
    const request = fromHex(each.request);
    const response = fromHex(each.response);
    const trace: Span[] = [];

    const decoded = decodeModbus(protocol, { request, response }, { trace });

    const { expected } = each;
    if (expected.function !== undefined) expect(decoded.device.function).toBe(expected.function);
    if (expected.floats) expect(valuesOf(decoded, "float")).toEqual(expected.floats);
    if (expected.words) expect(valuesOf(decoded, "register")).toEqual(expected.words);
    for (const name of ["exception", "address", "count"] as const)
      if (expected[name] !== undefined) expect(valuesOf(decoded, name)).toEqual([expected[name]]);
    expectCovered(trace, request.length + response.length);
    expect(decodeModbus(protocol, { response }).readings.map((reading) => reading.value)).toEqual(
      decoded.readings.map((reading) => reading.value),
    );
  });

  it.each(cases)("$kind $name is found in a stream when complete and not before", (each) => {
    const variant = each.kind === "tcp" ? "tcp" : "rtu";
    const bytes = fromHex(each.request);
    const body = variant === "tcp" ? bytes.subarray(7) : bytes.subarray(1, -2);
    const sent: Sent = {
      variant,
      bytes,
      unit: 1,
      transaction: variant === "tcp" ? new ByteReader(bytes).u16be() : 0,
      request: decodeRequest(new ByteReader(body)),
    };
    const response = fromHex(each.response);

    for (let length = 0; length < response.length; length++)
      expect(matchReply(sent, response.subarray(0, length)).state).toBe("more");
    expect(matchReply(sent, response)).toMatchObject({ state: "frame", length: response.length });
  });
});

const registers = [
  { address: 0, table: "input", type: "f32", field: "voltage1", msgType: 2 },
  { address: 2, table: "input", type: "f32", order: "CDAB", field: "voltage2", msgType: 2 },
  {
    address: 10,
    table: "input",
    type: "i32",
    scale: 0.001,
    field: "power_active",
    msgType: 2,
    noValue: [0x7fffffff],
  },
  {
    address: 0,
    table: "holding",
    type: "u32",
    scale: 0.01,
    field: "tariff0",
    msgType: 1,
    noValue: [0xffffffff],
  },
  {
    address: 2,
    table: "holding",
    type: "u64",
    scale: 0.001,
    order: "DCBA",
    field: "tariff_negative0",
    msgType: 1,
  },
] as const satisfies RegisterRow[];

const state: Readonly<Record<string, number>> = {
  voltage1: 230.1,
  voltage2: 231.2,
  power_active: -1.234,
  tariff0: 12345.67,
  tariff_negative0: 8_123_456.789,
};
const device = { insideAddr: "17", deviceID: "" };
const meter = (
  variant: ModbusVariant = "rtu",
  values: (field: string) => number = (field) => state[field] ?? 0,
) => {
  const driver = modbus({ variant, rows: registers });
  return { driver, responder: driver.respond(device, values, () => 0) };
};

/** The answer to the first step of a poll, and its matcher. */
function firstStep(variant: ModbusVariant) {
  const { driver, responder } = meter(variant);
  const step = stepOf(driver.poll({ kind: "now" }, device).next());
  const [reply = new Uint8Array(0)] = responder.receive(step.send);
  return { step, reply };
}

describe("a poll", () => {
  it.each(["rtu", "tcp"] as const)("DEV-035: %s reads what its own simulator shows", (variant) => {
    const { driver, responder } = meter(variant);

    expect(converse(driver.poll({ kind: "now" }, device), responder)).toEqual([
      { msgType: 1, at: null, values: { tariff0: 12345.67, tariff_negative0: 8_123_456.789 } },
      { msgType: 2, at: null, values: { voltage1: 230.1, voltage2: 231.2, power_active: -1.234 } },
    ]);
  });

  it("stores null where the meter reports no value", () => {
    const { driver, responder } = meter("rtu", () => Number.NaN);

    const [counters, instants] = converse(driver.poll({ kind: "now" }, device), responder);

    expect(counters?.values).toEqual({ tariff0: null, tariff_negative0: 0 });
    expect(instants?.values).toEqual({ voltage1: null, voltage2: null, power_active: null });
  });

  it("refuses a register that its scale makes infinite, with the name of the field", () => {
    const row = {
      address: 0,
      table: "holding",
      type: "f64",
      field: "tariff0",
      msgType: 1,
      scale: 1000,
    } as const;
    const poll = () => modbus({ variant: "rtu", rows: [row] }).poll({ kind: "now" }, device);
    const read = (value: number) => {
      const data = new Uint8Array(8);
      new DataView(data.buffer).setFloat64(0, value);
      const answer = wrap("rtu", { unit: 17, pdu: Uint8Array.of(3, 8, ...data) });
      return replay(poll(), [[stepOf(poll().next()).send, answer]]);
    };

    expect(read(2)[0]?.values).toEqual({ tariff0: 2000 });
    expect(() => read(1e306)).toThrow(
      expect.objectContaining({ name: "ProtocolError", message: "tariff0 is too large" }),
    );
  });

  it("never reads across a hole, over the limit, or half a value", () => {
    const spans = (max: number) =>
      planReads(registers, max).map((each) => `${each.table}${each.address}+${each.count}`);

    expect(spans(125)).toEqual(["holding0+6", "input0+4", "input10+2"]);
    expect(spans(5)).toEqual(["holding0+2", "holding2+4", "input0+4", "input10+2"]);
    expect(spans(6), "a block of exactly the limit").toEqual(["holding0+6", "input0+4", "input10+2"]);
  });

  it.each([
    [1, "unsupported", false],
    [2, "refused", false],
    [5, "refused", true],
    [6, "refused", true],
    [10, "timeout", false],
    [11, "timeout", false],
  ])("POLL-023 turns exception %i into %s, busy: %s", (code, kind, isBusy) => {
    const { step } = firstStep("rtu");
    const answer = wrap("rtu", { unit: 17, pdu: Uint8Array.of(0x83, code) });
    const poll = meter().driver.poll({ kind: "now" }, device);

    expect(() => replay(poll, [[step.send, answer]])).toThrow(
      expect.objectContaining({ kind, detail: code, isBusy }),
    );
  });

  it("refuses invalid unit addresses, and archives", () => {
    const { driver } = meter();
    for (const insideAddr of ["", "0", "248", "1a", "-1"])
      expect(() => driver.poll({ kind: "now" }, { insideAddr, deviceID: "" })).toThrow(ProtocolError);
    expect(() => driver.poll({ kind: "archive", msgType: 101, from: 0, to: 1 }, device)).toThrow(
      ProtocolError,
    );
  });
});

describe("an answer in the stream", () => {
  it("is found behind the echo of the request", () => {
    const { step, reply } = firstStep("rtu");
    const received = Uint8Array.from([...step.send, ...reply]);

    for (let length = 0; length < received.length; length++)
      expect(step.match?.(received.subarray(0, length))).toMatchObject({ state: "more" });
    expect(step.match?.(received)).toEqual({ state: "frame", length: reply.length, skip: step.send.length });
  });

  it("is found behind noise and behind a late answer of another length", () => {
    const { step, reply } = firstStep("rtu");
    const late = wrap("rtu", { unit: 17, pdu: Uint8Array.of(3, 2, 1, 2) });
    const received = Uint8Array.from([0, 0xff, ...late, ...reply]);

    expect(step.match?.(received)).toEqual({ state: "frame", length: reply.length, skip: 2 + late.length });
  });

  it("with a wrong CRC fails the try", () => {
    const { step, reply } = firstStep("rtu");
    const damaged = reply.map((byte, at) => (at === 5 ? byte ^ 0x40 : byte));

    expect(() => step.match?.(damaged)).toThrow(expect.objectContaining({ kind: "checksum" }));
  });

  it("over TCP is distinguished from late answers by its transaction", () => {
    const { step, reply } = firstStep("tcp");
    const late = reply.map((byte, at) => (at === 1 ? byte + 1 : byte));

    expect(step.match?.(late)).toEqual({ state: "more", skip: late.length });
    expect(step.match?.(Uint8Array.from([...late, ...reply]))).toEqual({
      state: "frame",
      length: reply.length,
      skip: late.length,
    });
  });
});

describe("the simulated meter", () => {
  const ask = (pdu: number[], unit = 17) => {
    const answers = meter().responder.receive(wrap("rtu", { unit, pdu: Uint8Array.from(pdu) }));
    return answers.map((each) => toHex(each.subarray(1, -2)));
  };

  it("refuses holes, too many registers, and functions it does not know", () => {
    expect(ask([4, 0, 3, 0, 2])).toEqual(["8402"]);
    expect(ask([4, 0, 0, 0, 0])).toEqual(["8403"]);
    expect(ask([4, 0, 0, 0, 126])).toEqual(["8403"]);
    expect(ask([1, 0, 0, 0, 1])).toEqual(["8101"]);
    expect(ask([0x55, 0, 0])).toEqual(["d501"]);
    expect(ask([6, 0, 0, 0, 1])).toEqual(["8601"]);
  });

  it("ignores other units", () => {
    expect(ask([4, 0, 0, 0, 2], 18)).toEqual([]);
  });

  it("answers requests that arrive in pieces, several at once, and behind noise", () => {
    const { responder } = meter();
    const request = wrap("rtu", { unit: 17, pdu: Uint8Array.of(4, 0, 0, 0, 2) });

    expect(responder.receive(Uint8Array.from([9, 9, 17, ...request.subarray(0, 3)]))).toEqual([]);
    expect(responder.receive(Uint8Array.from([...request.subarray(3), ...request]))).toHaveLength(2);
  });
});

describe("the codec", () => {
  it("refuses an answer to another request", () => {
    const request = wrap("tcp", { unit: 1, transaction: 1, pdu: Uint8Array.of(4, 0, 0, 0, 1) });
    const answer = (unit: number, transaction: number, pdu: number[]) => () =>
      decodeModbus("modbus-tcp", {
        request,
        response: wrap("tcp", { unit, transaction, pdu: Uint8Array.from(pdu) }),
      });

    expect(answer(1, 1, [4, 2, 0, 7])().readings[0]).toMatchObject({ name: "register 0", value: 7 });
    expect(answer(2, 1, [4, 2, 0, 7])).toThrow(ProtocolError);
    expect(answer(1, 2, [4, 2, 0, 7])).toThrow(ProtocolError);
    expect(answer(1, 1, [3, 2, 0, 7])).toThrow(ProtocolError);
    expect(answer(1, 1, [4, 4, 0, 7, 0, 8])).toThrow(ProtocolError);
  });

  it.each(modbusFuzz)(
    "$name throws nothing but ProtocolError on damaged and random bytes",
    ({ seeds, decode }) => {
      const damaged = fc
        .tuple(
          fc.constantFrom(...seeds),
          fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 4 }),
          fc.nat(40),
        )
        .map(([seed, changes, cut]) => {
          const bytes = Uint8Array.from(seed);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          return cut < bytes.length ? bytes.subarray(0, cut) : bytes;
        });
      fc.assert(
        fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 300 })), (bytes) => {
          try {
            decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }),
        { numRuns: 2000 },
      );
    },
  );

  it("matches, answers and explains random bytes without breaking", () => {
    for (const variant of ["rtu", "tcp"] as const) {
      const { step } = firstStep(variant);
      const { driver, responder } = meter(variant);
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
          responder.receive(bytes);
          driver.explain(bytes, bytes);
          try {
            step.match?.(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }),
      );
    }
  });
});

describe("an explained exchange", () => {
  it.each(["rtu", "tcp"] as const)("%s names every byte, registers by their field", (variant) => {
    const { step, reply } = firstStep(variant);

    const { sent, received } = meter(variant).driver.explain(step.send, reply);

    expectCovered(sent, step.send.length);
    expectCovered(received, reply.length);
    expect(received).toContainEqual(
      expect.objectContaining({
        name: {
          code: "field",
          field: "tariff0",
          register: { table: "holding", address: 0, type: "u32" },
        },
        value: 12345.67,
      }),
    );
  });
});
