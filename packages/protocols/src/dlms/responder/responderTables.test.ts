import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import type { Manners } from "./meter.ts";
import type { DlmsOptions } from "../options.ts";
import { entryAccess, rangeAccess } from "../apdu/selectiveAccess.ts";
import { aMeter, authentications, day, device, now, options } from "../testing/testMeter.ts";
import { aarq, attributeOf, connected, meter, moment, testInvoke as invoke } from "../testing/testServer.ts";
import type { Aarq, Apdu, DlmsData, SelectiveAccess } from "../types.ts";
import { encodeWrapper, parseWrapper } from "../link/wrapper.ts";

const uint = (value: number): DlmsData => ({ type: "uint32", value });
const octets = (hex: string): DlmsData => ({ type: "octets", value: fromHex(hex) });
const text = (value: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(value) });
const nameOf = (obis: string): DlmsData => ({
  type: "octets",
  value: Uint8Array.from(obis.split(".").map(Number)),
});
const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });
const scale = (scaler: number, unit: number): DlmsData =>
  structure({ type: "int8", value: scaler }, { type: "enum", value: unit });
const column = (classId: number, obis: string, attribute = 2): DlmsData =>
  structure(
    ...[{ type: "uint16", value: classId } as const, nameOf(obis)],
    ...[{ type: "int8", value: attribute } as const, { type: "uint16", value: 0 } as const],
  );
const invalid = { kind: "error", code: 4 } as const;

describe("an association of a simulated meter", () => {
  it("grants what both have, and its own size", () => {
    const granted = (manners: Manners) => meter({}, manners).connect();

    expect(granted({})).toEqual({
      ...{ type: "aare", context: 1, systemTitle: null, hasAuthentication: false, mechanism: null },
      ...{ authenticationValue: null, other: [], result: 0, diagnosticSource: "user", diagnostic: 0 },
      userInformation: {
        ...{ type: "initiateResponse", qualityOfService: null, version: 6, maxPdu: 1024, vaaName: 7 },
        conformance: new Set(["generalProtection", "get", "set", "action"]),
      },
    });
    expect(granted({ maxPdu: 200 })).toMatchObject({ userInformation: { maxPdu: 200 } });
  });

  const error = { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 } as const;

  it.each<[string, Partial<Aarq>, number, number]>([
    ["of a client that it does not know", {}, 33, 1],
    ["without the mechanism", { mechanism: null }, 32, 14],
    ["without a password", { authenticationValue: null }, 32, 14],
    ["with another password", { authenticationValue: fromHex("31") }, 32, 13],
    ["with a longer password", { authenticationValue: new TextEncoder().encode("Gurux1") }, 32, 13],
    [
      "with a password of the same length",
      { authenticationValue: new TextEncoder().encode("Gurus") },
      32,
      13,
    ],
    ["in another context", { context: 2 }, 32, 2],
    ["without a proposal", { userInformation: null }, 32, 2],
    ["with another proposal", { userInformation: error }, 32, 2],
  ])("%s is rejected", (_, changes, client, diagnostic) => {
    const own = meter();

    expect(own.connect(aarq(changes), client)).toMatchObject({
      ...{ type: "aare", result: 1, diagnosticSource: "user", diagnostic, userInformation: error },
    });
    expect(own.get("8 0.0.1.0.0.255 2", null, client)).toBe("exceptionResponse");
  });

  it("by the public client needs no password, and gives what everybody may read", () => {
    const own = meter();
    own.connect(aarq({ mechanism: null, authenticationValue: null }), 16);

    expect(own.get("1 0.0.42.0.0.255 2", null, 16)).toEqual({ kind: "data", value: text("MTR41200042") });
    expect(own.get("1 0.0.96.1.0.255 2", null, 16)).toEqual({ kind: "data", value: text("41200042") });
    expect(own.get("8 0.0.1.0.0.255 2", null, 16)).toEqual({ kind: "data", value: moment(now) });
    expect(own.get("1 1.0.0.2.0.255 2", null, 16)).toEqual({ kind: "error", code: 3 });
    expect(own.set("71 0.0.17.0.0.255 4", uint(1), 16)).toBe(3);
    expect(own.get("8 0.0.1.0.0.255 2", null, 32)).toBe("exceptionResponse");
  });

  it("may need the default password, or none", () => {
    const bare = options({ transport: "wrapper", authentication: { kind: "lls", default: "0000" } });
    const { password: _, ...stranger } = device;
    const ask = (of: DlmsOptions, changes: Partial<Aarq>) => {
      const own = aMeter(of, {}, stranger);
      const [reply] = own.receive(
        encodeWrapper({ source: 32, destination: 1, payload: encodeApdu(aarq(changes)) }),
      );
      return reply && decodeApdu(parseWrapper(reply).payload);
    };

    expect(ask(bare, { authenticationValue: new TextEncoder().encode("0000") })).toMatchObject({ result: 0 });
    expect(
      ask({ ...bare, authentication: { kind: "lls" } }, { authenticationValue: fromHex("") }),
    ).toMatchObject({
      result: 0,
    });
    const none = { mechanism: null, authenticationValue: null };
    expect(ask({ ...bare, authentication: authentications.none }, none)).toMatchObject({ result: 0 });
  });

  it("ends with its release, and requests before or after it are not allowed", () => {
    const own = meter();
    const notAllowed = { type: "exceptionResponse", stateError: 1, serviceError: 1, counter: null };
    const get: Apdu = {
      type: "getRequest",
      invoke,
      attribute: attributeOf("8 0.0.1.0.0.255 2"),
      access: null,
    };
    const release: Apdu = { type: "rlrq", reason: 0, userInformation: null };

    expect(own.ask(get)).toEqual(notAllowed);
    own.connect();
    expect(own.ask(get)).toMatchObject({ type: "getResponse" });
    expect(own.ask(release)).toEqual({ type: "rlre", reason: 0, userInformation: null });
    expect(own.ask(get)).toEqual(notAllowed);
    expect(own.receive(encodeWrapper({ source: 32, destination: 2, payload: encodeApdu(get) }))).toEqual([]);
  });

  it.each<[string, Apdu]>([
    ["an unknown service", { type: "setRequestList", invoke, requests: [], values: [] }],
    ["an answer", { type: "setResponse", invoke, result: 0 }],
  ])("does not support %s", (_, apdu) => {
    expect(connected().ask(apdu)).toEqual({
      ...{ type: "exceptionResponse", stateError: 1, serviceError: 2, counter: null },
    });
  });
});

