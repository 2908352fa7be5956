import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { matchReply, wrap, type ModbusVariant, type Sent } from "./frame.ts";
import { encodeRequest, encodeResponse, type ModbusRequest, type ModbusResponse } from "./pdu.ts";

type Known = Exclude<ModbusRequest, { kind: "unknown" }>;

const read: Known = { kind: "read", function: 4, address: 0x48, count: 2 };
const writeMany: Known = { kind: "writeMany", function: 16, address: 1, count: 2, data: fromHex("000a0102") };

describe("an answer in what has come", () => {
  const sentOf = (variant: ModbusVariant, request: Known): Sent => {
    const bytes = wrap(variant, { unit: 17, transaction: 7, pdu: encodeRequest(request) });
    return { variant, unit: 17, transaction: 7, request, bytes };
  };
  const answer = (variant: ModbusVariant, response: ModbusResponse) =>
    wrap(variant, { unit: 17, transaction: 7, pdu: encodeResponse(response) });

  it("of a write of many is not taken for its echo, nor an unfinished echo for a damaged answer", () => {
    const sent = sentOf("rtu", writeMany);
    const reply = answer("rtu", { kind: "writtenMany", function: 16, address: 1, count: 2 });
    const received = Uint8Array.from([...sent.bytes, ...reply]);

    for (let length = 0; length < received.length; length++)
      expect(matchReply(sent, received.subarray(0, length))).toMatchObject({ state: "more" });
    expect(matchReply(sent, received)).toEqual({ state: "frame", length: 8, skip: sent.bytes.length });
    expect(matchReply(sent, reply)).toEqual({ state: "frame", length: 8, skip: 0 });
    const damaged = reply.map((byte, at) => (at === 5 ? byte ^ 1 : byte));
    expect(refusalOf(() => matchReply(sent, damaged))).toMatchObject({ kind: "checksum" });
  });

  it("is no longer waited for behind twice the longest frame of noise", () => {
    const sent = sentOf("rtu", read);

    expect(matchReply(sent, new Uint8Array(520))).toEqual({ state: "more" });
    expect(refusalOf(() => matchReply(sent, new Uint8Array(521)))).toMatchObject({ kind: "checksum" });
  });

  it("may be an exception, which is shorter; one of another unit or function is passed over", () => {
    const sent = sentOf("rtu", read);
    const other = wrap("rtu", { unit: 18, pdu: encodeResponse({ kind: "exception", function: 4, code: 2 }) });
    const own = answer("rtu", { kind: "exception", function: 4, code: 2 });

    expect(matchReply(sent, Uint8Array.from([...other, ...own]))).toEqual({
      state: "frame",
      length: 5,
      skip: other.length,
    });
  });

  it("over TCP is waited for until its header and its length are there", () => {
    const sent = sentOf("tcp", read);
    const reply = answer("tcp", { kind: "data", function: 4, data: fromHex("00010002") });
    const exception = answer("tcp", { kind: "exception", function: 4, code: 2 });

    for (let length = 0; length < reply.length; length++)
      expect(matchReply(sent, reply.subarray(0, length))).toEqual({ state: "more", skip: 0 });
    expect(matchReply(sent, reply)).toEqual({ state: "frame", length: reply.length, skip: 0 });
    expect(matchReply(sent, exception)).toEqual({ state: "frame", length: 9, skip: 0 });
    const header = (length: number, protocol = 0) =>
      Uint8Array.of(0, 7, 0, protocol, length >> 8, length & 255, 17, 4);
    expect(refusalOf(() => matchReply(sent, header(1)))).toMatchObject({ kind: "unexpected" });
    expect(matchReply(sent, header(2))).toEqual({ state: "frame", length: 8, skip: 0 });
    expect(matchReply(sent, header(254))).toEqual({ state: "more", skip: 0 });
    expect(refusalOf(() => matchReply(sent, header(255)))).toMatchObject({ kind: "unexpected" });
    expect(refusalOf(() => matchReply(sent, header(2, 1)))).toMatchObject({ kind: "unexpected" });
  });
});
