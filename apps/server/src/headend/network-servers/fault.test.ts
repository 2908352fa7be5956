import { expect, test } from "vitest";
import { OutgoingRefused } from "#core";
import { faultOf, SecretClosed } from "./fault.ts";

const coded = (code: string | number): Error => Object.assign(new Error(`said ${String(code)}`), { code });

test.each([
  [1, "declined"],
  [2, "declined"],
  [3, "busy"],
  [4, "sign_in"],
  [5, "sign_in"],
  [128, "topics"],
])("a broker that answers %i has refused us: %s", (code, reason) => {
  expect(faultOf(coded(code))).toEqual({ state: "refused", reason, message: `MQTT ${String(code)}` });
});

test.each([
  ["ENOTFOUND", "name_unknown"],
  ["EAI_AGAIN", "name_unknown"],
  ["ECONNREFUSED", "not_listening"],
  ["EHOSTUNREACH", "no_route"],
  ["ENETUNREACH", "no_route"],
  ["ETIMEDOUT", "no_answer"],
  ["ECONNRESET", "closed"],
  ["CERT_HAS_EXPIRED", "certificate"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate"],
  ["EPROTO", "other"],
])("a network that reports %s has not brought us there: %s", (code, reason) => {
  expect(faultOf(coded(code))).toEqual({ state: "unreachable", reason, message: code });
});

test("a connection that was not attempted has a reason, and so has one that timed out", () => {
  const ours = [new OutgoingRefused("private"), new SecretClosed("sealed"), new Error("?"), undefined];

  expect(ours.map((each) => faultOf(each).reason)).toEqual(["not_allowed", "secret", "other", "closed"]);
});