describe("objects of a simulated meter", () => {
  it.each<[string, DlmsData]>([
    ["3 1.0.1.8.0.255 1", nameOf("1.0.1.8.0.255")],
    ["3 1.0.1.8.0.255 2", uint(15_528_333)],
    ["3 1.0.1.8.0.255 3", scale(0, 30)],
    ["4 1.0.3.8.0.255 2", uint(3_882_083)],
    ["4 1.0.3.8.0.255 3", scale(0, 32)],
    ["3 1.0.1.7.0.255 2", uint(2000)],
    ["3 1.0.32.7.0.255 2", uint(2314)],
    ["3 1.0.32.7.0.255 3", scale(-1, 35)],
    ["5 1.0.31.7.0.255 2", uint(8750)],
    ["5 1.0.31.7.0.255 4", scale(-3, 33)],
    ["3 1.0.14.7.0.255 2", uint(5002)],
    ["3 1.0.14.7.0.255 3", scale(-2, 44)],
    ["3 1.0.1.4.0.255 3", scale(0, 27)],
    ["1 1.0.0.2.0.255 2", text("1.0.7")],
    ["8 0.0.1.0.0.255 3", { type: "int16", value: 0 }],
    ["8 0.0.1.0.0.255 4", { type: "uint8", value: 0 }],
    ["8 0.0.1.0.0.255 8", { type: "bool", value: false }],
    ["70 0.0.96.3.10.255 2", { type: "bool", value: true }],
    ["70 0.0.96.3.10.255 3", { type: "enum", value: 1 }],
    ["70 0.0.96.3.10.255 4", { type: "enum", value: 4 }],
    [
      "71 0.0.17.0.0.255 2",
      structure({ type: "uint16", value: 3 }, nameOf("1.0.1.7.0.255"), { type: "int8", value: 2 }),
    ],
    ["71 0.0.17.0.0.255 3", uint(15_000)],
    ["71 0.0.17.0.0.255 4", uint(15_000)],
    ["71 0.0.17.0.0.255 5", uint(15_000)],
    ["71 0.0.17.0.0.255 6", uint(60)],
    ["71 0.0.17.0.0.255 7", uint(60)],
    [
      "71 0.0.17.0.0.255 11",
      structure(
        structure(nameOf("0.0.10.0.106.255"), { type: "uint16", value: 1 }),
        structure(nameOf("0.0.10.0.106.255"), { type: "uint16", value: 2 }),
      ),
    ],
    ["20 0.0.13.0.0.255 2", text("")],
    ["20 0.0.13.0.0.255 5", { type: "array", items: [] }],
    ["20 0.0.13.0.0.255 6", text("")],
    ["20 0.0.13.0.0.255 9", { type: "array", items: [] }],
    ["20 0.0.13.0.0.255 10", octets("ffffffffffffffffff800000")],
    ["11 0.0.11.0.0.255 2", { type: "array", items: [] }],
  ])("have in %s their value", (key, value) => {
    expect(connected().get(key)).toEqual({ kind: "data", value });
  });

  it.each([
    "1 0.0.96.1.1.255 2",
    "3 1.0.1.8.0.255 4",
    "5 1.0.31.7.0.255 3",
    "4 1.0.1.8.0.255 2",
    "3 1.0.1.4.0.255 2",
    "1 1.0.1.4.0.255 3",
    "7 1.0.99.1.0.255 9",
    "7 1.0.99.9.0.255 2",
    "70 0.0.96.3.10.255 5",
  ])("lack %s", (key) => {
    expect(connected().get(key)).toEqual(invalid);
    expect([connected().read(key), meter().read(key)]).toEqual([undefined, undefined]);
  });

  it("have the scale of the power that is limited, also of a model that does not read it", () => {
    const own = connected({ registers: [] });

    expect(own.get("3 1.0.1.7.0.255 3")).toEqual({ kind: "data", value: scale(0, 27) });
    for (const key of ["3 1.0.2.7.0.255 3", "4 1.0.1.7.0.255 3", "3 1.0.1.7.0.255 2"])
      expect(own.get(key)).toEqual(invalid);
  });

  it("are listed with class and name", () => {
    const list = connected({}, { maxPdu: 0xffff }).read("15 0.0.40.0.0.255 2");
    const items = list?.type === "array" ? list.items : [];
    const names = items.map((each) => {
      const [classId, version, name, rights] = each.type === "structure" ? each.items : [];
      expect([version, rights]).toEqual([
        { type: "uint8", value: 0 },
        structure({ type: "array", items: [] }, { type: "array", items: [] }),
      ]);
      return `${String(classId?.type === "uint16" && classId.value)} ${name?.type === "octets" ? name.value.join(".") : ""}`;
    });

    expect(names).toEqual([
      ...["15 0.0.40.0.0.255", "1 0.0.42.0.0.255", "1 0.0.96.1.0.255", "1 1.0.0.2.0.255", "8 0.0.1.0.0.255"],
      ...["70 0.0.96.3.10.255", "71 0.0.17.0.0.255", "20 0.0.13.0.0.255", "11 0.0.11.0.0.255"],
      ...["3 1.0.1.8.0.255", "3 1.0.1.8.1.255", "4 1.0.3.8.0.255", "3 1.0.1.7.0.255", "3 1.0.32.7.0.255"],
      ...["5 1.0.31.7.0.255", "3 1.0.14.7.0.255", "7 1.0.99.1.0.255", "7 1.0.98.2.0.255"],
      ...["7 0.0.99.98.2.255", "7 0.0.99.98.4.255"],
    ]);
  });

  it("refuse writes of what is read only, missing, of another type, or nothing", () => {
    const own = connected();

    expect(own.set("3 1.0.1.8.0.255 2", uint(1))).toBe(3);
    expect(own.set("1 0.0.96.1.1.255 2", uint(1))).toBe(4);
    expect(own.set("71 0.0.17.0.0.255 4", { type: "uint16", value: 1 })).toBe(12);
    expect(own.set("71 0.0.17.0.0.255 4", null)).toBe(12);
    expect(own.set("8 0.0.1.0.0.255 2", uint(5))).toBe(0);
    expect(own.set("8 0.0.1.0.0.255 2", text("no"))).toBe(12);
    expect(own.set("71 0.0.17.0.0.255 3", uint(1))).toBe(3);
    expect(own.set("20 0.0.13.0.0.255 2", text("x"))).toBe(3);
    expect(own.call("3 1.0.1.8.0.255 1")).toBe(4);
    expect(own.call("8 0.0.1.0.0.255 5")).toBe(4);
  });
});

