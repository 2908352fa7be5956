import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import type { DecodedValue } from "../../core/reading.ts";
import { encodeApdu } from "./apdu.ts";
import { cipherApdu } from "./apduCiphered.ts";
import { decodeDlmsApdu } from "../decode/decode.ts";
import { decodeDlmsHdlc } from "../decode/decodeHdlc.ts";
import { encodeHdlc, llc } from "../link/hdlc.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { Aare, Apdu, DlmsData } from "../types.ts";

const row = (name: string, value: DecodedValue["value"], words?: string): DecodedValue =>
  words === undefined ? { name, value, unit: "" } : { name, value, unit: "", function: words };
const invoke = { id: 5, isConfirmed: true, isHighPriority: true };
const attribute = { classId: 3, obis: "1.0.1.8.0.255", attribute: 2 };
const method = { classId: 70, obis: "0.0.96.3.10.255", method: 1 };
const byte: DlmsData = { type: "uint8", value: 7 };
const [object, called] = ["class 3, 1.0.1.8.0.255, attribute 2", "class 70, 0.0.96.3.10.255, method 1"];
const block = { isLast: true, blockNumber: 3, data: fromHex("aabb") };
const blockRows = [row("block", 3), row("isLastBlock", true), row("part", "aabb")];
const one = { attribute, access: null };
const byteRow = (name: string) => row(name, 7, "uint8");

const messages: readonly (readonly [apdu: Apdu, rows: readonly DecodedValue[]])[] = [
  [{ type: "getRequest", invoke, ...one }, [row("object", object)]],
  [
    { type: "getRequest", invoke, attribute, access: { selector: 2, parameters: byte } },
    [row("object", object), byteRow("access")],
  ],
  [{ type: "getRequestNext", invoke, blockNumber: 3 }, [row("block", 3)]],
  [{ type: "getRequestList", invoke, requests: [one, one] }, [row("object", object), row("object", object)]],
  [{ type: "getResponse", invoke, result: { kind: "data", value: byte } }, [byteRow("value")]],
  [
    {
      type: "getResponseList",
      invoke,
      results: [
        { kind: "error", code: 3 },
        { kind: "data", value: byte },
      ],
    },
    [row("result", 3, "read-write-denied"), byteRow("value")],
  ],
  [{ type: "getResponseBlock", invoke, ...block }, blockRows],
  [
    { type: "getResponseBlockError", invoke, isLast: true, blockNumber: 3, error: 14 },
    [row("result", 14, "data-block-unavailable"), row("block", 3), row("isLastBlock", true)],
  ],
  [{ type: "setRequest", invoke, ...one, value: byte }, [row("object", object), byteRow("value")]],
  [{ type: "setRequest", invoke, ...one, value: null }, [row("object", object)]],
  [{ type: "setRequestFirstBlock", invoke, ...one, block }, [row("object", object), ...blockRows]],
  [
    { type: "setRequestList", invoke, requests: [one], values: [byte] },
    [row("object", object), byteRow("value")],
  ],
  [{ type: "setResponse", invoke, result: 0 }, [row("result", 0, "success")]],
  [{ type: "setResponseBlock", invoke, blockNumber: 3 }, [row("block", 3)]],
  [
    { type: "setResponseLastBlock", invoke, result: 4, blockNumber: 3 },
    [row("result", 4, "object-undefined"), row("block", 3)],
  ],
  [
    { type: "setResponseLastBlockList", invoke, results: [1, 2], blockNumber: 3 },
    [row("result", 1, "hardware-fault"), row("result", 2, "temporary-failure"), row("block", 3)],
  ],
  [{ type: "setResponseList", invoke, results: [99] }, [row("result", 99)]],
  [
    { type: "actionRequest", invoke, method, parameters: byte },
    [row("object", called), byteRow("parameters")],
  ],
  [{ type: "actionRequest", invoke, method, parameters: null }, [row("object", called)]],
  [
    { type: "actionRequestList", invoke, methods: [method], parameters: [byte, byte] },
    [row("object", called), byteRow("parameters"), byteRow("parameters")],
  ],
  [{ type: "actionRequestBlock", invoke, block }, blockRows],
  [
    { type: "actionResponse", invoke, result: 15, returned: { kind: "data", value: byte } },
    [row("result", 15, "long-action-aborted"), byteRow("value")],
  ],
  [
    { type: "actionResponseList", invoke, results: [{ result: 16, returned: null }] },
    [row("result", 16, "no-long-action-in-progress")],
  ],
  [{ type: "rlrq", reason: 0, userInformation: null }, [row("reason", 0)]],
  [{ type: "rlre", reason: null, userInformation: null }, [row("reason", null)]],
  [
    { type: "eventNotification", time: null, attribute, value: byte },
    [row("object", object), byteRow("value")],
  ],
  [
    { type: "exceptionResponse", stateError: 1, serviceError: 6, counter: 9 },
    [row("exception", 6, "invocation-counter-error"), row("stateError", 1), row("counter", 9)],
  ],
  [
    { type: "exceptionResponse", stateError: 2, serviceError: 9, counter: null },
    [row("exception", 9), row("stateError", 2)],
  ],
  [
    {
      type: "generalBlockTransfer",
      isLast: true,
      isStreaming: false,
      window: 1,
      blockNumber: 2,
      acknowledged: 0,
      data: fromHex("aabb"),
    },
    [row("block", 2), row("part", "aabb")],
  ],
  [
    { type: "confirmedServiceError", service: 1, errorClass: 6, error: 2 },
    [row("exception", "service 1, class 6"), row("error", 2)],
  ],
  [
    {
      type: "initiateResponse",
      qualityOfService: null,
      version: 6,
      conformance: new Set(["get", "set"]),
      maxPdu: 500,
      vaaName: 7,
    },
    [row("dlmsVersion", 6), row("conformance", "get set"), row("maxPdu", 500)],
  ],
];

