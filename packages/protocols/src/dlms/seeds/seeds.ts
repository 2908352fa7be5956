import { ByteWriter, fromHex } from "../../core/bytes.ts";
import type { FuzzTarget } from "../../core/fuzz/fuzz.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { cipherApdu } from "../apdu/apduCiphered.ts";
import { crcX25 } from "../link/crc.ts";
import { decodeData } from "../data/data.ts";
import { encodeData } from "../data/dataEncode.ts";
import { dateTimeBytes, fromEpoch } from "../data/dateTime.ts";
import { decodeDlmsApdu } from "../decode/decode.ts";
import { decodeDlmsHdlc } from "../decode/decodeHdlc.ts";
import { explainDlms } from "../decode/explain.ts";
import { clientAddress, encodeHdlc, llc } from "../link/hdlc.ts";
import { defaultHdlcParameters, hdlcParametersBytes } from "../link/hdlcParameters.ts";
import { clockColumn, rangeAccess } from "../apdu/selectiveAccess.ts";
import type { Apdu, DlmsData } from "../types.ts";
import type { HdlcFrame } from "../link/frames.ts";

const noon = dateTimeBytes(fromEpoch(1_767_268_800, { deviation: -480 }));
const clockValue: DlmsData = { type: "octets", value: noon };
const row: DlmsData = {
  type: "structure",
  items: [clockValue, { type: "uint8", value: 8 }, { type: "uint32", value: 123_456 }, { type: "null" }],
};

/** Values made from the standard's rules; every type occurs. */
const values: readonly DlmsData[] = [
  { type: "array", items: [row, row, row] },
  {
    type: "structure",
    items: [
      { type: "bool", value: true },
      { type: "bitString", count: 10, bytes: Uint8Array.of(0xa5, 0x40) },
      { type: "int8", value: -3 },
      { type: "int16", value: -300 },
      { type: "int32", value: -70_000 },
      { type: "int64", value: -5_000_000_000n },
      { type: "uint16", value: 60_000 },
      { type: "uint64", value: 5_000_000_000n },
      { type: "enum", value: 30 },
      { type: "bcd", value: 0x42 },
      { type: "float32", value: 1.5 },
      { type: "float64", value: -2.25 },
      { type: "visible", value: "MTR12345" },
      { type: "utf8", value: "счётчик" },
      { type: "dateTime", value: fromEpoch(1_767_268_800, { deviation: null }) },
      { type: "date", value: { year: 2026, month: 1, day: null, weekday: null } },
      { type: "time", value: { hour: 12, minute: 30, second: 0, hundredths: null } },
      { type: "dontCare" },
    ],
  },
  {
    type: "compactArray",
    description: {
      kind: "structure",
      of: [
        { kind: "simple", tag: 0x12 },
        { kind: "array", count: 2, of: { kind: "simple", tag: 0x09 } },
      ],
    },
    items: [1, 2, 3].map((value) => ({
      type: "structure",
      items: [
        { type: "uint16", value },
        { type: "array", items: [clockValue, { type: "octets", value: Uint8Array.of(value) }] },
      ],
    })),
  },
];

const invoke = { id: 1, isConfirmed: true, isHighPriority: true };
const profile = { classId: 7, obis: "1.0.99.1.0.255", attribute: 2 };
const initiate: Extract<Apdu, { type: "initiateRequest" }> = {
  type: "initiateRequest",
  dedicatedKey: null,
  isResponseAllowed: true,
  qualityOfService: null,
  version: 6,
  conformance: new Set(["get", "set", "action", "selectiveAccess", "blockTransferGet"]),
  maxPdu: 1024,
};
const association = {
  context: 1,
  systemTitle: fromHex("4d54520000000001"),
  hasAuthentication: true,
  mechanism: 1,
  authenticationValue: fromHex("3132333435363738"),
  other: [],
} as const;
const protection = {
  context: {
    encryptionKey: fromHex("00112233445566778899aabbccddeeff"),
    authenticationKey: fromHex("ffeeddccbbaa99887766554433221100"),
    systemTitle: association.systemTitle,
  },
  security: {
    suite: 0,
    isAuthenticated: true,
    isEncrypted: true,
    isBroadcastKey: false,
    isCompressed: false,
  },
  counter: 7,
};
const block = { isLast: false, blockNumber: 1, data: encodeData(values[0] ?? { type: "null" }) };
const range = rangeAccess({
  restricting: clockColumn,
  from: clockValue,
  to: clockValue,
  columns: [clockColumn],
});
const getResponses: readonly Apdu[] = values.map((value) => ({
  type: "getResponse",
  invoke,
  result: { kind: "data", value },
}));

