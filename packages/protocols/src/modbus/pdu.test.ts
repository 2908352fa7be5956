import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, fromHex } from "../core/bytes.ts";
import { crc16 } from "./crc.ts";
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type ModbusRequest,
  type ModbusResponse,
} from "./pdu.ts";

describe("the codec", () => {
  const word = fc.integer({ min: 0, max: 0xffff });
  const data = (max: number) => fc.uint8Array({ minLength: 1, maxLength: max });
  const requests: fc.Arbitrary<ModbusRequest> = fc.oneof(
    fc.record({
      kind: fc.constant("read"),
      function: fc.constantFrom(1, 2, 3, 4),
      address: word,
      count: word,
    }),
    fc.record({ kind: fc.constant("writeOne"), function: fc.constantFrom(5, 6), address: word, value: word }),
    fc.record({ address: word, data: data(120) }).map(({ address, data: half }) => ({
      kind: "writeMany" as const,
      function: 16 as const,
      address,
      count: half.length,
      data: Uint8Array.from([...half, ...half]),
    })),
    fc.record({ address: word, data: data(120) }).map(({ address, data: coils }) => ({
      kind: "writeMany" as const,
      function: 15 as const,
      address,
      count: coils.length * 8,
      data: coils,
    })),
  );
  const responses: fc.Arbitrary<ModbusResponse> = fc.oneof(
    fc.record({ kind: fc.constant("data"), function: fc.constantFrom(1, 2, 3, 4), data: data(250) }),
    fc.record({ kind: fc.constant("written"), function: fc.constantFrom(5, 6), address: word, value: word }),
    fc.record({
      kind: fc.constant("writtenMany"),
      function: fc.constantFrom(15, 16),
      address: word,
      count: word,
    }),
    fc.record({ kind: fc.constant("exception"), function: fc.constantFrom(1, 3, 16), code: fc.nat(255) }),
  );

  it("round-trips every request and every answer", () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(decodeRequest(new ByteReader(encodeRequest(request)))).toEqual(request);
      }),
    );
    fc.assert(
      fc.property(responses, (response) => {
        expect(decodeResponse(new ByteReader(encodeResponse(response)))).toEqual(response);
      }),
    );
  });

  it("computes the example checksum of the standard", () => {
    expect(crc16(fromHex("0207"))).toBe(0x1241);
  });
});
