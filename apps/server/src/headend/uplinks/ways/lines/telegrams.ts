import { ProtocolError } from "@metrum/protocols/core";
import { p1Equipment, p1Stream } from "@metrum/protocols/p1";
import {
  lineReceiver,
  stickReceiver,
  wmbusNames,
  wmbusSender,
  type ReceivedTelegram,
} from "@metrum/protocols/wmbus";
import { z } from "zod/mini";

/**
 * What a line delivers: telegrams of a P1 port, or of a wireless M-Bus receiver with text lines or the
 * protocol of the iM871A stick.
 */
export const Listens = z.object({
  to: z.enum(["p1", "wmbus_lines", "wmbus_stick"]),
  /** Start-up command of the receiver ("brt" of a CUL, with its line end), in hexadecimal. */
  hello: z._default(z.string().check(z.regex(/^([0-9a-f]{2}){0,200}$/i)), ""),
});
export type Listens = z.infer<typeof Listens>;

/** Sender of a telegram. */
export interface Sender {
  /** Spellings of its number, in lower case, the most specific first; the first is shown in the inbox. */
  readonly names: readonly string[];
  readonly kind: "p1" | "wmbus";
  /** Distinguishes telegrams of one meter with different contents. */
  readonly sort: string;
}

/**
 * Splits received bytes into telegrams; a new splitter for each connection. Errors: none, invalid bytes are
 * dropped.
 */
export function cutterOf({ to }: Listens): (bytes: Uint8Array) => ReceivedTelegram[] {
  switch (to) {
    case "p1": {
      const stream = p1Stream();
      return (bytes) => stream.push(bytes).map((telegram) => ({ telegram }));
    }
    case "wmbus_lines":
      return lineReceiver().receive;
    case "wmbus_stick":
      return stickReceiver().receive;
  }
}

/**
 * The sender of a telegram; undefined when it is damaged. `line`: the name of a P1 port whose meter sends no
 * number.
 */
export function senderOf({ to }: Listens, telegram: Uint8Array, line: string): Sender | undefined {
  try {
    if (to === "p1") {
      const name = p1Equipment(telegram) ?? `p1 ${line}`;
      return { kind: "p1", names: [name.toLowerCase()], sort: "p1" };
    }
    const meter = wmbusSender(telegram);
    // Short and full telegrams of a meter differ in length, and in the CI field.
    const sort = `${String(telegram.length)}/${String(telegram[10])}`;
    return { kind: "wmbus", names: wmbusNames(meter), sort };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
