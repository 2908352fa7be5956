import { unmetPasswordNeeds } from "@metrum/contract/access";
import { describe, expect, test } from "vitest";
import { checkPassword } from "./passwordRule.ts";

const judge = (password: string, minLength = 8) => checkPassword(password, { minLength });

test.each([
  ["Ab1!xyz", "seven characters"],
  ["kx7!mpqw", "no capital letter"],
  ["KX7!MPQW", "no small letter"],
  ["Kxy!mPqw", "no digit"],
  ["Kx7.mPqw", "no sign of the eight"],
  [`Kx7!${"m".repeat(125)}`, "129 characters"],
])("REG-005 %s is too easy: %s", (password) => {
  expect(judge(password)).toBe("easy_password");
});

test.each([
  "Kx7!mPqw",
  "Тариф7!Ночь",
  `Kx7!${"m".repeat(124)}`,
  "n0rth #Ridge lamp",
  "correct-Horse7*battery",
])("REG-005 %s is taken", (password) => {
  expect(judge(password)).toBeUndefined();
});

test("REG-005 each part of the rule is reported separately, for the checklist of the form", () => {
  expect(unmetPasswordNeeds("")).toEqual(["length", "lower", "upper", "digit", "sign"]);
  expect(unmetPasswordNeeds("abcdefgh")).toEqual(["upper", "digit", "sign"]);
  expect(unmetPasswordNeeds("Kx7!mPqw")).toEqual([]);
});

test("a company can require longer passwords, never allow shorter ones", () => {
  expect(judge("Kx7!mPqw", 12)).toBe("easy_password");
  expect(judge("Kx7!mPqwRs12", 12)).toBeUndefined();
  expect(judge("Kx7!mP", 4)).toBe("easy_password");
});

test("a character outside the basic plane counts once", () => {
  expect(unmetPasswordNeeds("Aa1!🔑🔑🔑")).toEqual(["length"]);
  expect(unmetPasswordNeeds("Aa1!🔑🔑🔑🔑")).toEqual([]);
});

describe("a common password is refused although it has all classes of characters", () => {
  test.each([
    "P@ssw0rd",
    "P@$$w0rd1",
    "Password1!",
    "Passw0rd!",
    "!Password2024",
    "Qwerty123!",
    "Welcome@1",
    "Admin123!",
    "AdminAdmin1!",
    "Abc123!@#",
    "Aa123456!",
    "1qaz@WSX",
    "!QAZ2wsx",
    "Summer2026!",
    "Пароль123!",
  ])("%s", (password) => {
    expect(judge(password)).toBe("common_password");
  });
});
