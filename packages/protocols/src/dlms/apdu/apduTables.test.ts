import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { decodeApdu, encodeApdu } from "./apdu.ts";
import { explainDlmsApdu } from "../decode/explain.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { Apdu, DlmsData, LongInvokeId } from "../types.ts";

const invoke = { id: 5, isConfirmed: true, isHighPriority: true };
const attribute = { classId: 3, obis: "1.0.1.8.0.255", attribute: 2 };
const method = { classId: 70, obis: "0.0.96.3.10.255", method: 1 };
const byte: DlmsData = { type: "uint8", value: 7 };
const block = { isLast: true, blockNumber: 3, data: fromHex("aabb") };
const access = { selector: 2, parameters: byte };
const one = { attribute, access: null };

const named = "0003 0100010800ff 02";
const called = "0046 000060030aff 01";

/** Names of the parts that repeat. */
const head = (kind: string) => ["1 message_tag", `1 ${kind}`, "1 invoke_id"];
const ofAttribute = ["2 class", "6 obis_code", "1 attribute"];
const ofMethod = ["2 class", "6 obis_code", "1 method"];
const noAccess = ["1 selective_access/presence"];
const ofValue = ["1 value/type", "1 value"];
const ofBlock = ["1 last_block", "4 block_number", "1 value_part/length", "2 value_part"];

