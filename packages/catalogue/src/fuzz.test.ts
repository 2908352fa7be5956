import { throwsOnlyProtocolErrors } from "@metrum/protocols/core";
import { expect, it } from "vitest";
import { catalogueFuzz } from "./fuzz.ts";

it.each(catalogueFuzz)("$name throws nothing but ProtocolError on changed payloads", (target) => {
  expect(target.seeds.length).toBeGreaterThan(1);
  throwsOnlyProtocolErrors(target);
});
