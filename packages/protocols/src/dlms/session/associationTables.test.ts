import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { conformanceBlock, parseConformance } from "../apdu/conformance.ts";
import { decodeDlmsApdu } from "../decode/decode.ts";
import { explainDlmsApdu } from "../decode/explain.ts";
import { apduTagName, protectedTag, protectionOfTag } from "../apdu/tags.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { Aare, Aarq, Apdu, ConformanceBit, InitiateRequest, InitiateResponse } from "../types.ts";

/** Source: Green Book 9.4.6.1; bit 0 is the first of 24. */
const bits: readonly (readonly [bit: number, name: ConformanceBit])[] = [
  [1, "generalProtection"],
  [2, "generalBlockTransfer"],
  [3, "read"],
  [4, "write"],
  [5, "unconfirmedWrite"],
  [6, "deltaValueEncoding"],
  [8, "attribute0Set"],
  [9, "priorityManagement"],
  [10, "attribute0Get"],
  [11, "blockTransferGet"],
  [12, "blockTransferSet"],
  [13, "blockTransferAction"],
  [14, "multipleReferences"],
  [15, "informationReport"],
  [16, "dataNotification"],
  [17, "access"],
  [18, "parameterizedAccess"],
  [19, "get"],
  [20, "set"],
  [21, "selectiveAccess"],
  [22, "eventNotification"],
  [23, "action"],
];

describe("a conformance block", () => {
  it.each(bits)("has in bit %i: %s", (bit, name) => {
    const block = 2 ** (23 - bit);

    expect([...parseConformance(block)]).toEqual([name]);
    expect(conformanceBlock(new Set([name]))).toBe(block);
  });

  it("keeps no bit that is reserved", () => {
    expect([...parseConformance(0x810000)]).toEqual([]);
    expect(parseConformance(0xffffff).size).toBe(22);
    expect(conformanceBlock(new Set(bits.map(([, name]) => name)))).toBe(0x7effff);
  });
});

const request: InitiateRequest = {
  type: "initiateRequest",
  dedicatedKey: null,
  isResponseAllowed: true,
  qualityOfService: null,
  version: 6,
  conformance: new Set(["get", "set", "action"]),
  maxPdu: 0x04b0,
};
const response: InitiateResponse = {
  type: "initiateResponse",
  qualityOfService: null,
  version: 6,
  conformance: new Set(["get"]),
  maxPdu: 0x01f4,
  vaaName: 7,
};

const conformanceParts = [
  ...["1 conformance/tag", "1 conformance/tag", "1 conformance/length"],
  ...["1 conformance/unused_bits", "3 conformance"],
];
const versionParts = ["1 dlms_version", ...conformanceParts];
const quality = "1 quality_of_service/presence";

/** Source: Green Book 9.4.4, 9.5. */
const initiates: readonly (readonly [hex: string, apdu: Apdu, parts: readonly string[]])[] = [
  [
    "01 00 00 00 06 5f1f0400 000019 04b0",
    request,
    [
      ...["1 message_tag", "1 dedicated_key/presence", "1 response_allowed/presence", quality],
      ...[...versionParts, "2 client_message"],
    ],
  ],
  [
    "01 01 02 aabb 01 00 01 fe 06 5f1f0400 000019 04b0",
    { ...request, dedicatedKey: fromHex("aabb"), isResponseAllowed: false, qualityOfService: -2 },
    [
      ...["1 message_tag", "1 dedicated_key/presence", "1 dedicated_key/length", "2 dedicated_key"],
      ...["1 response_allowed/presence", "1 response_allowed", quality, "1 quality_of_service"],
      ...[...versionParts, "2 client_message"],
    ],
  ],
  [
    "08 00 06 5f1f0400 000010 01f4 0007",
    response,
    ["1 message_tag", quality, ...versionParts, "2 server_message", "2 vaa_name"],
  ],
  [
    "08 01 03 06 5f1f0400 000010 01f4 0007",
    { ...response, qualityOfService: 3 },
    [
      ...["1 message_tag", quality, "1 quality_of_service"],
      ...[...versionParts, "2 server_message", "2 vaa_name"],
    ],
  ],
  [
    "0e 01 06 02",
    { type: "confirmedServiceError", service: 1, errorClass: 6, error: 2 },
    ["1 message_tag", "1 service", "1 error_class", "1 initiate_error"],
  ],
];

