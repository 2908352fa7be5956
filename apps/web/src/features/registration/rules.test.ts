import { describe, expect, it } from "vitest";
import { emptyDraft, faultsOf, faultsOfReset, ownOffset, type Draft } from "./rules.ts";

const good: Draft = {
  ...emptyDraft,
  email: "dispatch@valley.example",
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "+97699112233",
  password: "Kx7!mPqw",
  password_confirmation: "Kx7!mPqw",
};
const faults = (change: Partial<Draft>, usesRandomPasswords = false) =>
  faultsOf({ ...good, ...change }, { usesRandomPasswords });

describe("checks of a registration before it is sent", () => {
  it("REG-011 a complete form has no fault; the name is optional", () => {
    expect(faults({})).toEqual({});
  });

  it.each([
    ["REG-003", { email: "" }, { email: "fail_email" }],
    ["REG-003", { email: "dispatch@" }, { email: "fail_email" }],
    [
      "REG-004",
      { password: "", password_confirmation: "" },
      { password: "required", password_confirmation: "fail_password" },
    ],
    ["REG-005", { password: "kx7!mpqw" }, { password: "easy_password" }],
    ["REG-006", { password_confirmation: "" }, { password_confirmation: "fail_password" }],
    ["REG-006", { password_confirmation: "Kx7!mPq" }, { password_confirmation: "fail_password" }],
    ["REG-008", { company_name: " " }, { company_name: "required" }],
    ["REG-009", { inn: "012345678" }, { inn: "fail_inn" }],
    ["REG-010", { phone_number: "+12345678" }, { phone_number: "fail_phone_number" }],
  ] as const)("%s %j is a fault", (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  it("REG-006 a repetition of 8 characters is one, equal or not", () => {
    expect(faults({ password_confirmation: "Kx7!mPqx" })).toEqual({});
  });

  it("REG-002 without password fields none is required", () => {
    expect(faults({ password: "", password_confirmation: "" }, true)).toEqual({});
  });
});

it("REG-024 a reset needs 8 characters in both fields, and says so by fail_password", () => {
  const judged = (password: string) => faultsOfReset({ password, password_confirmation: password }, 8);

  expect(judged("")).toEqual({ password: "required", password_confirmation: "fail_password" });
  expect(judged("Kx7!mPq")).toEqual({ password: "fail_password", password_confirmation: "fail_password" });
  expect(judged("kx7!mpqw")).toEqual({ password: "easy_password" });
  expect(judged("Kx7!mPqw")).toEqual({});
});

it("REG-013 the offset of the browser is sent in hours ahead of UTC", () => {
  const at = (minutes: number) => ({ getTimezoneOffset: () => minutes }) as Date;

  expect([at(-480), at(0), at(210)].map(ownOffset)).toEqual([8, 0, -3.5]);
});
