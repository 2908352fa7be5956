import { fieldFault } from "@metrum/contract/core";
import { expect, test } from "vitest";
import { faultWords } from "./reply.ts";

test("TRUST-028 a number in a message has the decimal mark of its language", () => {
  const fault = fieldFault("reading_below", { before: 221_609.13 });

  expect(faultWords(fault, "ru")).toBe("меньше предыдущего показания 221609,13");
  expect(faultWords(fault, "en")).toBe("below the reading before it, 221609.13");
  expect(faultWords(fault, "mn")).toBe("өмнөх 221609.13 заалтаас бага");
});
