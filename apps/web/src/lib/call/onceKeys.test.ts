import { expect, it } from "vitest";
import { forgetOnceKey, onceKeyOf } from "./onceKeys.ts";

it("API-020: an unanswered request is repeated under its key, after an answer with a new key", () => {
  const first = onceKeyOf("/api/user/create {}");

  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(onceKeyOf("/api/user/create {}")).toBe(first);
  expect(onceKeyOf("/api/company/create {}")).not.toBe(first);
  forgetOnceKey("/api/user/create {}");
  expect(onceKeyOf("/api/user/create {}")).not.toBe(first);
});
