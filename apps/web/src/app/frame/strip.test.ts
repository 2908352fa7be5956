import { expect, it } from "vitest";
import { stripOf, type ShellState } from "./strip.ts";

const calm: ShellState = { lostAt: null, expiry: null, hasNewVersion: false, isTestBuild: false };

it("SHELL-034 one strip is shown at a time, the most serious first", () => {
  const all: ShellState = { lostAt: 1, expiry: "warning", hasNewVersion: true, isTestBuild: true };

  expect(stripOf(all)).toBe("offline");
  expect(stripOf({ ...all, lostAt: null })).toBe("expiryWarning");
  expect(stripOf({ ...all, lostAt: null, expiry: "info" })).toBe("expiryInfo");
  expect(stripOf({ ...all, lostAt: null, expiry: null })).toBe("newVersion");
  expect(stripOf(calm)).toBeNull();
});

it("PROD-026 a build that is not for production says so", () => {
  expect(stripOf({ ...calm, isTestBuild: true })).toBe("testBuild");
});
