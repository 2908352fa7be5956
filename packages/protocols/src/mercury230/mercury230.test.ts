import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import { converse } from "../core/fuzz/replay.ts";
import { decodeMercury230, explainMercury } from "./decode.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame, matchAnswer } from "./frame.ts";
import { mercuryFuzz } from "./seeds.ts";
import { addressOf, passwordBytes } from "./session.ts";
import { device, errorOf, full, meter, now, poll } from "./testMeter.ts";
import { codeOf } from "../core/spans.ts";

const none = (): never => {
  throw new Error("the driver does not ask who it is");
};

describe("a trace", () => {
  it("names the content of a request, and the readable part of a damaged answer", () => {
    const unframed = fromHex("000816118f8a".slice(0, 8));
    const request = closeFrame(0, unframed.subarray(1));
    const answer = closeFrame(0, fromHex("0059e4"));

    const { sent, received } = explainMercury(request, answer.with(-1, 0));

    expect(sent.map(({ name }) => name)).toEqual([
      "device_address",
      "code_read_parameter",
      "parameter_momentary_values",
      "quantity_voltage",
      "crc",
    ]);
    expect(received.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(answer.length);
    expect(received.some(({ name }) => codeOf(name) === "undecoded")).toBe(true);
  });
});

describe("a poll of a Mercury 230", () => {
  it("reads counters by tariff and momentary values with their direction", () => {
    const [counters, states] = poll({ kind: "now" });

    expect(counters).toMatchObject({ msgType: 1, at: null, meterAt: now });
    expect(counters?.values).toMatchObject({ tariff0: 27, tariff4: 27, tariff_reactive_negative0: 45 });
    expect(states?.values).toMatchObject({
      power_active: -1.5,
      voltage3: 28,
      cos0: 0.95,
      Frequency: 29,
      coruu2: 26,
    });
  });

  it("is found without a password, and then returns number and firmware", () => {
    const sent: string[] = [];
    const real = meter(full, device);
    const responder: Responder = {
      receive: (bytes) => (sent.push(toHex(bytes.subarray(1, -2))), real.receive(bytes)),
    };
    const driver = mercury230(full);

    expect(
      converse(driver.identify?.({ insideAddr: "0", deviceID: "" }, "open") ?? none(), responder),
    ).toEqual({});
    expect(sent).toEqual(["00"]);
    expect(converse(driver.identify?.(device, "own") ?? none(), responder)).toEqual({
      serial: "00412023",
      version: "9.0.2",
    });
  });

  it("omits counters that the meter does not keep", () => {
    const [counters] = poll({ kind: "now" }, { tariffs: 2 });

    expect(Object.keys(counters?.values ?? {})).toEqual(["tariff0", "tariff1", "tariff2"]);
  });

  it("omits momentary values that the meter does not have", () => {
    const real = meter();
    const old: Responder = {
      receive: (bytes) =>
        toHex(bytes).startsWith("17081651") ? [closeFrame(23, Uint8Array.of(1))] : real.receive(bytes),
    };

    const [, states] = poll({ kind: "now" }, full, old);

    expect(Object.keys(states?.values ?? {})).not.toContain("coruu1");
    expect(states?.values).toHaveProperty("power_apparent");
  });

  it("reopens the channel once if the meter has closed it", () => {
    let at = now;
    const real = meter(full, device, () => at);
    let count = 0;
    const sleepy: Responder = {
      receive: (bytes) => {
        if (++count === 4) at += 300;
        return real.receive(bytes);
      },
    };

    expect(poll({ kind: "now" }, full, sleepy)).toHaveLength(2);
  });

  it("gives up when the channel stays closed", () => {
    const closed: Responder = {
      receive: (bytes) => [closeFrame(23, Uint8Array.of(bytes[1] === 1 || bytes[1] === 2 ? 0 : 5))],
    };

    expect(errorOf(() => poll({ kind: "now" }, full, closed))).toMatchObject({ kind: "refused", detail: 5 });
  });

  it("reports a wrong password as such and ignores other addresses", () => {
    const wrong = { ...device, password: "222222" };

    expect(errorOf(() => converse(mercury230().poll({ kind: "now" }, wrong), meter()))?.kind).toBe(
      "bad_password",
    );
    expect(
      errorOf(() => converse(mercury230().poll({ kind: "now" }, { ...device, insideAddr: "24" }), meter()))
        ?.kind,
    ).toBe("timeout");
  });

  it("closes the channel after a failure", () => {
    const seen: number[] = [];
    const failing: Responder = {
      receive: (bytes) => {
        seen.push(bytes[1] ?? -1);
        return [closeFrame(23, Uint8Array.of(bytes[1] === 4 ? 2 : 0))];
      },
    };

    expect(errorOf(() => poll({ kind: "now" }, full, failing))).toMatchObject({ kind: "refused", detail: 2 });
    expect(seen).toEqual([1, 4, 2]);
  });
});

describe("address and password", () => {
  it("come from the serial number if no address was entered", () => {
    const from = (deviceID: string) => addressOf({ insideAddr: "", deviceID });

    expect([from("00412023"), from("41202300"), from("12345245"), from("12345300")]).toEqual([23, 1, 45, 1]);
    expect(errorOf(() => addressOf({ insideAddr: "240", deviceID: "1" }))?.kind).toBe("unexpected");
  });

  it("are numbers, characters or bytes as configured in the meter", () => {
    expect(toHex(passwordBytes(undefined, 1, false))).toBe("010101010101");
    expect(toHex(passwordBytes("", 2, true))).toBe("323232323232");
    expect(toHex(passwordBytes("12ab34", 1, false))).toBe("010261620304");
    expect(toHex(passwordBytes("313131313131", 1, false))).toBe("313131313131");
    expect(errorOf(() => passwordBytes("123", 1, false))?.kind).toBe("unexpected");
  });
});

describe("an answer of a Mercury 230", () => {
  it("is complete at its expected length, or as a status", () => {
    const match = matchAnswer(0, 9);
    const data = fromHex("0000E45900CB5900735AA4FE");

    expect(match(data.subarray(0, 5))).toEqual({ state: "more" });
    expect(match(data)).toEqual({ state: "frame", length: 12 });
    expect(match(fromHex("000001B0"))).toEqual({ state: "frame", length: 4 });
    expect(errorOf(() => match(data.map((byte, at) => (at === 3 ? byte ^ 1 : byte))))?.kind).toBe("checksum");
    expect(errorOf(() => matchAnswer(7, 9)(data))?.kind).toBe("unexpected");
  });

  it("decodes without its request as far as its length permits", () => {
    const energy = fromHex("00BC004E61FFFFFFFF2300CECAFFFFFFFF120C");

    expect(decodeMercury230({ response: energy }).readings.map(({ value }) => value)).toEqual([
      12_345_678,
      null,
      2_345_678,
      null,
    ]);
    expect(decodeMercury230({ response: fromHex("000086132389") }).readings).toEqual([
      { name: "data", value: "008613", unit: "" },
    ]);
    expect(decodeMercury230({ response: closeFrame(1, Uint8Array.of(5)) }).readings).toEqual([
      { name: "status", value: 5, unit: "", function: "channel not open" },
    ]);
  });

  it("whose password is masked in the log is still explained, its check field as not checked", () => {
    const covered = fromHex("002a2a2a2a2a2a2a2a7781");

    const { sent } = explainMercury(covered, new Uint8Array());

    expect(sent.map(({ offset, bytes, name, value }) => [offset, bytes, name, value])).toEqual([
      [0, 1, "device_address", 0],
      [1, 1, "code_open_the_channel", null],
      [2, 1, "level", null],
      [3, 6, "password", null],
      [9, 2, { code: "crc", isUnchecked: true }, 0x8177],
    ]);
    expect(() => decodeMercury230({ request: covered })).toThrow(
      expect.objectContaining({ kind: "checksum" }),
    );
    const damaged = explainMercury(covered.with(1, 5), new Uint8Array()).sent;
    expect(damaged.at(-1)?.name).toEqual({ code: "crc", isUnchecked: true });
  });

  it("is named byte by byte, without showing the password", () => {
    const { sent, received } = explainMercury(fromHex("0001010101010101017781"), fromHex("000001B0"));

    expect(sent.map(({ name, value }) => [name, value])).toEqual([
      ["device_address", 0],
      ["code_open_the_channel", 1],
      ["level", 1],
      ["password", null],
      ["crc", 0x8177],
    ]);
    expect(received.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
    expect(explainMercury(Uint8Array.of(), fromHex("0102")).received).toHaveLength(1);
  });

  it("throws nothing but ProtocolError on changed bytes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...mercuryFuzz.seeds),
        fc.array(fc.nat(), { maxLength: 6 }),
        (seed, changes) => {
          const bytes = Uint8Array.from(seed);
          for (const change of changes) bytes[change % bytes.length] = change >> 8;

          errorOf(() => mercuryFuzz.decode(bytes));
        },
      ),
    );
  });
});