const context = "a109 0607 60857405080101";
const contextParts = [
  ...["1 element/tag", "1 element/length", "1 context/tag", "1 context/length", "7 object_id"],
];
const user = ["1 element/tag", "1 element/length", "1 user_information/tag", "1 user_information/length"];
const bare = {
  context: 1,
  systemTitle: null,
  hasAuthentication: false,
  mechanism: null,
  authenticationValue: null,
  userInformation: null,
  other: [],
} as const;
const aarq: Aarq = { type: "aarq", ...bare };
const aare: Aare = { type: "aare", ...bare, result: 0, diagnosticSource: "user", diagnostic: 0 };
const title = fromHex("4d54520000000001");
const proven = { systemTitle: title, hasAuthentication: true, mechanism: 5 } as const;
const resultParts = [
  ...["1 element/tag", "1 element/length", "1 result/tag", "1 result/length", "1 result"],
  ...["1 element/tag", "1 element/length", "1 diagnostic_source/tag", "1 diagnostic_source/length"],
  ...["1 diagnostic/tag", "1 diagnostic/length", "1 diagnostic"],
];
const provenParts = [
  ...["1 element/tag", "1 element/length", "1 system_title/tag", "1 system_title/length", "8 system_title"],
  ...["1 element/tag", "1 element/length", "2 acse_requirements"],
  ...["1 element/tag", "1 element/length", "7 object_id"],
  ...["1 element/tag", "1 element/length", "1 secret/tag", "1 secret/length", "4 password_or_challenge"],
];

/** Source: Green Book 9.4.2, ISO/IEC 8650-1. */
const associations: readonly (readonly [hex: string, apdu: Apdu, parts: readonly string[]])[] = [
  [`60 0b ${context}`, aarq, ["1 message_tag", "1 aarq/length", ...contextParts]],
  [
    `60 3e ${context} a60a 0408 4d54520000000001 8a02 0780 8b07 60857405080205 ac06 8004 61626364 be10 040e 01 00 00 00 06 5f1f0400 000019 04b0`,
    { ...aarq, ...proven, authenticationValue: fromHex("61626364"), userInformation: request },
    [
      ...["1 message_tag", "1 aarq/length", ...contextParts, ...provenParts, ...user, "1 message_tag"],
      ...["1 dedicated_key/presence", "1 response_allowed/presence", quality],
      ...[...versionParts, "2 client_message"],
    ],
  ],
  [
    `61 17 ${context} a203 0201 02 a305 a203 0201 01`,
    { ...aare, result: 2, diagnosticSource: "provider", diagnostic: 1 },
    ["1 message_tag", "1 aare/length", ...contextParts, ...resultParts],
  ],
  [
    `61 4a ${context} a203 0201 00 a305 a103 0201 0e a40a 0408 4d54520000000001 8802 0780 8907 60857405080205 aa06 8004 61626364 be10 040e 08 00 06 5f1f0400 000010 01f4 0007`,
    {
      ...aare,
      ...proven,
      diagnostic: 14,
      authenticationValue: fromHex("61626364"),
      userInformation: response,
    },
    [
      ...["1 message_tag", "1 aare/length", ...contextParts, ...resultParts, ...provenParts],
      ...[...user, "1 message_tag", quality, ...versionParts, "2 server_message", "2 vaa_name"],
    ],
  ],
  ["62 00", { type: "rlrq", reason: null, userInformation: null }, ["1 message_tag", "1 rlrq/length"]],
  [
    "63 03 8001 01",
    { type: "rlre", reason: 1, userInformation: null },
    ["1 message_tag", "1 rlre/length", "1 element/tag", "1 element/length", "1 release_reason"],
  ],
  [
    "62 0b 8001 00 be06 0404 0e010602",
    {
      type: "rlrq",
      reason: 0,
      userInformation: { type: "confirmedServiceError", service: 1, errorClass: 6, error: 2 },
    },
    [
      ...["1 message_tag", "1 rlrq/length", "1 element/tag", "1 element/length", "1 release_reason"],
      ...[...user, "1 message_tag", "1 service", "1 error_class", "1 initiate_error"],
    ],
  ],
];

