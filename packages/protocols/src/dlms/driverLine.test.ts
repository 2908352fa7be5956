import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dlms } from "./driver.ts";
import { aMeter, authentications, device, expectNow, options, shown, talk } from "./testMeter.ts";

describe("client and simulated meter", () => {
  it.each(["hdlc", "wrapper"] as const)(
    "%s: lost requests, lost answers, answers twice: the same readings",
    (transport) => {
      for (const proof of ["lls", "gmac"] as const)
        for (let lost = 2; lost < 14; lost++) {
          // The proof of a key is given once; without an answer the session has failed.
          if (transport === "wrapper" && proof === "gmac" && lost === 5) continue;
          const of = options({ transport, authentication: authentications[proof] });
          const poll = () => dlms(of).poll({ kind: "now" }, device);

          const requests = talk(poll(), aMeter(of), { loseRequest: (n) => n === lost });
          const answers = talk(poll(), aMeter(of), { spoil: (reply, n) => (n === lost ? [] : [reply]) });
          const doubled = talk(poll(), aMeter(of), { spoil: (reply) => [reply, reply] });

          for (const each of [requests, answers, doubled])
            expect(each.map(({ values }) => values)).toEqual([shown.counters, shown.moments]);
        }
    },
  );

  it.each(["hdlc", "wrapper"] as const)(
    "%s: the answer before, coming late, is never taken for ours",
    (transport) => {
      const of = options({ transport, listSize: 1 });
      const late: { last: Uint8Array } = { last: new Uint8Array() };

      const readings = talk(dlms(of).poll({ kind: "now" }, device), aMeter(of), {
        spoil: (reply) => {
          const heard = [late.last, reply];
          late.last = reply;
          return heard;
        },
      });

      expect(readings).toEqual(expectNow);
    },
  );

  it("nothing on the line makes the meter throw", () => {
    for (const transport of ["hdlc", "wrapper"] as const)
      for (const proof of ["none", "lls", "gmac"] as const) {
        const of = options({ transport, authentication: authentications[proof] });
        const said: Uint8Array[] = [];
        const meter = aMeter(of);
        talk(dlms(of).poll({ kind: "now" }, device), {
          receive: (bytes) => (said.push(bytes), meter.receive(bytes)),
        });
        fc.assert(
          fc.property(
            fc.nat(said.length - 1),
            fc.nat(400),
            fc.nat(255),
            fc.uint8Array({ maxLength: 40 }),
            (which, at, byte, tail) => {
              const changed = Uint8Array.from([...(said[which] ?? []), ...tail]);
              changed[at % Math.max(1, changed.length)] = byte;
              meter.receive(changed);
            },
          ),
          { numRuns: 150 },
        );
      }
  });
});