describe("profiles of a simulated meter", () => {
  const load = "7 1.0.99.1.0.255";
  const range = (from: number, to: number): SelectiveAccess =>
    rangeAccess({
      restricting: { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 },
      ...{ from: moment(from), to: moment(to), columns: [] },
    });
  const entries = (fromEntry: number, toEntry: number) =>
    entryAccess({ fromEntry, toEntry, fromColumn: 1, toColumn: 0 });
  const last = now - (now % 1800);
  const rowsOf = (value: DlmsData | undefined) => (value && "items" in value ? value.items : []);
  const row = (at: number, value: number) => structure(moment(at), uint(value));

  it("have their columns, period, sorting and number of rows", () => {
    const own = connected();

    expect(own.read(`${load} 3`)).toEqual({
      type: "array",
      items: [column(8, "0.0.1.0.0.255"), column(3, "1.0.1.4.0.255")],
    });
    expect([4, 5, 7, 8].map((at) => own.read(`${load} ${String(at)}`))).toEqual([
      ...[uint(1800), { type: "enum", value: 1 }, uint(4000), uint(4000)],
    ]);
    expect(own.read(`${load} 6`)).toEqual(
      structure(
        ...[{ type: "uint16", value: 0 } as const, nameOf("0.0.0.0.0.0")],
        ...[{ type: "int8", value: 0 } as const, { type: "uint16", value: 0 } as const],
      ),
    );
    expect(own.read("7 1.0.98.2.0.255 4")).toEqual(uint(day));
    expect(connected({}, { capturePeriod: 60 }).read(`${load} 4`)).toEqual(uint(60));
  });

  it("keep ends of intervals, chosen by time, both ends included, or by place", () => {
    const own = connected();

    expect(rowsOf(own.read(`${load} 2`, range(last - 1800, last)))).toEqual([
      row(last - 1800, 2000),
      row(last, 2000),
    ]);
    expect(rowsOf(own.read(`${load} 2`, range(last - 1799, last - 1)))).toEqual([]);
    expect(rowsOf(own.read(`${load} 2`, entries(3999, 4000)))).toEqual([
      row(last - 1800, 2000),
      row(last, 2000),
    ]);
    expect(rowsOf(own.read(`${load} 2`, entries(4000, 0)))).toEqual([row(last, 2000)]);
    expect(rowsOf(own.read(`${load} 2`, entries(1, 1)))).toEqual([row(last - 3999 * 1800, 2000)]);
  });

  it("may be sparse, or compact", () => {
    const two = range(last - 1800, last);
    const sparse = connected({}, { rows: "sparse" }).read(`${load} 2`, two);
    const compact = connected({}, { rows: "compact" }).read(`${load} 2`, two);
    const counters = connected({}, { rows: "sparse" }).read("7 1.0.98.2.0.255 2", entries(3999, 4000));

    expect(rowsOf(sparse)).toEqual([row(last - 1800, 2000), structure({ type: "null" }, { type: "null" })]);
    expect(compact).toEqual({
      type: "compactArray",
      description: {
        kind: "structure",
        of: [
          { kind: "simple", tag: 9 },
          { kind: "simple", tag: 6 },
        ],
      },
      items: [row(last - 1800, 2000), row(last, 2000)],
    });
    expect(connected({}, { rows: "compact" }).read(`${load} 2`, range(0, 1))).toEqual({
      type: "array",
      items: [],
    });
    expect(rowsOf(counters)[1]).toMatchObject({ items: [{ type: "null" }, { type: "uint32" }] });
  });

  it("are journals of events as well, by time or by place", () => {
    const journal = "7 0.0.99.98.2.255";
    const events = [1, 2, 3].map((code) => ({ journal: "0.0.99.98.2.255", at: now - 300 + code * 60, code }));
    const own = connected({}, { events: [...events, { journal: "0.0.99.98.4.255", at: now, code: 9 }] });
    const codes = (access: SelectiveAccess | null) =>
      rowsOf(own.read(`${journal} 2`, access)).map((each) => rowsOf(each)[1]);
    const word = (value: number): DlmsData => ({ type: "uint16", value });

    expect(codes(null)).toEqual([word(1), word(2), word(3)]);
    expect(codes(range(now - 180, now - 120))).toEqual([word(2), word(3)]);
    expect(codes(range(now - 179, now - 121))).toEqual([]);
    expect(codes(entries(2, 2))).toEqual([word(2)]);
    expect(codes(entries(2, 0))).toEqual([word(2), word(3)]);
    expect(rowsOf(own.read(`${journal} 2`, entries(1, 1)))[0]).toEqual(structure(moment(now - 240), word(1)));
    expect(own.read(`${journal} 3`)).toEqual({
      type: "array",
      items: [column(8, "0.0.1.0.0.255"), column(1, "0.0.96.11.2.255")],
    });
    expect([4, 7, 8].map((at) => own.read(`${journal} ${String(at)}`))).toEqual([
      uint(0),
      uint(3),
      uint(256),
    ]);
  });
});
