import { describe, expect, it } from "vitest";
import type { Conversation, Responder } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { converse } from "../core/fuzz/replay.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { iec62056, iecLineOf } from "./driver.ts";
import { commandBlock, dataBlock } from "./message.ts";
import type { IecOptions } from "./options.ts";
import { bytesOf, textOf } from "./text.ts";

const device: DeviceAddress = { insideAddr: "", deviceID: "12345678" };
const identification = "/MTR5SIM\r\n";
const p0 = textOf(commandBlock("P0", "(1)"));
const data = (text: string) => textOf(dataBlock(text));

/** A dialogue with these answers in turn, then silence. */
function answered<Result>(dialogue: Conversation<Result>, ...answers: string[]): Result {
  const left = [...answers];
  const meter: Responder = { receive: () => left.splice(0, 1).map(bytesOf) };
  return converse(dialogue, meter);
}

const options: IecOptions = {
  ...{ access: "readout", manufacturer: "MTR", type: "SIM" },
  rows: [
    { obis: "1.8.0", field: "tariff0", isBilled: true },
    { obis: "32.7.0", field: "voltage1" },
  ],
};
const programmed = (password?: string): IecOptions => ({
  ...options,
  access: { reads: ["1.8.0()", "32.7.0(1)", "9.9.9()"], ...(password === undefined ? {} : { password }) },
});

describe("a model", () => {
  it("has its archives, secrets and passwords", () => {
    expect(iec62056(options)).toMatchObject({ kind: "line", protocol: "iec62056-21", archives: [] });
    expect(iec62056(options)).not.toHaveProperty("secrets");
    expect(iec62056(options)).not.toHaveProperty("factoryPasswords");
    expect(iec62056({ ...options, billing: { stamp: "0.1.2" } }).archives).toEqual([
      { msgType: 103, period: "month", depthSec: 15 * 31 * 86_400 },
    ]);
    expect(iec62056(programmed()).secrets).toHaveProperty("password");
    expect(iec62056(programmed())).not.toHaveProperty("factoryPasswords");
    expect(iec62056(programmed("77")).factoryPasswords).toEqual([bytesOf("77")]);
  });

  it("takes 32 characters as a password, without those that frame it", () => {
    const form = iec62056(programmed()).secrets?.["password"];
    const takes = (text: string) => form instanceof RegExp && form.test(text);

    expect(["1", "a B-7", "x".repeat(32)].filter(takes)).toHaveLength(3);
    expect(["", "x".repeat(33), "a(b", "a)b", "a/b", "a!b", "é", "a\n"].filter(takes)).toEqual([]);
  });

  it("has the line of its device, else its own", () => {
    const own = { fixedBaud: 300, evenParity: true, check: "sum", hasBareErrors: true } as const;

    expect(iecLineOf({ ...device, insideAddr: " 12 " }, {})).toStrictEqual({ address: "12" });
    expect(iecLineOf({ ...device, fixedBaud: 2400 }, own)).toEqual({ ...own, address: "", fixedBaud: 2400 });
    expect(iecLineOf(device, { fixedBaud: 300 })).toStrictEqual({ address: "", fixedBaud: 300 });
    expect(iecLineOf({ ...device, insideAddr: "x".repeat(32) }, {}).address).toHaveLength(32);
    for (const insideAddr of ["x".repeat(33), "1/2", "1!", "?", "é"])
      expect(refusalOf(() => iecLineOf({ ...device, insideAddr }, {}))?.kind, insideAddr).toBe("unexpected");
  });

  it("names a meter by its maker and type, of which the version is behind a v", () => {
    const name = (type: string) => {
      const dialogue = iec62056(options).identify?.(device, "open");
      return dialogue && answered(dialogue, `/MTR5${type}\r\n`, p0);
    };

    expect(name("CE301v11")).toEqual({ name: "MTR CE301v11", version: "11" });
    expect(name("X V. 2.10")).toEqual({ name: "MTR X V. 2.10", version: "2.10" });
    expect(name("SIM")).toEqual({ name: "MTR SIM" });
    expect(name("")).toEqual({ name: "MTR" });
  });
});

describe("a poll", () => {
  const poll = (of: IecOptions, ...answers: string[]) =>
    answered(iec62056(of).poll({ kind: "now" }, device), identification, ...answers);
  const first = (...answers: string[]) => poll(programmed(), p0, ...answers)[0];

  it("reads what was requested; an answer without an address belongs to the request", () => {
    expect(poll(programmed(), p0, data("1.8.0(5)"), data("(230)"), data("9.9.9(1)"))).toEqual([
      { msgType: 1, at: null, values: { tariff0: 5 } },
      { msgType: 2, at: null, values: { voltage1: 230 } },
    ]);
    const command = iec62056(options).commands.now_value;
    expect(command && answered(command(device), identification, data("1.8.0(5)"))).toHaveLength(1);
  });

  it("warns of what is not there or refused", () => {
    expect(first(data("1.8.0(5)"), data("x(1)"), data("(ERR12)"))?.warnings).toEqual([
      "not in the answer of the meter: 32.7.0 [1] (voltage1)",
      "refused by the meter: 9.9.9 (the meter says (ERR12))",
    ]);
    expect(first(data("1.8.0(5)"), data("(ERR01)"), data("9.9.9(1)"))?.warnings).toEqual([
      "refused by the meter: 32.7.0 (the meter says (ERR01))",
    ]);
    expect(poll(options, data("1.8.0(5)\r\nx\r\n!\r\n"))).toEqual([
      {
        ...{ msgType: 1, at: null, values: { tariff0: 5 } },
        warnings: ["a line is left out: text without brackets at byte 11"],
      },
    ]);
  });

  it("is refused if all is refused, or another thing is answered", () => {
    const failed = (...answers: string[]) => {
      try {
        first(...answers);
      } catch (error) {
        return error;
      }
      return undefined;
    };

    expect(failed(data("(ERR01)"), data("(ERR02)"), data("(ERR03)"))).toMatchObject({
      ...{ kind: "refused", detail: 1 },
    });
    for (const answers of [
      [data("x(1)"), data("x(1)"), data("x(1)")],
      [data("1.8.0(5)"), textOf(commandBlock("P0"))],
      [data("1.8.0(5")],
    ])
      expect(failed(...answers)).toMatchObject({ kind: "unexpected" });
  });

  it("has the archive of its months only, from one time to before the other", () => {
    const billed = { ...options, billing: { stamp: "0.1.2" } };
    const lines = data("1.8.0(5)\r\n1.8.0*01(1)\r\n0.1.2*01(261101)\r\n");
    const archive = (msgType: 101 | 103, from: number, to: number, of: IecOptions = billed) =>
      answered(iec62056(of).poll({ kind: "archive", msgType, from, to }, device), identification, lines);
    const november = Date.UTC(2026, 10, 1) / 1000;

    expect(archive(103, november, november + 1)).toEqual([
      { msgType: 103, at: november, meterAt: november, values: { tariff0: 1 } },
    ]);
    expect([archive(103, 0, november), archive(103, november + 1, 4e9)]).toEqual([[], []]);
    expect(refusalOf(() => archive(101, 0, 4e9))?.kind).toBe("unsupported");
    expect(refusalOf(() => archive(103, 0, 4e9, options))?.kind).toBe("unsupported");
    expect(poll(billed, lines)).toHaveLength(1);
  });
});
