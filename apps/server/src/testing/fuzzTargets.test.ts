import { mutate, ProtocolError, randomFrom } from "@metrum/protocols";
import { expect, it } from "vitest";
import { serverFuzz } from "./fuzzTargets.ts";

/** The long form is `npm run bench -- fuzz`. */
const frames = 500;

it.each(serverFuzz)("$name throws nothing but ProtocolError on changed bytes", ({ seeds, decode }) => {
  const random = randomFrom(20_261_122);

  for (const seed of seeds) expect(() => decode(seed)).not.toThrow();
  for (let n = 0; n < frames; n++) {
    const bytes = mutate(seeds, random);
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw new Error(`on ${bytes.join()}`, { cause: error });
    }
  }
});

it("a number that its factor makes too large is refused, with its path", () => {
  const mapping = serverFuzz.find(({ name }) => name === "mapping");
  const body = new TextEncoder().encode(
    `{"ms":1795323600000,"data":{"name":"A-7","energy":[{"kwh":1e308}]}} `,
  );

  expect(() => mapping?.decode(body)).toThrow("data.energy[0].kwh is too large");
});
