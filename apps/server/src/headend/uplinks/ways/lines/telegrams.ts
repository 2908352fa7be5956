import {
  lineReceiver,
  p1Equipment,
  p1Stream,
  ProtocolError,
  stickReceiver,
  wmbusNames,
  wmbusSender,
  type ReceivedTelegram,
} from "@metrum/protocols";
import { z } from "zod/mini";

/** What is heard on a line: telegrams of a P1 port, or of a receiver of wireless M-Bus that writes lines or speaks as an iM871A stick. */
export const Listens = z.object({
  to: z.enum(["p1", "wmbus_lines", "wmbus_stick"]),
  /** What the receiver must be told first ("brt" of a CUL, with the end of its line), in hexadecimal. */
  hello: z._default(z.string().check(z.regex(/^([0-9a-f]{2}){0,200}$/i)), ""),
});
export type Listens = z.infer<typeof Listens>;

/** Whose telegram it is. */
export interface Sender {
  /** Ways to write its number, in small letters, the most exact first; the first names it in the inbox. */
  readonly names: readonly string[];
  readonly kind: "p1" | "wmbus";
  /** Tells telegrams with different contents of one meter apart. */
  readonly sort: string;
}

/** Cuts what comes on a line into telegrams; a new one for each connection. Errors: none, what is no telegram is dropped. */
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

/** Whose telegram it is; undefined when it is damaged, so nobody's. `line`: the name of a P1 port whose meter says no number. */
export function senderOf({ to }: Listens, telegram: Uint8Array, line: string): Sender | undefined {
  try {
    if (to === "p1") {
      const name = p1Equipment(telegram) ?? `p1 ${line}`;
      return { kind: "p1", names: [name.toLowerCase()], sort: "p1" };
    }
    const meter = wmbusSender(telegram);
    // Short and full telegrams of a meter differ in length, and in the field that says what follows.
    const sort = `${String(telegram.length)}/${String(telegram[10])}`;
    return { kind: "wmbus", names: wmbusNames(meter), sort };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