/** Source: Green Book 9.5: every kind of request and response, and the names of its parts. */
const services: readonly (readonly [hex: string, apdu: Apdu, parts: readonly string[]])[] = [
  [
    `c0 01 c5 ${named} 00`,
    { type: "getRequest", invoke, ...one },
    [...head("get_request"), ...ofAttribute, ...noAccess],
  ],
  [
    `c0 01 c5 ${named} 01 02 1107`,
    { type: "getRequest", invoke, attribute, access },
    [
      ...[...head("get_request"), ...ofAttribute, ...noAccess],
      ...["1 access_selector", "1 access_parameters/type", "1 access_parameters"],
    ],
  ],
  [
    "c0 02 c5 00000003",
    { type: "getRequestNext", invoke, blockNumber: 3 },
    [...head("get_request"), "4 block_number"],
  ],
  [
    `c0 03 c5 02 ${named} 00 ${named} 00`,
    { type: "getRequestList", invoke, requests: [one, one] },
    [
      ...[...head("get_request"), "1 attributes/elements"],
      ...[...ofAttribute, ...noAccess, ...ofAttribute, ...noAccess],
    ],
  ],
  [
    "c4 01 c5 00 1107",
    { type: "getResponse", invoke, result: { kind: "data", value: byte } },
    [...head("get_response"), "1 value_or_result", ...ofValue],
  ],
  [
    "c4 01 c5 01 03",
    { type: "getResponse", invoke, result: { kind: "error", code: 3 } },
    [...head("get_response"), "1 value_or_result", "1 data_access_result"],
  ],
  [
    "c4 02 c5 01 00000003 00 02 aabb",
    { type: "getResponseBlock", invoke, ...block },
    [
      ...[...head("get_response"), "1 last_block", "4 block_number"],
      ...["1 part_or_result", "1 value_part/length", "2 value_part"],
    ],
  ],
  [
    "c4 02 c5 00 00000003 01 0e",
    { type: "getResponseBlockError", invoke, isLast: false, blockNumber: 3, error: 14 },
    [
      ...[...head("get_response"), "1 last_block", "4 block_number"],
      ...["1 part_or_result", "1 data_access_result"],
    ],
  ],
  [
    "c4 03 c5 02 00 1107 01 04",
    {
      type: "getResponseList",
      invoke,
      results: [
        { kind: "data", value: byte },
        { kind: "error", code: 4 },
      ],
    },
    [
      ...[...head("get_response"), "1 results/elements", "1 value_or_result"],
      ...[...ofValue, "1 value_or_result", "1 data_access_result"],
    ],
  ],
  [
    `c1 01 c5 ${named} 00 1107`,
    { type: "setRequest", invoke, ...one, value: byte },
    [...head("set_request"), ...ofAttribute, ...noAccess, ...ofValue],
  ],
  [
    `c1 01 c5 ${named} 00`,
    { type: "setRequest", invoke, ...one, value: null },
    [...head("set_request"), ...ofAttribute, ...noAccess],
  ],
  [
    `c1 02 c5 ${named} 00 01 00000003 02 aabb`,
    { type: "setRequestFirstBlock", invoke, ...one, block },
    [...head("set_request"), ...ofAttribute, ...noAccess, ...ofBlock],
  ],
  [
    "c1 03 c5 00 00000003 02 aabb",
    { type: "setRequestBlock", invoke, block: { ...block, isLast: false } },
    [...head("set_request"), ...ofBlock],
  ],
  [
    `c1 04 c5 01 ${named} 00 01 1107`,
    { type: "setRequestList", invoke, requests: [one], values: [byte] },
    [
      ...[...head("set_request"), "1 attributes/elements", ...ofAttribute, ...noAccess],
      ...["1 values/elements", ...ofValue],
    ],
  ],
  [
    `c1 05 c5 01 ${named} 00 01 00000003 02 aabb`,
    { type: "setRequestListFirstBlock", invoke, requests: [one], block },
    [...head("set_request"), "1 attributes/elements", ...ofAttribute, ...noAccess, ...ofBlock],
  ],
  [
    "c5 01 c5 03",
    { type: "setResponse", invoke, result: 3 },
    [...head("set_response"), "1 data_access_result"],
  ],
  [
    "c5 02 c5 00000003",
    { type: "setResponseBlock", invoke, blockNumber: 3 },
    [...head("set_response"), "4 block_number"],
  ],
  [
    "c5 03 c5 02 00000003",
    { type: "setResponseLastBlock", invoke, result: 2, blockNumber: 3 },
    [...head("set_response"), "1 data_access_result", "4 block_number"],
  ],
  [
    "c5 04 c5 02 00 03 00000004",
    { type: "setResponseLastBlockList", invoke, results: [0, 3], blockNumber: 4 },
    [
      ...[...head("set_response"), "1 results/elements"],
      ...["1 data_access_result", "1 data_access_result", "4 block_number"],
    ],
  ],
  [
    "c5 05 c5 02 00 03",
    { type: "setResponseList", invoke, results: [0, 3] },
    [...head("set_response"), "1 results/elements", "1 data_access_result", "1 data_access_result"],
  ],
  [
    `c3 01 c5 ${called} 01 1107`,
    { type: "actionRequest", invoke, method, parameters: byte },
    [
      ...[...head("action_request"), ...ofMethod, "1 parameters/presence"],
      ...["1 parameters/type", "1 parameters"],
    ],
  ],
  [
    `c3 01 c5 ${called} 00`,
    { type: "actionRequest", invoke, method, parameters: null },
    [...head("action_request"), ...ofMethod, "1 parameters/presence"],
  ],
  [
    "c3 02 c5 00000003",
    { type: "actionRequestNextBlock", invoke, blockNumber: 3 },
    [...head("action_request"), "4 block_number"],
  ],
  [
    `c3 03 c5 01 ${called} 01 1107`,
    { type: "actionRequestList", invoke, methods: [method], parameters: [byte] },
    [
      ...[...head("action_request"), "1 methods/elements", ...ofMethod],
      ...["1 parameters/elements", "1 parameters/type", "1 parameters"],
    ],
  ],
  [
    `c3 04 c5 ${called} 01 00000003 02 aabb`,
    { type: "actionRequestFirstBlock", invoke, method, block },
    [...head("action_request"), ...ofMethod, ...ofBlock],
  ],
  [
    `c3 05 c5 01 ${called} 01 00000003 02 aabb`,
    { type: "actionRequestListFirstBlock", invoke, methods: [method], block },
    [...head("action_request"), "1 methods/elements", ...ofMethod, ...ofBlock],
  ],
  [
    "c3 06 c5 01 00000003 02 aabb",
    { type: "actionRequestBlock", invoke, block },
    [...head("action_request"), ...ofBlock],
  ],
  [
    "c7 01 c5 00 01 00 1107",
    { type: "actionResponse", invoke, result: 0, returned: { kind: "data", value: byte } },
    [
      ...[...head("action_response"), "1 action_result", "1 returned_value/presence"],
      ...["1 value_or_result", ...ofValue],
    ],
  ],
  [
    "c7 01 c5 03 00",
    { type: "actionResponse", invoke, result: 3, returned: null },
    [...head("action_response"), "1 action_result", "1 returned_value/presence"],
  ],
  [
    "c7 02 c5 01 00000003 02 aabb",
    { type: "actionResponseBlock", invoke, block },
    [...head("action_response"), ...ofBlock],
  ],
  [
    "c7 03 c5 01 00 01 01 04",
    {
      type: "actionResponseList",
      invoke,
      results: [{ result: 0, returned: { kind: "error", code: 4 } }],
    },
    [
      ...[...head("action_response"), "1 results/elements", "1 action_result"],
      ...["1 returned_value/presence", "1 value_or_result", "1 data_access_result"],
    ],
  ],
  [
    "c7 04 c5 00000003",
    { type: "actionResponseNextBlock", invoke, blockNumber: 3 },
    [...head("action_response"), "4 block_number"],
  ],
];

