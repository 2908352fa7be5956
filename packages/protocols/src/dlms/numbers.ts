import { ByteReader } from "../core/bytes.ts";
import type { Conversation } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";

/** Numbers of which none is ever used twice with a key: invocation counters. */
export interface NumberRow {
  readonly next: () => Conversation<number>;
}

/** A counter so near its end is a fault or a forgery; what it says must not use up our row for ever. */
const lastSensible = 0xffff_0000;

/**
 * A row that the runner persists before a number of it is used. When what was reserved is used up, more is.
 * Source: Green Book 9.2.7.4.4 (invocation counter). `atLeast`: what the meter counts from, plus one.
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
