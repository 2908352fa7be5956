import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { cipherApdu, decipherApdu } from "../apdu/apduCiphered.ts";
import { fullSecurity } from "../session/cipher.ts";
import { encodeHdlc, parseHdlc } from "../link/hdlc.ts";
import { hdlcControlName } from "../link/hdlcControl.ts";
import { hdlcParametersBytes, parseHdlcParameters } from "../link/hdlcParameters.ts";
import { gmacAnswer } from "../session/security.ts";
import { aMeter, authentications, device, now, options } from "../testing/testMeter.ts";
import { aarq, attributeOf, meter, moment, testInvoke as invoke } from "../testing/testServer.ts";
import type { Apdu, CipheredApdu, DlmsData } from "../types.ts";
import type { HdlcControl, HdlcFrame } from "../link/frames.ts";

const uint = (value: number): DlmsData => ({ type: "uint32", value });
const clock = "8 0.0.1.0.0.255";
const exception = (stateError: number, serviceError: number, counter: number | null = null) => ({
  ...{ type: "exceptionResponse", stateError, serviceError, counter },
});

describe("a simulated meter with keys", () => {
  const title = fromHex("4d54520000000001");
  const keys = {
    encryptionKey: fromHex(device.keys?.encryption ?? ""),
    authenticationKey: fromHex(device.keys?.authentication ?? ""),
  };
  const context = { ...keys, systemTitle: title };
  const meterTitle = fromHex("53494d000274a9aa");
  const challenge = fromHex("0102030405060708");
  const sealed = (apdu: Apdu, counter: number, type: CipheredApdu["type"] = "glo"): CipheredApdu =>
    cipherApdu(encodeApdu(apdu), type, { context, security: fullSecurity, counter });
  const proposal = (counter: number, changes: object = {}) => ({
    ...aarq({ context: 3, systemTitle: title, mechanism: 5, authenticationValue: challenge }),
    userInformation: sealed(aarq().userInformation ?? aarq(), counter),
    ...changes,
  });
  const opened = (apdu: Apdu | undefined): Apdu | undefined =>
    apdu?.type === "glo" || apdu?.type === "generalGlo"
      ? decodeApdu(decipherApdu(apdu, { ...keys, systemTitle: meterTitle }))
      : apdu;
  const proof = (ours: Uint8Array, counter: number): Apdu => ({
    type: "actionRequest",
    invoke,
    method: { classId: 15, obis: "0.0.40.0.0.255", method: 1 },
    parameters: { type: "octets", value: gmacAnswer(ours, { context, counter }) },
  });
  const get: Apdu = { type: "getRequest", invoke, attribute: attributeOf(`${clock} 2`), access: null };
  const own = () => meter({ authentication: authentications.gmac }, { counter: 5 });

  it("proves itself, and answers in the form of the request, with its own numbers", () => {
    const { ask } = own();
    const aare = ask(proposal(6));
    const ours = aare?.type === "aare" ? aare.authenticationValue : null;

    expect(aare).toMatchObject({
      ...{ context: 3, systemTitle: meterTitle, hasAuthentication: true, mechanism: 5, result: 0 },
      ...{ diagnosticSource: "user", diagnostic: 14, userInformation: { type: "glo", counter: 2 } },
    });
    expect(ours).toHaveLength(16);
    expect(ask(sealed(get, 7))).toEqual(exception(1, 1));
    const proven = ask(sealed(proof(ours ?? challenge, 8), 8));
    expect(opened(proven)).toMatchObject({
      result: 0,
      returned: {
        kind: "data",
        value: {
          value: gmacAnswer(challenge, { context: { ...keys, systemTitle: meterTitle }, counter: 3 }),
        },
      },
    });
    const plain = ask(sealed(get, 9));
    const general = ask(sealed(get, 10, "generalGlo"));
    expect([plain, general]).toMatchObject([
      { type: "glo", counter: 5 },
      { type: "generalGlo", counter: 6, systemTitle: meterTitle },
    ]);
    expect(opened(general)).toEqual({
      type: "getResponse",
      invoke,
      result: { kind: "data", value: moment(now) },
    });
    expect(ask(sealed(get, 10))).toEqual(exception(2, 6, 11));
    expect(ask({ ...sealed(get, 11), counter: 12 })).toEqual(exception(2, 5));
    expect(ask(get)).toEqual(exception(1, 1));
    expect(ask(sealed(get, 12), 33)).toEqual(exception(1, 1));
  });

  it.each<[string, object, number]>([
    ["another mechanism", { mechanism: 1 }, 14],
    ["another context", { context: 1 }, 13],
    ["a short title", { systemTitle: fromHex("4d5452") }, 13],
    ["no title", { systemTitle: null }, 13],
    ["no challenge", { authenticationValue: null }, 13],
    ["an open proposal", { userInformation: aarq().userInformation }, 13],
    ["a number that was used", { userInformation: sealed(aarq().userInformation ?? aarq(), 5) }, 13],
    ["another message inside", { userInformation: sealed(get, 6) }, 13],
  ])("rejects %s", (_, changes, diagnostic) => {
    expect(own().ask(proposal(6, changes))).toMatchObject({ type: "aare", result: 1, diagnostic });
  });

  it("does not take a wrong proof, nor a release in the open", () => {
    const { ask } = own();
    const aare = ask(proposal(6));
    const ours = (aare?.type === "aare" ? aare.authenticationValue : null) ?? challenge;
    const release: Apdu = { type: "rlrq", reason: 0, userInformation: null };

    const other = { ...proof(ours, 7), method: { classId: 15, obis: "0.0.40.0.0.255", method: 2 } } as Apdu;
    expect(ask(sealed(other, 7))).toEqual(exception(1, 1));
    const object = { ...proof(ours, 8), method: { classId: 8, obis: "0.0.40.0.0.255", method: 1 } } as Apdu;
    expect(ask(sealed(object, 8))).toEqual(exception(1, 1));
    const wrong = ask(sealed(proof(challenge, 9), 9));
    expect(opened(wrong)).toMatchObject({ type: "actionResponse", result: 3, returned: null });
    expect(opened(ask(sealed({ ...proof(ours, 8), parameters: null } as Apdu, 10)))).toMatchObject({
      result: 3,
    });
    expect(opened(ask(sealed(proof(ours, 11), 11)))).toMatchObject({ result: 0 });
    expect(ask(release)).toEqual(exception(1, 1));
    expect(ask({ ...release, userInformation: sealed(get, 11) })).toEqual(exception(1, 1));
    expect(opened(ask(sealed(get, 12)))).toMatchObject({ type: "getResponse" });
    expect(ask({ ...release, userInformation: sealed(get, 13, "generalGlo") })).toMatchObject({
      type: "rlre",
    });
    expect(ask(sealed(get, 14))).toEqual(exception(1, 1));
  });

  it("tells the public client the highest number that it has heard", () => {
    const { ask } = own();
    ask(proposal(77));
    const counter = attributeOf("1 0.0.43.1.0.255 2");
    ask(aarq({ mechanism: null, authenticationValue: null }), 16);

    expect(ask({ type: "getRequest", invoke, attribute: counter, access: null }, 16)).toMatchObject({
      result: { kind: "data", value: uint(77) },
    });
  });
});

