import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import { talk } from "../core/testing/testLine.ts";
import { dlms } from "./driver.ts";
import { aMeter, authentications, device, expectNow, options, shown } from "./testing/testMeter.ts";

describe("client and simulated meter", () => {
  it.each(["hdlc", "wrapper"] as const)(
    "%s: lost requests, lost answers, answers twice: the same readings",
    (transport) => {
      for (const proof of ["lls", "gmac"] as const)
        for (let lost = 2; lost < 14; lost++) {
          // The proof of a key is sent once; without an answer the session has failed.
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
          const replies = [late.last, reply];
          late.last = reply;
          return replies;
        },
      });

      expect(readings).toEqual(expectNow);
    },
  );

  it.each(["none", "lls", "gmac"] as const)(
    "a line in the wrapper carries a model that is read over HDLC elsewhere, with proof %s",
    (proof) => {
      const of = options({ transport: "hdlc", authentication: authentications[proof] });
      // An optical head has no wrapper, and no address on a bus is needed.
      const wrapped = { ...device, insideAddr: "", isWrapped: true, signOn: { evenParity: true } };
      const meter = aMeter(of, {}, wrapped);
      const sent: Uint8Array[] = [];

      const readings = talk(dlms(of).poll({ kind: "now" }, wrapped), {
        receive: (bytes) => (sent.push(bytes), meter.receive(bytes)),
      });

      expect(readings).toEqual(expectNow);
      expect(sent.every(([first, second]) => first === 0 && second === 1)).toBe(true);
      const [named] = dlms(of).explain(sent[0] ?? new Uint8Array(), new Uint8Array()).sent;
      expect(named).toMatchObject({ name: "wrapper_version", value: 1 });
    },
  );

  it("no input from the line makes the meter throw", () => {
    for (const transport of ["hdlc", "wrapper"] as const)
      for (const proof of ["none", "lls", "gmac"] as const) {
        const of = options({ transport, authentication: authentications[proof] });
        const requests: Uint8Array[] = [];
        const meter = aMeter(of);
        talk(dlms(of).poll({ kind: "now" }, device), {
          receive: (bytes) => (requests.push(bytes), meter.receive(bytes)),
        });
        fc.assert(
          fc.property(
            fc.nat(requests.length - 1),
            fc.nat(400),
            fc.nat(255),
            fc.uint8Array({ maxLength: 40 }),
            (which, at, byte, tail) => {
              const changed = Uint8Array.from([...(requests[which] ?? []), ...tail]);
              changed[at % Math.max(1, changed.length)] = byte;
              meter.receive(changed);
            },
          ),
          { numRuns: 150 },
        );
      }
  });
});

describe("a meter behind an optical head", () => {
  const signedOn = (evenParity: boolean) => ({ ...device, signOn: { evenParity } });

  it.each([true, false])(
    "is signed on to by IEC 62056-21 before each connection, and changes to its offered speed (software parity: %s)",
    (evenParity) => {
      const of = options({ authentication: authentications.gmac });
      const own = signedOn(evenParity);
      const meter = aMeter(of, {}, own);
      const requests: string[] = [];

      const readings = talk(dlms(of).poll({ kind: "now" }, own), {
        receive: (bytes) => (requests.push(toHex(bytes)), meter.receive(bytes)),
      });

      expect(readings).toEqual(expectNow);
      const signOn = evenParity ? ["af3f218d0a", "06b235b28d0a"] : ["2f3f210d0a", "063235320d0a"];
      const isSignOn = (text: string) => !text.startsWith("7e");
      // Once for the counter, once for the session.
      expect(requests.filter(isSignOn)).toEqual([...signOn, ...signOn]);
      expect(requests.findLastIndex(isSignOn)).toBeGreaterThan(2);
      expect(meter.baud?.()).toBe(9600);
    },
  );

  it("names the bytes of the sign-on in the log", () => {
    const { sent, received } = dlms(options()).explain(
      new TextEncoder().encode("/?!\r\n"),
      new TextEncoder().encode("/MTR5\\2SIM\r\n"),
    );

    expect(sent[0]?.name).toBe("sign_on");
    expect(received.map(({ name }) => name)).toEqual(["manufacturer", "speed", "device_type"]);
  });

  it("without a binary mode is reported as such", () => {
    const poll = () =>
      talk(dlms(options()).poll({ kind: "now" }, signedOn(false)), {
        receive: (bytes) => [new TextEncoder().encode(bytes[0] === 0x2f ? "/MTR5SIM\r\n" : "\x06050\r\n")],
      });

    expect(poll).toThrow("the meter does not switch to binary mode");
  });
});
