import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addressBounds } from "@metrum/contract/accounting";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog, systemClock } from "#core";
import { createAddressServices } from "./service.ts";

let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.end("[]");
});
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => void server.close());

const { perMinute } = addressBounds;
const keptSec = 600;

/** Searches of a company for new texts, at once; one for the last text of all; or time that passes. */
type Step =
  | { readonly company: number; readonly texts: number }
  | { readonly company: number; readonly again: true }
  | { readonly passedSec: number };

const companies = fc.constantFrom(1, 2);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ company: companies, texts: fc.constantFrom(1, perMinute - 1, perMinute, perMinute + 1) }),
    fc.record({ company: companies, again: fc.constant(true as const) }),
    fc.record({ passedSec: fc.constantFrom(1, 59, 60, keptSec - 1, keptSec) }),
  ),
  { minLength: 2, maxLength: 9 },
);

it("TREE-020 a company asks at most so often in a minute, others and what is remembered do not count", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 0, max: 59 }), async (given, startSec) => {
      asked = 0;
      let now = 1_790_035_200 + startSec;
      const { maps } = createAddressServices({
        config: {
          addressService: {
            kind: "nominatim",
            url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
            key: "",
          },
          addressRegister: undefined,
        },
        clock: { ...systemClock, now: () => now, nowMs: () => now * 1000 },
        log: createLog("silent"),
      });
      const searches: { readonly company: number; readonly minute: number }[] = [];
      const answeredAt = new Map<string, number>();
      let last = "text 0";
      let expectedAsked = 0;
      let next = 0;

      const search = async (company: number, text: string): Promise<void> => {
        last = text;
        const at = answeredAt.get(text);
        const isKnown = at !== undefined && now - at < keptSec;
        const minute = Math.floor(now / 60);
        const before = searches.filter((each) => each.company === company && each.minute === minute).length;
        if (!isKnown) searches.push({ company, minute });
        const isReached = isKnown || before < perMinute;
        if (!isKnown && isReached) {
          answeredAt.set(text, now);
          expectedAsked += 1;
        }
        expect((await maps.ask(company, { text, language: "en" })).is_reached).toBe(isReached);
      };

      for (const step of given) {
        if ("passedSec" in step) now += step.passedSec;
        else if ("again" in step) await search(step.company, last);
        else
          await Promise.all(Array.from({ length: step.texts }, () => search(step.company, `text ${next++}`)));
      }
      expect(asked).toBe(expectedAsked);
    }),
    { numRuns: 40 },
  );
});
