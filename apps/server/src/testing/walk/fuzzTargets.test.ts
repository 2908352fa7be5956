import { throwsOnlyProtocolErrors } from "@metrum/protocols/core";
import { expect, it } from "vitest";
import { serverFuzz } from "./fuzzTargets.ts";

it.each(serverFuzz)("$name throws nothing but ProtocolError on changed bytes", (target) => {
  for (const seed of target.seeds) expect(() => target.decode(seed)).not.toThrow();
  throwsOnlyProtocolErrors(target);
});

it("a number that overflows by its factor is refused, with its path", () => {
  const mapping = serverFuzz.find(({ name }) => name === "mapping");
  const body = new TextEncoder().encode(
    `{"ms":1795323600000,"data":{"name":"A-7","energy":[{"kwh":1e308}]}} `,
  );

  expect(() => mapping?.decode(body)).toThrow("data.energy[0].kwh is too large");
});