/** Messages made from the standard's rules. */
const apdus: readonly Apdu[] = [
  ...getResponses,
  { type: "aarq", ...association, userInformation: initiate },
  {
    type: "aare",
    ...association,
    result: 0,
    diagnosticSource: "user",
    diagnostic: 14,
    userInformation: { ...initiate, type: "initiateResponse", vaaName: 7 },
  },
  { type: "rlrq", reason: 0, userInformation: null },
  { type: "getRequest", invoke, attribute: profile, access: range },
  { type: "getRequestNext", invoke, blockNumber: 2 },
  { type: "getRequestList", invoke, requests: [{ attribute: profile, access: null }] },
  { type: "getResponseBlock", invoke, ...block },
  {
    type: "getResponseList",
    invoke,
    results: [
      { kind: "data", value: row },
      { kind: "error", code: 4 },
    ],
  },
  { type: "setRequest", invoke, attribute: profile, access: null, value: row },
  { type: "setRequestFirstBlock", invoke, attribute: profile, access: null, block },
  { type: "setRequestList", invoke, requests: [{ attribute: profile, access: null }], values: [row] },
  { type: "setResponseLastBlockList", invoke, results: [0, 3], blockNumber: 4 },
  {
    type: "actionRequest",
    invoke,
    method: { classId: 70, obis: "0.0.96.3.10.255", method: 1 },
    parameters: row,
  },
  { type: "actionResponse", invoke, result: 0, returned: { kind: "data", value: row } },
  { type: "eventNotification", time: noon, attribute: profile, value: row },
  { type: "exceptionResponse", stateError: 1, serviceError: 6, counter: 8 },
  {
    type: "dataNotification",
    invoke: {
      id: 5,
      isSelfDescriptive: false,
      isBreakingOnError: false,
      isConfirmed: true,
      isHighPriority: false,
    },
    time: noon,
    isTimeTagged: true,
    body: { type: "structure", items: [{ type: "visible", value: "LIST_1" }, clockValue, row] },
  },
  {
    type: "generalBlockTransfer",
    isLast: true,
    isStreaming: false,
    window: 1,
    blockNumber: 1,
    acknowledged: 0,
    data: noon,
  },
  cipherApdu(Uint8Array.of(0xc0, 2, 0xc1, 0, 0, 0, 1), "glo", protection),
  cipherApdu(Uint8Array.of(0xc0, 2, 0xc1, 0, 0, 0, 1), "generalGlo", protection),
];
const messages = apdus.map(encodeApdu);

const frame: HdlcFrame = {
  destination: clientAddress(16),
  source: { upper: 1, lower: 17, bytes: 2 },
  control: { type: "i", send: 0, receive: 1, isFinal: true },
  isSegmented: false,
  information: new Uint8Array(),
};
const frames: readonly Uint8Array[] = [
  ...messages.map((message) =>
    encodeHdlc({ ...frame, information: new ByteWriter().raw(llc.fromServer).raw(message).finish() }),
  ),
  encodeHdlc({
    ...frame,
    control: { type: "ua", isFinal: true },
    information: hdlcParametersBytes(defaultHdlcParameters),
  }),
  encodeHdlc({
    ...frame,
    control: { type: "rr", receive: 1, isFinal: true },
    destination: { upper: 300, lower: 9000, bytes: 4 },
  }),
];

/** A single frame with repaired checksums, so that mutated bytes reach the message. */
export function mended(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const setCheck = (at: number): void => {
    const crc = crcX25(copy.subarray(1, at));
    copy[at] = crc & 0xff;
    copy[at + 1] = crc >> 8;
  };
  const headerCheck = copy.indexOf(0xe6) - 2;
  if (headerCheck > 3) setCheck(headerCheck);
  if (copy.length > 6) setCheck(copy.length - 3);
  return copy;
}

const key = "00112233445566778899aabbccddeeff";

/**
 * Messages, frames (with repaired checksums, at which random changes would otherwise stop), unrepaired
 * frames, and bare values.
 */
export const dlmsFuzz: readonly FuzzTarget[] = [
  {
    name: "dlms-apdu",
    seeds: messages,
    decode: (bytes) => decodeDlmsApdu(bytes, { key, systemTitle: "4d54520000000001", trace: [] }),
  },
  { name: "dlms-hdlc", seeds: frames, decode: (bytes) => decodeDlmsHdlc(mended(bytes), { key, trace: [] }) },
  { name: "dlms-raw-hdlc", seeds: frames, decode: (bytes) => explainDlms(bytes, "hdlc") },
  { name: "dlms-data", seeds: values.map(encodeData), decode: (bytes) => decodeData(bytes, { trace: [] }) },
  { name: "dlms-raw-apdu", seeds: messages, decode: (bytes) => decodeApdu(bytes) },
];
