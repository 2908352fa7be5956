import { gcm } from "@noble/ciphers/aes.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteWriter, fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { numberRow } from "./session/numbers.ts";
import { gmacAnswer, isGmacAnswer, protect, tagBytes, unprotect } from "./session/security.ts";

const context = {
  encryptionKey: Uint8Array.from({ length: 16 }, (_, at) => at),
  authenticationKey: Uint8Array.from({ length: 16 }, (_, at) => at + 100),
  systemTitle: fromHex("4d54520000000001"),
};
const security = {
  suite: 0,
  isAuthenticated: true,
  isEncrypted: false,
  isBroadcastKey: false,
  isCompressed: false,
};
const plainText = fc.uint8Array({ maxLength: 40 });
const counter = fc.integer({ min: 0, max: 0xffff_ffff });

const kindOf = (act: () => unknown): string => {
  try {
    act();
    return "opened";
  } catch (error) {
    return error instanceof ProtocolError ? error.kind : "bug";
  }
};

describe("a message that is only authenticated", () => {
  it("has the tag of control byte, key and text under title and counter", () => {
    fc.assert(
      fc.property(plainText, counter, (plain, count) => {
        const nonce = new ByteWriter(12).raw(context.systemTitle).u32be(count).finish();
        const signed = Uint8Array.from([0x10, ...context.authenticationKey, ...plain]);
        const tag = gcm(context.encryptionKey, nonce, signed).encrypt(new Uint8Array()).slice(0, tagBytes);

        expect(protect(plain, { context, security, counter: count })).toEqual(
          Uint8Array.from([...plain, ...tag]),
        );
      }),
    );
  });

  it("opens with nothing changed, and with any bit of text, tag, counter, title or key changed it does not", () => {
    fc.assert(
      fc.property(plainText, counter, fc.nat(), fc.nat(7), (plain, count, place, bit) => {
        const flipped = (bytes: Uint8Array): Uint8Array =>
          bytes.map((byte, at) => (at === place % bytes.length ? byte ^ (1 << bit) : byte));
        const protection = { context, security, counter: count };
        const content = protect(plain, protection);
        const open = (of: object, bytes = content): string =>
          kindOf(() => unprotect(bytes, { ...protection, ...of }));

        expect(open({})).toBe("opened");
        expect([
          open({}, flipped(content)),
          open({ counter: (count ^ (1 << (place % 32))) >>> 0 }),
          open({ context: { ...context, systemTitle: flipped(context.systemTitle) } }),
          open({ context: { ...context, encryptionKey: flipped(context.encryptionKey) } }),
          open({ context: { ...context, authenticationKey: flipped(context.authenticationKey) } }),
          open({ security: { ...security, isBroadcastKey: true } }),
        ]).toEqual(Array.from({ length: 6 }, () => "bad_password"));
      }),
    );
  });

  it("an answer to a challenge is that of this challenge alone, whole and with its own counter", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 64 }),
        counter,
        fc.nat(),
        (challenge, count, place) => {
          const answer = gmacAnswer(challenge, { context, counter: count });
          const changed = (bytes: Uint8Array): Uint8Array =>
            bytes.map((byte, at) => (at === place % bytes.length ? byte ^ 1 : byte));
          const isRight = (given: Uint8Array, to: Uint8Array = challenge): boolean =>
            isGmacAnswer(given, to, context);

          expect(isRight(answer)).toBe(true);
          expect([isRight(changed(answer)), isRight(answer, changed(challenge))]).toEqual([false, false]);
          expect([isRight(answer.subarray(1)), isRight(Uint8Array.from([...answer, 0]))]).toEqual([
            false,
            false,
          ]);
        },
      ),
    );
  });
});

describe("numbers that are never used twice", () => {
  it("are those of the ranges that were reserved, in order, and a new range is reserved when one is used up", () => {
    const ranges = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 9 }), fc.nat(40), (steps, atOnce, count) => {
        const firsts = steps.map((_, at) =>
          steps.slice(0, at + 1).reduce((sum, step) => sum + step + atOnce, 0),
        );
        const row = numberRow({ counter: "dlms:1", atLeast: 7, atOnce });
        const used: number[] = [];
        let reserved = 0;
        while (used.length < Math.min(count, firsts.length * atOnce)) {
          const next = row.next();
          const asked = next.next();
          if (asked.done) used.push(asked.value);
          else {
            expect(asked.value).toMatchObject({ counter: "dlms:1", atLeast: 7, count: atOnce });
            const { value } = next.next(new ByteWriter(4).u32be(firsts[reserved++] ?? 0).finish());
            used.push(Number(value));
          }
          expect(reserved).toBe(Math.ceil(used.length / atOnce));
        }

        const all = firsts.flatMap((first) => Array.from({ length: atOnce }, (_, at) => first + at));
        expect(used).toEqual(all.slice(0, used.length));
      }),
    );
  });

  it.each([
    [0xffff_0000, false],
    [0xffff_0001, true],
  ])("a counter of the meter from %i is near its end: %s", (atLeast, isRefused) => {
    const next = numberRow({ counter: "dlms:1", atLeast, atOnce: 4 }).next();

    expect(kindOf(() => next.next())).toBe(isRefused ? "unexpected" : "opened");
  });
});
