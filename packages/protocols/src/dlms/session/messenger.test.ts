import { expect, it } from "vitest";
import { exceptionError } from "./messenger.ts";

it.each([
  [
    { stateError: 1, serviceError: 2, counter: null },
    "exception: service not supported, service not allowed",
  ],
  [{ stateError: 2, serviceError: 2, counter: null }, "exception: service not supported"],
  [
    { stateError: 2, serviceError: 6, counter: 900 },
    "exception: invocation counter too low, the meter counts from 900",
  ],
  [{ stateError: 2, serviceError: 77, counter: null }, "exception: service error 77"],
])(
  "an exception response says its state, its reason and the counter the meter wants: %j",
  (response, message) => {
    expect(exceptionError({ type: "exceptionResponse", ...response })).toMatchObject({
      message,
      detail: response.serviceError,
    });
  },
);
