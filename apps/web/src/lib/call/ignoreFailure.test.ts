import { CancelledError } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { ApiError } from "./apiError.ts";
import { ignoreFailure } from "./ignoreFailure.ts";

test.each([
  new ApiError({ status: 422, code: "wrong_input", msg: null }),
  new TypeError("Failed to fetch"),
  new TypeError("NetworkError when attempting to fetch resource."),
  new SyntaxError("Unexpected token < in JSON"),
  new DOMException("denied", "SecurityError"),
  new CancelledError(),
])("a failure outside of the program is ignored: %s", async (failure) => {
  expect(await Promise.reject<string>(failure).catch(ignoreFailure)).toBeUndefined();
});

test.each([
  new TypeError("Cannot read properties of undefined (reading 'id')"),
  new ReferenceError("a is not defined"),
  new RangeError("Invalid time value"),
  new Error("no record"),
])("a bug is thrown on: %s", async (bug) => {
  await expect(Promise.reject(bug).catch(ignoreFailure)).rejects.toBe(bug);
});
