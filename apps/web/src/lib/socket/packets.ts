import { fieldsOf } from "./events.ts";

/** A message of the real-time server: Socket.IO 5 within Engine.IO 4. Only text; others are ignored. */
export type Packet =
  /** The server pings more often than after `silenceMs`. */
  | { readonly kind: "opened"; readonly silenceMs: number }
  | { readonly kind: "ping" }
  | { readonly kind: "admitted" }
  | { readonly kind: "refused"; readonly reason: unknown }
  | { readonly kind: "closed" }
  | { readonly kind: "event"; readonly name: unknown; readonly payload: unknown }
  | { readonly kind: "answer"; readonly answer: unknown };

const readers: Readonly<Record<string, (body: unknown) => Packet>> = {
  0: (body) => {
    const { pingInterval, pingTimeout } = fieldsOf(body);
    return { kind: "opened", silenceMs: Number(pingInterval) + Number(pingTimeout) };
  },
  1: () => ({ kind: "closed" }),
  2: () => ({ kind: "ping" }),
  40: () => ({ kind: "admitted" }),
  41: () => ({ kind: "closed" }),
  42: (body) => ({ kind: "event", name: itemsOf(body)[0], payload: itemsOf(body)[1] }),
  // The answer to question 0, the only one of a connection.
  430: (body) => ({ kind: "answer", answer: itemsOf(body)[0] }),
  44: (body) => ({ kind: "refused", reason: fieldsOf(body)["message"] }),
};

export function packetOf(text: string): Packet | null {
  const [, type = "", body = ""] = /^(\d*)(.*)$/s.exec(text) ?? [];
  return readers[type]?.(body === "" ? null : JSON.parse(body)) ?? null;
}

const itemsOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : []);

export const pong = "3";
export const admission = (token: string) => `40${JSON.stringify({ token })}`;
/** A message that is answered. */
export const question = (name: string, payload: object) => `420${JSON.stringify([name, payload])}`;