describe("a simulated meter behind HDLC", () => {
  const server = { upper: 1, lower: 17, bytes: 4 } as const;
  const frame = (control: HdlcControl, information = "", changes: Partial<HdlcFrame> = {}) =>
    encodeHdlc({
      ...{ destination: server, source: { upper: 32, lower: null, bytes: 1 }, control },
      ...{ isSegmented: false, information: fromHex(information), ...changes },
    });
  const side = (maxInfo?: number) => {
    const own = aMeter(options(), maxInfo === undefined ? {} : { maxInfo });
    return (bytes: Uint8Array) =>
      own.receive(bytes).map((each) => {
        const { control, information, isSegmented } = parseHdlc(each);
        return `${hdlcControlName(control)} ${toHex(information)}${isSegmented ? " …" : ""}`;
      });
  };
  const snrm = (maxInfoRx?: number) =>
    frame(
      { type: "snrm", isFinal: true },
      maxInfoRx === undefined
        ? ""
        : toHex(hdlcParametersBytes({ maxInfoTx: 99, maxInfoRx, windowTx: 7, windowRx: 7 })),
    );
  const ready = (receive: number) => frame({ type: "rr", receive, isFinal: true });
  const told = (send: number, receive: number, hex: string, isSegmented = false) =>
    frame({ type: "i", send, receive, isFinal: true }, hex, { isSegmented });
  const request = `e6e600${toHex(encodeApdu(aarq()))}`;

  it.each([
    [undefined, undefined, 128, 128],
    [undefined, 64, 64, 128],
    [undefined, 300, 128, 128],
    [200, 300, 200, 200],
  ])("of frames of %s grants a client of %s: it sends %i, and takes %i", (maxInfo, asked, tx, rx) => {
    const [ua = ""] = side(maxInfo)(snrm(asked));

    expect(ua.slice(0, 5)).toBe("UA F ");
    expect(parseHdlcParameters(fromHex(ua.slice(5)))).toEqual({
      maxInfoTx: tx,
      maxInfoRx: rx,
      windowTx: 1,
      windowRx: 1,
    });
  });

  it("answers DM without a connection, nothing to others, and ends it by DISC", () => {
    const ask = side();
    const disc = frame({ type: "disc", isFinal: true });

    expect([ask(ready(0)), ask(disc), ask(frame({ type: "ua", isFinal: true }))]).toEqual([
      ["DM F "],
      ["DM F "],
      [],
    ]);
    expect(
      ask(frame({ type: "snrm", isFinal: true }, "", { destination: { ...server, lower: 18 } })),
    ).toEqual([]);
    const broken = snrm().with(-2, 0).with(-3, 0);
    expect(ask(broken)).toEqual([]);
    expect(ask(snrm())).toHaveLength(1);
    expect(ask(frame({ type: "rnr", receive: 0, isFinal: true }))).toEqual([]);
    expect(ask(ready(0))).toEqual(["RR N(R)=0 F "]);
    expect([ask(disc), ask(disc)]).toEqual([["UA F "], ["DM F "]]);
    const both = Uint8Array.of(0, ...snrm(), ...ready(0));
    expect([ask(both.subarray(0, 9)), ask(both.subarray(9))]).toMatchObject([[], { length: 2 }]);
  });

  it("answers in parts, each of which is acknowledged, and again what is not", () => {
    const ask = side(32);
    ask(snrm(32));
    const [first = ""] = ask(told(0, 0, request));

    expect(first).toMatch(/^I N\(S\)=0 N\(R\)=1 F e6e70061.* …$/);
    expect([ask(told(0, 0, request)), ask(ready(0))]).toEqual([[first], [first]]);
    const [second = ""] = ask(ready(1));
    expect(second).toMatch(/^I N\(S\)=1 N\(R\)=1 F [0-9a-f]+$/);
    expect(ask(ready(1))).toEqual([second]);
    expect(ask(ready(2))).toEqual(["RR N(R)=1 F "]);
    expect(ask(told(5, 2, "e6e600"))).toEqual(["RR N(R)=1 F "]);
  });

  it("takes a request in parts, and begins anew with each connection", () => {
    const ask = side();
    ask(snrm());

    expect(ask(told(0, 0, request.slice(0, 20), true))).toEqual(["RR N(R)=1 F "]);
    expect(ask(told(1, 0, request.slice(20)))[0]).toMatch(/^I N\(S\)=0 N\(R\)=2 F e6e70061/);
    ask(snrm());
    expect(
      ask(told(0, 0, `e6e600${toHex(encodeApdu({ type: "getRequestNext", invoke, blockNumber: 1 }))}`)),
    ).toEqual(["I N(S)=0 N(R)=1 F e6e700d80101"]);
  });
});
