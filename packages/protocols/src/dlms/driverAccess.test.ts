import { describe, expect, it } from "vitest";
import type { DeviceAddress, IdentifyAs } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { failureOf, talk } from "../core/testing/testLine.ts";
import { decodeApdu, encodeApdu } from "./apdu/apdu.ts";
import { dlms } from "./driver.ts";
import { parseHdlc, withoutLlc } from "./link/hdlc.ts";
import { aMeter, authentications, device, expectNow, options } from "./testing/testMeter.ts";
import type { Apdu } from "./types.ts";
import { encodeWrapper, parseWrapper } from "./link/wrapper.ts";

describe("client and simulated meter", () => {
  it("a wrong password or key is refused with the diagnostic, and missing keys at once", () => {
    const gmac = options({ authentication: authentications.gmac });
    const wrongKeys = { ...device, keys: { encryption: "11".repeat(16), authentication: "22".repeat(16) } };

    const wrong = failureOf(() =>
      talk(dlms(options()).poll({ kind: "now" }, { ...device, password: "x" }), aMeter(options())),
    );
    const keys = failureOf(() => talk(dlms(gmac).poll({ kind: "now" }, wrongKeys), aMeter(gmac)));
    const none = failureOf(() =>
      talk(dlms(gmac).poll({ kind: "now" }, { insideAddr: "17", deviceID: "1" }), aMeter(gmac)),
    );

    expect(wrong).toMatchObject({ kind: "bad_password", detail: 13 });
    expect(keys).toMatchObject({ name: "ProtocolError" });
    expect(none).toMatchObject({ kind: "bad_password" });
  });

  it("the public client gets the serial number without a password; the firmware needs one", () => {
    const of = options({ authentication: authentications.lls });
    const meter = aMeter(of);
    const ask = (device_: DeviceAddress, as: IdentifyAs) => {
      const dialogue = dlms(of).identify?.(device_, as);
      return dialogue && talk(dialogue, meter);
    };
    const { password: _, ...stranger } = device;

    expect(ask(stranger, "open")).toEqual({ serial: "41200042" });
    expect(ask(device, "own")).toEqual({ serial: "41200042", version: "1.0.7" });
    expect(() => ask(stranger, "own")).toThrow(ProtocolError);
  });

  it("a meter that does not prove its key is not trusted", () => {
    const of = options({ authentication: authentications.gmac, transport: "wrapper" });
    const other = aMeter(of, {}, { ...device, keys: { ...device.keys, authentication: "33".repeat(16) } });

    const failure = failureOf(() => talk(dlms(of).poll({ kind: "now" }, device), other));

    expect(failure).toMatchObject({ kind: "bad_password" });
  });

  it.each(["hdlc", "wrapper"] as const)(
    "%s: a ciphered association is released by a protected request, and by no other",
    (transport) => {
      const of = options({ authentication: authentications.gmac, transport });
      const meter = aMeter(of);
      const released: Apdu[] = [];
      const answered: Apdu[] = [];
      const apduOf = (bytes: Uint8Array): Apdu | undefined => {
        const payload =
          transport === "wrapper" ? parseWrapper(bytes).payload : withoutLlc(parseHdlc(bytes).information);
        return payload[0] === 0x62 || payload[0] === 0x63 ? decodeApdu(payload) : undefined;
      };
      const receive = (bytes: Uint8Array): Uint8Array[] => {
        const replies = [...meter.receive(bytes)];
        const request = apduOf(bytes);
        if (request?.type !== "rlrq") return replies;
        released.push(request);
        answered.push(...replies.flatMap((reply) => apduOf(reply) ?? []));
        return replies;
      };

      expect(talk(dlms(of).poll({ kind: "now" }, device), { receive })).toEqual(expectNow);

      // The public client has read the counter before, in an association without keys.
      expect(released).toMatchObject([
        { type: "rlrq", userInformation: null },
        { type: "rlrq", reason: 0, userInformation: { type: "glo", security: { isEncrypted: true } } },
      ]);
      expect(answered.map(({ type }) => type)).toEqual(["rlre", "rlre"]);
    },
  );

  it("a plain release leaves a ciphered association as it is", () => {
    const of = options({ authentication: authentications.gmac, transport: "wrapper" });
    const meter = aMeter(of);
    const ask = (apdu: Apdu): Apdu | undefined => {
      const [reply] = meter.receive(
        encodeWrapper({ source: of.client, destination: 1, payload: encodeApdu(apdu) }),
      );
      return reply && decodeApdu(parseWrapper(reply).payload);
    };
    let plain: Apdu | undefined;
    const receive = (bytes: Uint8Array): Uint8Array[] => {
      const { source, payload } = parseWrapper(bytes);
      if (source === of.client && payload[0] === 0x62)
        plain = ask({ type: "rlrq", reason: 0, userInformation: null });
      return meter.receive(bytes);
    };

    expect(talk(dlms(of).poll({ kind: "now" }, device), { receive })).toEqual(expectNow);
    expect(plain).toMatchObject({ type: "exceptionResponse" });
  });

  it("invocation counters begin above the meter's own and never repeat; a repeated one is refused", () => {
    const of = options({ authentication: authentications.gmac, transport: "wrapper" });
    const meter = aMeter(of, { counter: 500 });
    const reserved: number[] = [];

    talk(dlms(of).poll({ kind: "now" }, device), meter, { reserved });
    talk(dlms(of).poll({ kind: "now" }, device), meter, { reserved });
    const stale = dlms({ ...of, authentication: { kind: "gmac" } });
    const failure = failureOf(() => talk(stale.poll({ kind: "now" }, device), meter));

    expect(reserved[0]).toBe(501);
    expect(reserved[1]).toBeGreaterThan(501);
    expect(failure).toMatchObject({ name: "ProtocolError" });
  });
});