const time = "07ea0b1405 0e1e0f00 800000";
const long = (changes: Partial<LongInvokeId> = {}): LongInvokeId => ({
  ...{ id: 0x010203, isSelfDescriptive: false, isBreakingOnError: false },
  ...{ isConfirmed: false, isHighPriority: false, ...changes },
});
const push = { type: "dataNotification", time: null, isTimeTagged: false, body: byte } as const;

/** Source: Green Book 9.5: messages without a request, and parts of messages. */
const others: readonly (readonly [hex: string, apdu: Apdu, parts: readonly string[]])[] = [
  [
    `c2 01 0c ${time} ${named} 1107`,
    { type: "eventNotification", time: fromHex(time), attribute, value: byte },
    ["1 message_tag", "1 time/presence", "1 time/length", "12 time", ...ofAttribute, ...ofValue],
  ],
  [
    `c2 00 ${named} 1107`,
    { type: "eventNotification", time: null, attribute, value: byte },
    ["1 message_tag", "1 time/presence", ...ofAttribute, ...ofValue],
  ],
  [
    "0f 00010203 00 1107",
    { ...push, invoke: long() },
    ["1 message_tag", "4 long_invoke_id", "1 time/length", "0 time", ...ofValue],
  ],
  [
    `0f 10010203 0c ${time} 1107`,
    { ...push, invoke: long({ isSelfDescriptive: true }), time: fromHex(time) },
    ["1 message_tag", "4 long_invoke_id", "1 time/length", "12 time", ...ofValue],
  ],
  [
    `0f 20010203 09 0c ${time} 1107`,
    { ...push, invoke: long({ isBreakingOnError: true }), time: fromHex(time), isTimeTagged: true },
    ["1 message_tag", "4 long_invoke_id", "1 time/type", "1 time/length", "12 time", ...ofValue],
  ],
  [
    "0f 40010203 00 1107",
    { ...push, invoke: long({ isConfirmed: true }) },
    ["1 message_tag", "4 long_invoke_id", "1 time/length", "0 time", ...ofValue],
  ],
  [
    "0f 80010203 09 010203040506070809 1107",
    { ...push, invoke: long({ isHighPriority: true }), time: fromHex("010203040506070809") },
    ["1 message_tag", "4 long_invoke_id", "1 time/length", "9 time", ...ofValue],
  ],
  [
    "d8 01 02",
    { type: "exceptionResponse", stateError: 1, serviceError: 2, counter: null },
    ["1 message_tag", "1 state_error", "1 service_error"],
  ],
  [
    "d8 02 06 00000102",
    { type: "exceptionResponse", stateError: 2, serviceError: 6, counter: 0x102 },
    ["1 message_tag", "1 state_error", "1 service_error", "4 counter_expected"],
  ],
  [
    "d8 02 06",
    { type: "exceptionResponse", stateError: 2, serviceError: 6, counter: null },
    ["1 message_tag", "1 state_error", "1 service_error"],
  ],
  [
    "e0 c3 0002 0001 02 aabb",
    {
      type: "generalBlockTransfer",
      isLast: true,
      isStreaming: true,
      window: 3,
      blockNumber: 2,
      acknowledged: 1,
      data: fromHex("aabb"),
    },
    [
      ...["1 message_tag", "1 block_control", "2 block_number", "2 block_acknowledged"],
      ...["1 message_part/length", "2 message_part"],
    ],
  ],
  [
    "e0 3f 0002 0001 00",
    {
      type: "generalBlockTransfer",
      isLast: false,
      isStreaming: false,
      window: 0x3f,
      blockNumber: 2,
      acknowledged: 1,
      data: fromHex(""),
    },
    [
      ...["1 message_tag", "1 block_control", "2 block_number", "2 block_acknowledged"],
      ...["1 message_part/length", "0 message_part"],
    ],
  ],
];