describe("a message of an association", () => {
  it.each([...initiates, ...associations])(
    "%s is read, written and named to the byte",
    (hex, apdu, parts) => {
      const bytes = fromHex(hex);

      expect(decodeApdu(bytes)).toEqual(apdu);
      expect(toHex(encodeApdu(apdu))).toBe(toHex(bytes));
      expect(partsOf(explainDlmsApdu(bytes))).toEqual([...parts, "0 after_message"]);
    },
  );

  it("keeps elements that it does not know, and writes them in the order of their numbers", () => {
    const known = { ...aarq, other: [{ tag: 0xa7, content: fromHex("0401aa") }] };
    const bytes = `6010 ${context} a703 0401aa`.replaceAll(" ", "");

    expect(decodeApdu(fromHex(bytes))).toEqual(known);
    expect(toHex(encodeApdu(known))).toBe(bytes);
    const early = { ...aarq, other: [{ tag: 0x80, content: fromHex("0780") }] };
    expect(toHex(encodeApdu(early))).toBe(`600f 80020780 ${context}`.replaceAll(" ", ""));
    expect(partsOf(explainDlmsApdu(fromHex(bytes))).slice(7)).toEqual([
      ...["1 element/tag", "1 element/length", "3 element", "0 after_message"],
    ]);
    // A secret in another form is none that we know.
    expect(decodeApdu(fromHex(`6010 ${context} ac03 820155`))).toMatchObject({
      authenticationValue: null,
      other: [{ tag: 0xac }],
    });
  });

  it("does not take elements of an answer for those of a request, and skips those of a release", () => {
    expect(decodeApdu(fromHex(`6010 ${context} a203 020100`))).toMatchObject({
      other: [{ tag: 0xa2, content: fromHex("020100") }],
    });
    expect(decodeApdu(fromHex("6205 8103 010203"))).toEqual({
      type: "rlrq",
      reason: null,
      userInformation: null,
    });
    expect(partsOf(explainDlmsApdu(fromHex("6205 8103 010203")))).toContain("3 element");
  });

  it.each([
    ["0780", true],
    ["0700", false],
    ["07", false],
    ["0740", false],
  ])("with the requirements %s has authentication: %s", (value, hasAuthentication) => {
    const size = value.length / 2;
    const length = (11 + 2 + size).toString(16).padStart(2, "0");

    expect(decodeApdu(fromHex(`60${length} ${context} 8a0${String(size)} ${value}`))).toMatchObject({
      hasAuthentication,
    });
  });

  it("may have the conformance tag in one byte, as in old meters, and is refused with another", () => {
    expect(decodeApdu(fromHex("01 00 00 00 06 5f0400 000019 04b0"))).toEqual(request);
    expect(() => decodeApdu(fromHex("01 00 00 00 06 5e1f0400 000019 04b0"))).toThrow(
      refused("unexpected", 6, "conformance tag missing"),
    );
    expect(() => decodeApdu(fromHex("01 00 00 00 06 5f1f0300 000019 04b0"))).toThrow(
      refused("unexpected", 8, "conformance is not of 4 bytes"),
    );
    expect(decodeApdu(fromHex("01 00 01 01 00 06 5f1f0400 000019 04b0"))).toEqual(request);
  });

  it.each([
    ["60 00", "unexpected", 2, "application context missing"],
    [`61 0b ${context}`, "unexpected", 13, "AARE without result or diagnostic"],
    [`61 10 ${context} a203 0201 02`, "unexpected", 18, "AARE without result or diagnostic"],
    [`61 12 ${context} a305 a203 0201 02`, "unexpected", 20, "AARE without result or diagnostic"],
    ["60 0b a109 0607 60857405080201", "unsupported", 6, "not an object id of DLMS"],
    ["60 0a a108 0606 608574050801", "unsupported", 6, "not an object id of DLMS"],
    ["60 0b a109 0407 60857405080101", "unexpected", 13, "tag 4 instead of 6"],
    [`60 11 ${context} be04 0402 c001`, "unsupported", 17, "message 192 inside an association"],
    [`60 0c ${context}`, "unexpected", 2, "12 bytes wanted, 11 left"],
  ])("%s is refused: %s at %i", (hex, kind, offset, message) => {
    expect(() => decodeApdu(fromHex(hex))).toThrow(refused(kind, offset, message));
  });
});

function refused(kind: string, offset: number, message: string): unknown {
  return expect.objectContaining({ name: "ProtocolError", kind, offset, message });
}

