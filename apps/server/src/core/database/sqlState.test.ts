import pg from "pg";
import { expect, test } from "vitest";
import { isUniqueViolation, sqlStateOf } from "./sqlState.ts";

function refused(code: string, constraint?: string): pg.DatabaseError {
  const error = new pg.DatabaseError("refused", 0, "error");
  error.code = code;
  error.constraint = constraint;
  return error;
}

test("a unique violation is distinguished from other errors, and its constraint from others", () => {
  expect(isUniqueViolation(refused("23505", "users_email_key"))).toBe(true);
  expect(isUniqueViolation(refused("23505", "users_email_key"), "users_email_key")).toBe(true);
  expect(isUniqueViolation(refused("23505", "users_pkey"), "users_email_key")).toBe(false);
  expect(isUniqueViolation(refused("23514", "users_email_key"))).toBe(false);
  expect(isUniqueViolation(Object.assign(new Error("none of PostgreSQL's"), { code: "23505" }))).toBe(false);
});

test("only an error of PostgreSQL has a state", () => {
  expect(sqlStateOf(refused("40P01"))).toBe("40P01");
  expect(sqlStateOf(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))).toBeUndefined();
});