describe("a message that is decoded", () => {
  it.each(messages)("%o has its parts as rows", (apdu, rows) => {
    expect(decodeDlmsApdu(encodeApdu(apdu))).toEqual({
      protocol: "dlms-apdu",
      device: { message: apdu.type },
      readings: rows,
      warnings: [],
    });
  });

  const aare: Aare = {
    type: "aare",
    context: 1,
    systemTitle: fromHex("4d54520000000001"),
    hasAuthentication: true,
    mechanism: 5,
    authenticationValue: fromHex("31"),
    userInformation: { type: "confirmedServiceError", service: 1, errorClass: 6, error: 2 },
    other: [],
    result: 1,
    diagnosticSource: "user",
    diagnostic: 13,
  };

  it("of an association has its result, its parts and what is inside, and not the secret", () => {
    const { result: _, diagnostic: _diagnostic, diagnosticSource: _source, ...common } = aare;
    const shared = [
      row("applicationContext", 1),
      row("authenticationMechanism", 5),
      row("hasAuthenticationValue", true),
    ];
    const inside = [row("exception", "service 1, class 6"), row("error", 2)];

    expect(decodeDlmsApdu(encodeApdu(aare))).toMatchObject({
      device: { message: "aare", systemTitle: "4d54520000000001", manufacturer: "MTR" },
      readings: [
        row("result", 1, "rejected-permanent"),
        row("diagnostic", 13, "authentication-failure"),
        ...[...shared, ...inside],
      ],
    });
    expect(decodeDlmsApdu(encodeApdu({ ...common, type: "aarq" })).readings).toEqual([...shared, ...inside]);
    const bare = { ...aare, systemTitle: fromHex("0000000000000001"), userInformation: null };
    expect(decodeDlmsApdu(encodeApdu({ ...bare, mechanism: null, authenticationValue: null }))).toEqual({
      protocol: "dlms-apdu",
      device: { message: "aare", systemTitle: "0000000000000001" },
      readings: [
        ...[row("result", 1, "rejected-permanent"), row("diagnostic", 13, "authentication-failure")],
        ...[row("applicationContext", 1), row("authenticationMechanism", 0)],
        row("hasAuthenticationValue", false),
      ],
      warnings: [],
    });
    expect(decodeDlmsApdu(encodeApdu({ ...bare, systemTitle: null })).device).toEqual({ message: "aare" });
  });

  const wordsOf = (apdu: Apdu, name: string) =>
    decodeDlmsApdu(encodeApdu(apdu)).readings.find((each) => each.name === name)?.function;

  /** Source: Green Book 9.5, Data-Access-Result. */
  it.each([
    [0, "success"],
    [1, "hardware-fault"],
    [2, "temporary-failure"],
    [3, "read-write-denied"],
    [4, "object-undefined"],
    [9, "object-class-inconsistent"],
    [11, "object-unavailable"],
    [12, "type-unmatched"],
    [13, "scope-of-access-violated"],
    [14, "data-block-unavailable"],
    [15, "long-get-aborted"],
    [16, "no-long-get-in-progress"],
    [17, "long-set-aborted"],
    [18, "no-long-set-in-progress"],
    [19, "data-block-number-invalid"],
    [250, "other-reason"],
  ])("with the result %i says %s", (code, words) => {
    expect(wordsOf({ type: "setResponse", invoke, result: code }, "result")).toBe(words);
  });

  /** Source: Green Book 9.4.2: association-result, acse-service-user. */
  it.each([
    [0, "accepted", 0, "null"],
    [1, "rejected-permanent", 1, "no-reason-given"],
    [2, "rejected-transient", 2, "application-context-name-not-supported"],
    [0, "accepted", 3, "calling-AP-title-not-recognized"],
    [0, "accepted", 4, "calling-AP-invocation-identifier-not-recognized"],
    [0, "accepted", 5, "calling-AE-qualifier-not-recognized"],
    [0, "accepted", 6, "calling-AE-invocation-identifier-not-recognized"],
    [0, "accepted", 7, "called-AP-title-not-recognized"],
    [0, "accepted", 8, "called-AP-invocation-identifier-not-recognized"],
    [0, "accepted", 9, "called-AE-qualifier-not-recognized"],
    [0, "accepted", 10, "called-AE-invocation-identifier-not-recognized"],
    [0, "accepted", 11, "authentication-mechanism-name-not-recognised"],
    [0, "accepted", 12, "authentication-mechanism-name-required"],
    [0, "accepted", 13, "authentication-failure"],
    [0, "accepted", 14, "authentication-required"],
  ])("of an association with %i is %s, with the diagnostic %i %s", (result, words, diagnostic, why) => {
    const apdu = { ...aare, result, diagnostic };

    expect([wordsOf(apdu, "result"), wordsOf(apdu, "diagnostic")]).toEqual([words, why]);
  });

  /** Source: Green Book 9.5, Exception-Response. */
  it.each([
    [1, "operation-not-possible"],
    [2, "service-not-supported"],
    [3, "other-reason"],
    [4, "pdu-too-long"],
    [5, "deciphering-error"],
  ])("with the service error %i says %s", (serviceError, words) => {
    expect(
      wordsOf({ type: "exceptionResponse", stateError: 1, serviceError, counter: null }, "exception"),
    ).toBe(words);
  });

  it("has a header of the link or none, and says what is behind it", () => {
    const trace: Span[] = [];
    const decoded = decodeDlmsApdu(fromHex("e6e700 c401c5001107 aabb"), { trace });

    expect(decoded).toMatchObject({ readings: [{ value: 7 }], warnings: ["2 bytes after the message"] });
    expect(partsOf(trace).filter((each) => /llc|after/.test(each))).toEqual(["3 llc", "2 after_message"]);
  });
});

