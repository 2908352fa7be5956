import { mutate, ProtocolError, randomFrom } from "@metrum/protocols";
import { expect, it } from "vitest";
import { catalogueFuzz } from "./fuzz.ts";

/** The long form is `npm run bench -- fuzz`. */
const frames = 300;

it.each(catalogueFuzz)("$name throws nothing but ProtocolError on changed payloads", ({ seeds, decode }) => {
  const random = randomFrom(20_261_122);

  expect(seeds.length).toBeGreaterThan(1);
  for (let n = 0; n < frames; n++) {
    const bytes = mutate(seeds, random);
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw new Error(`on ${bytes.join()}`, { cause: error });
    }
  }
});
