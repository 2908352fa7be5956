import { expect, it } from "vitest";
import { expiryOf } from "#lib/session";
import { greetingsOf, type ArrivalState } from "./arrival.ts";

const first: ArrivalState = {
  hasArrived: true,
  isFirstLogin: true,
  wasAsked: false,
  maySubscribe: true,
  hasExpiryDialog: false,
};

it("SHELL-016 SHELL-017 the newsletter is offered at the first login, once in a browser", () => {
  expect(greetingsOf(first)).toEqual(["newsletter"]);
  expect(greetingsOf({ ...first, wasAsked: true })).toEqual([]);
  expect(greetingsOf({ ...first, isFirstLogin: false })).toEqual([]);
  expect(greetingsOf({ ...first, maySubscribe: false })).toEqual([]);
  expect(greetingsOf({ ...first, hasArrived: false })).toEqual([]);
});

it("SHELL-018 SHELL-019 the expiry dialog comes at a login with 5 days or fewer, and not before", () => {
  const at = (license_days_left: number | null) => {
    const { hasDialog } = expiryOf({ license_days_left }, { is_demo: false });
    return greetingsOf({ ...first, isFirstLogin: false, hasExpiryDialog: hasDialog });
  };

  expect([0, 1, 4, 5].map(at)).toEqual([["expiry"], ["expiry"], ["expiry"], ["expiry"]]);
  expect([at(6), at(100), at(null)]).toEqual([[], [], []]);
});
