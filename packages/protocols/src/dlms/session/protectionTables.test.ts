import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { cipherApdu } from "../apdu/apduCiphered.ts";
import { fullSecurity } from "./cipher.ts";
import { parseSecurityControl, protect, securityControlByte, unprotect } from "./security.ts";
import type { CipheredApdu, SecurityControl } from "../types.ts";

const keys = {
  encryptionKey: fromHex("000102030405060708090a0b0c0d0e0f"),
  authenticationKey: fromHex("d0d1d2d3d4d5d6d7d8d9dadbdcdddedf"),
  systemTitle: fromHex("53494d0000000002"),
};
const refused = (kind: string, message: string): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message });
const sealed = (bytes: Uint8Array, type: CipheredApdu["type"] = "glo"): CipheredApdu =>
  cipherApdu(bytes, type, { context: keys, security: fullSecurity, counter: 1 });

describe("the protection of a message", () => {
  it.each([
    [0x00, {}],
    [0x02, { suite: 2 }],
    [0x10, { isAuthenticated: true }],
    [0x20, { isEncrypted: true }],
    [0x40, { isBroadcastKey: true }],
    [0x80, { isCompressed: true }],
    [0x3f, { suite: 15, isAuthenticated: true, isEncrypted: true }],
  ])("is told by the byte %i", (control, changes) => {
    const none = { suite: 0, isAuthenticated: false, isEncrypted: false };
    const security = { ...none, isBroadcastKey: false, isCompressed: false, ...changes };

    expect(parseSecurityControl(control)).toEqual(security);
    expect(securityControlByte(security)).toBe(control);
  });

  it.each<[string, Partial<SecurityControl>, object, string]>([
    ["suite 3", { suite: 3 }, {}, "security suite 3 is not known"],
    ["compression", { isCompressed: true }, {}, "compressed messages are not supported"],
    ["a short title", {}, { systemTitle: new Uint8Array(7) }, "a system title has 8 bytes"],
    [
      "a key of suite 2",
      {},
      { encryptionKey: new Uint8Array(32) },
      "the encryption key of this suite has 16 bytes",
    ],
    ["a key of suite 1 in 2", { suite: 2 }, {}, "the encryption key of this suite has 32 bytes"],
    ["no second key", {}, { authenticationKey: null }, "the message is authenticated, its key is not given"],
    [
      "a short second key",
      { suite: 1 },
      { authenticationKey: new Uint8Array(15) },
      "the authentication key of this suite has 16 bytes",
    ],
  ])("is refused for %s, both ways", (_, security, context, message) => {
    const protection = {
      context: { ...keys, ...context },
      security: { ...fullSecurity, ...security },
      counter: 1,
    };

    expect(() => protect(fromHex("c0"), protection)).toThrow(refused("unsupported", message));
    expect(() => unprotect(new Uint8Array(20), protection)).toThrow(refused("unsupported", message));
  });

  it("that is only encryption needs one key and adds nothing; none changes nothing; a tag has 12 bytes", () => {
    const context = { ...keys, authenticationKey: null };
    const open_ = { ...fullSecurity, isAuthenticated: false };
    const plain = fromHex("c001c1000100002a0000ff0200");
    const text = protect(plain, { context, security: open_, counter: 1 });
    const nothing = { context, security: { ...open_, isEncrypted: false }, counter: 1 };

    expect([text.length, unprotect(text, { context, security: open_, counter: 1 })]).toEqual([13, plain]);
    expect(toHex(text)).not.toBe(toHex(plain));
    expect([protect(plain, nothing), unprotect(plain, nothing)]).toEqual([plain, plain]);
    expect(protect(plain, { context: keys, security: fullSecurity, counter: 1 })).toHaveLength(25);
    const full = { context: keys, security: fullSecurity, counter: 1 };
    expect(() => unprotect(new Uint8Array(11), full)).toThrow(
      refused("unexpected", "a protected message is shorter than its tag"),
    );
    expect(unprotect(protect(fromHex(""), full), full)).toHaveLength(0);
  });

  it("has a tag of its own for the service, or the general one with the title", () => {
    const plain = fromHex("c401c5001107");
    expect(sealed(plain)).toMatchObject({ type: "glo", tag: 0xcc, systemTitle: null });
    expect(sealed(plain, "ded")).toMatchObject({ tag: 0xd4, systemTitle: null });
    expect(sealed(plain, "generalGlo")).toMatchObject({ tag: 0xdb, systemTitle: keys.systemTitle });
    expect(sealed(plain, "generalDed")).toMatchObject({ tag: 0xdc, systemTitle: keys.systemTitle });
    expect(() => sealed(fromHex("6300"))).toThrow(
      refused("unsupported", "this message has no protected form of its own"),
    );
    expect(() => sealed(fromHex(""))).toThrow(
      refused("unsupported", "this message has no protected form of its own"),
    );
  });
});
