import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { requirePortProfiles } from "../devicePorts.ts";
import { noiseFilter } from "./identity.ts";
import { modemProfile } from "./profiles.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (given: Uint8Array) => String.fromCharCode(...given);

describe("profiles of modems", () => {
  it.each([
    ["line", { prefix: "LOGIN:" }, "LOGIN:1001\r\n", "1001"],
    ["line", { end: "\0" }, "AA-17\0", "AA-17"],
    ["iccid", {}, "8937204016180020911", undefined],
    ["iccid", {}, "8937204016180020911\r", "8937204016180020911"],
    ["iccid", {}, "89372040161800209112", "89372040161800209112"],
    ["text", { length: "8" }, "MODEM-07rest", "MODEM-07"],
    ["hex", { length: "4" }, "\x01\xab\xff\x00", "01abff00"],
    ["pattern", { match: "^@DTU:\\d+:(\\w+)#" }, "@DTU:0012:K77#", "K77"],
  ])("%s %j find the name of %j", (name, options, sent, id) => {
    const { identify } = modemProfile(name, options);

    const found = identify(bytes(sent));

    expect(found.state === "known" ? found.id : undefined).toBe(id);
  });

  it("decide the same however the first bytes are split", () => {
    const { identify } = modemProfile("line", { prefix: "LOGIN:", end: "\r\n" });
    for (let cut = 0; cut < "LOGIN:1001\r".length; cut++)
      expect(identify(bytes("LOGIN:1001\r".slice(0, cut))).state).toBe("more");
  });

  it("end a connection with an invalid identifier", () => {
    expect(modemProfile("line").identify(bytes("\x01\x02\n")).state).toBe("wrong");
    expect(modemProfile("line").identify(new Uint8Array(256)).state).toBe("wrong");
  });

  it("never throw, whatever is received", () => {
    const profiles = [
      modemProfile("imei"),
      modemProfile("iccid"),
      modemProfile("line"),
      modemProfile("hex", { length: "6" }),
      modemProfile("pattern", { match: "id=(\\w+);" }),
    ];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (given) => {
        for (const { identify } of profiles) identify(given);
      }),
    );
  });

  it("answer with a greeting and remove heartbeats, prefixes and repeated identifiers, also joined and split", () => {
    const profile = modemProfile("line", {
      prefix: "LOGIN:",
      greeting: "OK {id}\r\n",
      heartbeat: "PING%|\xff\xff\xfe\xfe",
      packet: "<{id}>",
    });
    const filter = noiseFilter(profile.noise("1001"));

    const out = ["\x10PI", "NG%\x40LOGIN:10", "01\n<100", "1>data\xff\xff", "\xfe\xfe\x16"].map((part) =>
      text(filter.push(bytes(part))),
    );

    expect(text(profile.greeting?.("1001") ?? new Uint8Array(0))).toBe("OK 1001\r\n");
    expect(out.join("") + text(filter.flush())).toBe("\x10\x40data\x16");
  });

  it("leave a short identifier in the data, because it may be data", () => {
    expect(modemProfile("text", { length: "4" }).noise("1001")).toEqual([]);
  });

  it("report their errors", () => {
    expect(() => modemProfile("wire")).toThrow(/"wire" is none of imei, iccid/);
    expect(() => modemProfile("imei", { end: "x" })).toThrow(/no option "end"/);
    expect(() => modemProfile("hex")).toThrow(/length/);
    expect(() => modemProfile("pattern", { match: "(" })).toThrow(/regular expression/);
    expect(() => modemProfile("imei", { keepalive: "soon" })).toThrow(/keepalive/);
  });

  it("are configured by METRUM_MODEM_PORTS, with bytes in percent encoding", () => {
    const { modemPorts } = readConfig({
      METRUM_MODEM_PORTS: "7001:imei,7002:line;prefix=LOGIN%3A;end=%0D%0A;keepalive=120",
    });

    expect(modemPorts).toEqual([
      { port: 7001, profile: "imei", options: {} },
      { port: 7002, profile: "line", options: { prefix: "LOGIN:", end: "\r\n", keepalive: "120" } },
    ]);
    expect(() => readConfig({ METRUM_MODEM_PORTS: "7002:line;prefix" })).toThrow(/METRUM_MODEM_PORTS/);
  });

  it("stop a start before anything is made where one cannot be used", () => {
    const check = (env: Record<string, string>) => () => requirePortProfiles(readConfig(env));

    expect(check({ METRUM_MODEM_PORTS: "7001:imei,7002:wire" })).toThrow(
      /METRUM_MODEM_PORTS: profile "wire" is none of/,
    );
    expect(check({ METRUM_UDP_PORTS: "7001:source;fport=256" })).toThrow(/METRUM_UDP_PORTS: fport/);
    expect(check({ METRUM_MODEM_PORTS: "7001:imei", METRUM_UDP_PORTS: "7001:source" })).not.toThrow();
  });
});