describe("a protected message that is decoded", () => {
  const keys = {
    encryptionKey: "000102030405060708090a0b0c0d0e0f",
    authenticationKey: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
  };
  const title = fromHex("4d54520000000001");
  const of = (
    suite: number,
    isEncrypted: boolean,
    isAuthenticated = true,
    type: "glo" | "generalGlo" = "generalGlo",
    plain = "c401c5001107",
  ) => {
    const size = suite === 2 ? 2 : 1;
    const security = { suite, isEncrypted, isAuthenticated, isBroadcastKey: false, isCompressed: false };
    const context = {
      encryptionKey: fromHex(keys.encryptionKey.repeat(size)),
      authenticationKey: fromHex(keys.authenticationKey.repeat(size)),
      systemTitle: title,
    };
    return encodeApdu(cipherApdu(fromHex(plain), type, { context, security, counter: 9 }));
  };
  const both = keys.encryptionKey + keys.authenticationKey;
  const unchecked = ["the authentication tag was not checked: no authentication key"];
  const seven = [byteRow("value")];
  const device = {
    ...{ message: "getResponse", systemTitle: "4d54520000000001", manufacturer: "MTR" },
    ...{ invocationCounter: 9, securitySuite: 0 },
  };

  it("with its keys is what is inside, and its header", () => {
    expect(decodeDlmsApdu(of(0, true), { key: both })).toEqual({
      protocol: "dlms-apdu",
      device,
      readings: seven,
      warnings: [],
    });
    expect(decodeDlmsApdu(of(1, true), { key: both }).device).toMatchObject({ securitySuite: 1 });
    expect(decodeDlmsApdu(of(0, true), { key: keys.encryptionKey })).toMatchObject({
      ...{ readings: seven, warnings: unchecked },
    });
    expect(decodeDlmsApdu(of(2, true), { key: keys.encryptionKey.repeat(2) })).toMatchObject({
      ...{ readings: seven, warnings: unchecked },
    });
    expect(decodeDlmsApdu(of(0, true, false), { key: keys.encryptionKey })).toMatchObject({
      ...{ readings: seven, warnings: [] },
    });
  });

  it("is opened in a frame as well, and named there", () => {
    const trace: Span[] = [];
    const bytes = encodeHdlc({
      destination: { upper: 32, lower: null, bytes: 1 },
      source: { upper: 1, lower: 17, bytes: 2 },
      control: { type: "i", send: 0, receive: 1, isFinal: true },
      isSegmented: false,
      information: Uint8Array.of(...llc.fromServer, ...of(0, true)),
    });

    expect(decodeDlmsHdlc(bytes, { key: both, trace })).toMatchObject({
      device: { message: "getResponse", invocationCounter: 9 },
      readings: seven,
    });
    expect(partsOf(trace)).toContain("1 get_response");
    expect(decodeDlmsHdlc(bytes, { key: both }).readings).toEqual(seven);
  });

  it("that is only authenticated is read without a key, and checked with both", () => {
    expect(decodeDlmsApdu(of(0, false))).toMatchObject({ readings: seven, warnings: unchecked });
    expect(decodeDlmsApdu(of(0, false), { key: both })).toMatchObject({ readings: seven, warnings: [] });
    expect(decodeDlmsApdu(of(0, false, true, "glo"))).toMatchObject({ readings: seven });
  });

  it("without the title of its sender needs one, and stays closed without a key", () => {
    const bytes = of(0, true, true, "glo");

    expect(decodeDlmsApdu(bytes, { key: both, systemTitle: toHex(title) })).toMatchObject({
      device: { message: "getResponse", invocationCounter: 9 },
      readings: seven,
    });
    expect(() => decodeDlmsApdu(bytes, { key: both })).toThrow(
      expect.objectContaining({
        kind: "unsupported",
        message: "the message does not carry the system title of its sender",
      }),
    );
    expect(decodeDlmsApdu(bytes)).toMatchObject({
      device: { message: "glo" },
      readings: [row("securitySuite", 0), row("invocationCounter", 9)],
      warnings: ["encrypted: the key is not given"],
    });
    expect(() => decodeDlmsApdu(of(0, true), { key: both.replace("d0", "d1") })).toThrow(
      expect.objectContaining({ kind: "bad_password" }),
    );
  });

  it("is named by what is inside, at its place, and ends with it", () => {
    const trace: Span[] = [];
    decodeDlmsApdu(of(0, true), { key: both, trace });

    expect(partsOf(trace)).toEqual([
      ...["1 message_tag", "1 system_title/length", "8 system_title", "1 protected_part/length"],
      ...["1 security_control", "4 invocation_counter", "1 message_tag", "1 get_response", "1 invoke_id"],
      ...["1 value_or_result", "1 value/type", "1 value", "12 authentication_tag", "0 after_message"],
    ]);
    expect(() => decodeDlmsApdu(of(0, true, true, "generalGlo", "c401c500110700"), { key: both })).toThrow(
      expect.objectContaining({ kind: "unexpected", message: "1 bytes after the protected message" }),
    );
  });
});
