import type pg from "pg";
import {
  binaryParts,
  floats,
  floatsBytes,
  int2,
  int4,
  int8,
  json,
  nothing,
  textBytes,
  type Out,
  type Sized,
} from "./copyBinary.ts";
import type { Row } from "./types.ts";

/** COPY messages of the driver's connection, missing in its types. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Statements of which the last is a `COPY ... FROM STDIN`, in one round trip. The parts of its data follow without waiting
 * for the database to ask for them, so that it stores the first ones while the others are serialised and the caller
 * goes on; of a statement that fails before, it ignores them (documentation of PostgreSQL, "COPY Operations").
 */
export function copyFrom(client: pg.ClientBase, text: string, parts: Iterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let fault: Error | undefined;
    const submittable = {
      submit(connection: CopyConnection) {
        connection.query(text);
        try {
          for (const part of parts) connection.sendCopyFromChunk(part);
          connection.endCopyFrom();
        } catch (error) {
          fault = error instanceof Error ? error : new Error("not serialised", { cause: error });
          connection.sendCopyFail("not serialised");
        }
      },
      handleCopyInResponse: () => undefined,
      handleCommandComplete: () => undefined,
      // The driver does not call back after a failed statement.
      handleError: (error: Error) => reject(fault ?? error),
      handleReadyForQuery: () => resolve(),
    };
    // The driver's types know only cursors and streams, which are created in the same way.
    client.query(submittable as unknown as pg.Submittable);
  });
}

export const copyColumns =
  "ts, device_id, real_ts_offset, received_at_offset, msg_type, field_set_id, status, source, v, extra, by_field";

const columnCount = 11;
/** Lengths of the numeric columns with their length prefixes. */
const fixedBytes = 12 + 8 + 8 + 8 + 6 + 8 + 6 + 6;

/** Rows of `message` in the binary form of COPY, some at a time. */
export const copyData = (rows: readonly Row[]): Iterable<Buffer> => binaryParts(rows, columnCount, sized);

function sized(rows: readonly Row[]): Sized<Row> {
  // by_field contains only field names and numbers. Rows seldom have it.
  const byField = new Map<Row, string>();
  let bytes = 0;
  for (const row of rows) {
    bytes += fixedBytes + floatsBytes(row.v) + textBytes(row.extra) + 1 + textBytes(null) + 1;
    if (row.by_field === null) continue;
    const text = JSON.stringify(row.by_field);
    byField.set(row, text);
    bytes += textBytes(text);
  }
  return {
    bytes,
    write: (out, row, at) =>
      json(out, writeRow(out, row, at), row.by_field === null ? null : (byField.get(row) ?? null)),
  };
}

function writeRow(out: Out, row: Row, start: number): number {
  const { ts, v, extra } = row;
  let at = int8(out, start, ts);
  at = int4(out, at, row.device.id);
  at = row.meterAt === null ? nothing(out, at) : int4(out, at, row.meterAt - ts);
  at = int4(out, at, row.receivedAt - ts);
  at = int2(out, at, row.msgType);
  at = int4(out, at, row.set.id);
  at = int2(out, at, row.status);
  at = int2(out, at, row.source);
  at = floats(out, at, v);
  return json(out, at, extra);
}