/** Source: Green Book 9.5 (xDLMS-APDU): plain, under a global and under a dedicated key. */
const tags: readonly (readonly [plain: number, glo: number, ded: number, name: string])[] = [
  [0x01, 0x21, 0x41, "initiateRequest"],
  [0x08, 0x28, 0x48, "initiateResponse"],
  [0x0e, 0x2e, 0x4e, "confirmedServiceError"],
  [0xc0, 0xc8, 0xd0, "getRequest"],
  [0xc1, 0xc9, 0xd1, "setRequest"],
  [0xc2, 0xca, 0xd2, "eventNotification"],
  [0xc3, 0xcb, 0xd3, "actionRequest"],
  [0xc4, 0xcc, 0xd4, "getResponse"],
  [0xc5, 0xcd, 0xd5, "setResponse"],
  [0xc7, 0xcf, 0xd7, "actionResponse"],
];

describe("a protected message", () => {
  it.each(tags)("%i is %i under a global key, %i under a dedicated one", (plain, glo, ded, name) => {
    expect([protectedTag(plain, "glo"), protectedTag(plain, "ded")]).toEqual([glo, ded]);
    expect([plain, glo, ded].map(protectionOfTag)).toEqual([undefined, "glo", "ded"]);
    expect([plain, glo, ded].map(apduTagName)).toEqual([name, `glo ${name}`, `ded ${name}`]);
  });

  it("has no tag of its own for what has its own key, and other tags have a name or none", () => {
    expect([protectedTag(0x0f, "glo"), protectedTag(0x60, "ded")]).toEqual([undefined, undefined]);
    expect([0x0f, 0x60, 0x61, 0x62, 0x63, 0xd8, 0xdb, 0xdc, 0xe0, 0xff].map(apduTagName)).toEqual([
      ...["dataNotification", "aarq", "aare", "rlrq", "rlre", "exceptionResponse"],
      ...["generalGlo", "generalDed", "generalBlockTransfer", undefined],
    ]);
  });

  const security = { suite: 0, isAuthenticated: true, isEncrypted: true };
  const tag = "0102030405060708090a0b0c";
  const noted = (hex: string) => partsOf(explainDlmsApdu(fromHex(hex)));
  const body = ["1 protected_part/length", "1 security_control", "4 invocation_counter"];

  it.each([
    ["c8", "glo", null],
    ["d0", "ded", null],
    ["db 08 4d54520000000001", "generalGlo", title],
    ["dc 00", "generalDed", fromHex("")],
  ] as const)("%s is %s, and stays closed without a key", (start, type, systemTitle) => {
    const bytes = fromHex(`${start} 13 30 00000007 aabb ${tag}`);
    const apdu = decodeApdu(bytes);

    expect(apdu).toMatchObject({ type, systemTitle, counter: 7, security, content: fromHex(`aabb${tag}`) });
    expect(toHex(encodeApdu(apdu))).toBe(toHex(bytes));
    const own =
      systemTitle === null ? [] : ["1 system_title/length", `${String(systemTitle.length)} system_title`];
    expect(noted(toHex(bytes))).toEqual([
      ...["1 message_tag", ...own, ...body],
      ...["2 protected_text", "12 authentication_tag", "0 after_message"],
    ]);
    expect(decodeDlmsApdu(bytes)).toMatchObject({
      device: { message: type },
      warnings: ["encrypted: the key is not given"],
    });
  });

  it("without authentication has no tag, and a short one is all tag", () => {
    expect(noted(`c8 07 20 00000007 aabb`)).toEqual([
      ...["1 message_tag", ...body, "2 protected_text", "0 authentication_tag", "0 after_message"],
    ]);
    expect(noted(`c8 07 30 00000007 aabb`)).toContain("2 authentication_tag");
  });

  it("is refused if its length is not that of its parts", () => {
    expect(decodeApdu(fromHex("c8 05 20 00000007"))).toMatchObject({ content: fromHex("") });
    expect(() => decodeApdu(fromHex("c8 04 20 000000"))).toThrow(
      refused("unexpected", 2, "protected part shorter than its header"),
    );
    expect(() => decodeApdu(fromHex("c8 06 20 00000007"))).toThrow(
      refused("unexpected", 2, "protected part of 6 bytes, 5 left"),
    );
  });

  it("is named by its place inside of a longer one", () => {
    const trace: Span[] = [];
    decodeApdu(fromHex("c8 05 20 00000007"), { trace, base: 20 });

    expect(trace[0]).toEqual({ offset: 20, bytes: 1, name: "message_tag", value: "glo getRequest" });
  });
});
