import { ByteReader } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";

/** Numbers that are never used twice with a key: invocation counters. */
export interface NumberRow {
  readonly next: () => Conversation<number>;
}

/** A counter this close to its end is a fault or a forgery; it must not exhaust the client's range. */
const lastSensible = 0xffff_0000;

/**
 * A range that the runner persists before one of its numbers is used. When the reservation is used up, more
 * is reserved.
 * Source: Green Book 9.2.7.4.4 (invocation counter). `atLeast`: the meter's counter plus one.
 * Errors: ProtocolError "unexpected" when the meter's counter is near its end; those of the runner.
 */
export function numberRow(of: { counter: string; atLeast: number; atOnce: number }): NumberRow {
  let at = 0;
  let end = 0;
  return {
    *next() {
      if (at >= end) {
        if (of.atLeast > lastSensible)
          throw new ProtocolError("unexpected", "the meter's counter is near its end");
        const answer = yield { ...of, count: of.atOnce };
        at = new ByteReader(answer).u32be();
        end = at + of.atOnce;
      }
      at += 1;
      return at - 1;
    },
  };
}
