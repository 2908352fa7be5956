import { ByteReader, type Span } from "../core/bytes.ts";
import { explainStretch } from "../core/spans.ts";
import { unwrap, type ModbusVariant } from "./frame.ts";
import { decodeRequest, decodeResponse, type ModbusRequest } from "./pdu.ts";
import { decodeRow, registersOf, type RegisterRow } from "./registers.ts";

const hex4 = (number: number) => `0x${number.toString(16).padStart(4, "0")}`;

/**
 * Names every byte of an exchange; registers carry the field of their row. Undecodable bytes are named by the
 * reason, as the exchange log also shows errors. Never throws.
 */
export function explainExchange(
  variant: ModbusVariant,
  rows: readonly RegisterRow[],
  { sent, received }: { readonly sent: Uint8Array; readonly received: Uint8Array },
): { sent: Span[]; received: Span[] } {
  let request: ModbusRequest | undefined;
  const sentSpans = traced(sent, (trace) => {
    const { pdu } = unwrap(variant, sent, { trace });
    request = decodeRequest(pdu);
  });
  const receivedSpans = traced(received, (trace) => {
    const { pdu } = unwrap(variant, received, { trace });
    decodeResponse(pdu, (data, offset) => trace.push(...dataSpans(rows, request, { data, offset })));
  });
  return { sent: sentSpans, received: receivedSpans };
}

const traced = (bytes: Uint8Array, decode: (trace: Span[]) => void): Span[] =>
  explainStretch(0, bytes.length, decode);

/** Spans of the data of an answer: one per row of the map, one per register without a row. */
export function dataSpans(
  rows: readonly RegisterRow[],
  request: ModbusRequest | undefined,
  { data, offset }: { readonly data: Uint8Array; readonly offset: number },
): Span[] {
  const reader = new ByteReader(data, { base: offset, trace: [] });
  if (request?.kind !== "read" || request.function < 3) {
    if (!reader.done) reader.take(data.length, "data");
    return reader.spans ?? [];
  }
  const table = request.function === 3 ? "holding" : "input";
  while (reader.remaining > 1) {
    const register = request.address + reader.position / 2;
    const row = rows.find((each) => each.table === table && each.address === register);
    const size = row ? registersOf(row.type) * 2 : 2;
    if (!row || size > reader.remaining) reader.u16be({ code: "register", n: hex4(register) });
    else {
      const start = reader.position;
      const value = decodeRow(row, reader.take(size));
      reader.noteSince(
        start,
        { code: "field", field: row.field, register: { table, address: register, type: row.type } },
        value,
      );
    }
  }
  if (!reader.done) reader.u8("odd_byte");
  return reader.spans ?? [];
}