describe("a message", () => {
  it.each([...services, ...others])("%s is read, written and named to the byte", (hex, apdu, parts) => {
    const bytes = fromHex(hex);

    expect(decodeApdu(bytes)).toEqual(apdu);
    expect(toHex(encodeApdu(apdu))).toBe(toHex(bytes));
    expect(partsOf(explainDlmsApdu(bytes))).toEqual([...parts, "0 after_message"]);
  });

  it("is named in a trace, and so are its object and what it asks", () => {
    const spans = explainDlmsApdu(fromHex(`c0 01 c5 ${named} 00`));

    expect(spans.map(({ value }) => value)).toEqual(["getRequest", 1, 0xc5, 3, "1.0.1.8.0.255", 2, 0, ""]);
  });

  it.each([
    ["05", { id: 5, isConfirmed: false, isHighPriority: false }],
    ["45", { id: 5, isConfirmed: true, isHighPriority: false }],
    ["8f", { id: 15, isConfirmed: false, isHighPriority: true }],
  ])("has a number of 4 bits, and bits for confirmed and urgent: %s", (hex, own) => {
    const apdu: Apdu = { type: "getRequestNext", invoke: own, blockNumber: 1 };

    expect(decodeApdu(fromHex(`c002${hex}00000001`))).toEqual(apdu);
    expect(toHex(encodeApdu(apdu))).toBe(`c002${hex}00000001`);
  });

  it("may have attributes and methods below zero, which are those of a manufacturer", () => {
    expect(decodeApdu(fromHex("c001c5 0003 0100010800ff ff 00"))).toMatchObject({
      attribute: { attribute: -1 },
    });
    expect(decodeApdu(fromHex("c301c5 0003 0100010800ff 80 00"))).toMatchObject({ method: { method: -128 } });
  });

  it("is of any value but 0 that stands for true", () => {
    expect(decodeApdu(fromHex("c402c5 02 00000001 00 00"))).toMatchObject({ isLast: true });
    expect(decodeApdu(fromHex("c103c5 02 00000001 00"))).toMatchObject({ block: { isLast: true } });
    expect(decodeApdu(fromHex(`c301c5 ${called} 02 1107`))).toMatchObject({ parameters: byte });
  });

  it.each([
    ["", "unexpected", 0, "empty message"],
    ["c6 01", "unsupported", 0, "unknown message 198"],
    ["c0 00 c5", "unsupported", 1, "GET request of kind 0"],
    ["c0 04 c5", "unsupported", 1, "GET request of kind 4"],
    ["c4 00 c5", "unsupported", 1, "GET response of kind 0"],
    ["c4 04 c5", "unsupported", 1, "GET response of kind 4"],
    ["c1 00 c5", "unsupported", 1, "SET request of kind 0"],
    ["c1 06 c5", "unsupported", 1, "SET request of kind 6"],
    ["c5 00 c5", "unsupported", 1, "SET response of kind 0"],
    ["c5 06 c5", "unsupported", 1, "SET response of kind 6"],
    ["c3 00 c5", "unsupported", 1, "ACTION request of kind 0"],
    ["c3 07 c5", "unsupported", 1, "ACTION request of kind 7"],
    ["c7 00 c5", "unsupported", 1, "ACTION response of kind 0"],
    ["c7 05 c5", "unsupported", 1, "ACTION response of kind 5"],
    ["c4 01 c5 02", "unexpected", 4, "neither value nor result"],
    ["c4 02 c5 01 00000001 02", "unexpected", 9, "neither part of a value nor result"],
    ["c4 03 c5 03 01 02", "unexpected", 4, "3 elements in 2 bytes"],
    ["d8 01 02 00", "unexpected", 3, "1 bytes after the message"],
    ["d8 02 06 000001", "unexpected", 3, "3 bytes after the message"],
    ["d8 02 05 00000001", "unexpected", 3, "4 bytes after the message"],
    ["c0 02 c5 0000", "unexpected", 3, "4 bytes wanted, 2 left"],
  ])("%s is refused: %s at %i", (hex, kind, offset, message) => {
    expect(() => decodeApdu(fromHex(hex))).toThrow(
      expect.objectContaining({ name: "ProtocolError", kind, offset, message }),
    );
  });
});
