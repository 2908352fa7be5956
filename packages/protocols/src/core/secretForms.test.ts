import fc from "fast-check";
import { expect, it } from "vitest";
import type { Authentication } from "../dlms/options.ts";
import { spodes } from "../dlms/spodes.ts";
import { passwordBytes, passwordForm } from "../mercury230/session.ts";
import { keyOf } from "../wmbus/crypto.ts";
import { aesKeyForm } from "./secretForms.ts";

it("a password or key of the form required by a driver is accepted", () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(passwordForm.source)), (text) => {
      expect(passwordBytes(text, 1, false)).toHaveLength(6);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(aesKeyForm.source)), (text) => {
      expect(keyOf(text)).toHaveLength(16);
    }),
  );
});

it.each(["", "12345", "1234567", "0102030405060", "пароль"])("Mercury has no password %j", (text) => {
  expect(passwordForm.test(text)).toBe(false);
});

it("a DLMS meter has a password or two keys, according to its authentication", () => {
  const kindsOf = (authentication: Authentication) =>
    Object.keys(
      spodes({
        transport: "hdlc",
        server: { logical: 1, bytes: 1, physical: "none" },
        utcOffsetMinutes: 0,
        authentication,
      }).secrets ?? {},
    );

  expect(kindsOf({ kind: "none" })).toEqual([]);
  expect(kindsOf({ kind: "lls" })).toEqual(["password"]);
  expect(kindsOf({ kind: "gmac" })).toEqual(["encryption", "authentication"]);
});
