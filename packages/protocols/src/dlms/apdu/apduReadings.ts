import { toHex } from "../../core/bytes.ts";
import type { DecodedValue } from "../../core/reading.ts";
import { dateTimeOfBytes, formatDateTime } from "../data/dateTime.ts";
import { pushList } from "../push/push.ts";
import {
  actionResults,
  associationDiagnostics,
  associationResults,
  dataAccessResults,
  serviceErrors,
} from "./resultNames.ts";
import { textOf, valueReadings } from "../data/show.ts";
import type {
  Aare,
  Aarq,
  AccessResult,
  ActionResult,
  Apdu,
  DataNotification,
  InitiateRequest,
  InitiateResponse,
  UserInformation,
} from "../types.ts";

/** Contents of a message, for `metrum decode`. */
export interface ApduReadings {
  readonly device: Readonly<Record<string, string | number>>;
  readonly readings: readonly DecodedValue[];
}

const plain = (name: string, value: DecodedValue["value"]): DecodedValue => ({ name, value, unit: "" });
/** A code of the device; its name in the standard is in `function`, as with Modbus exceptions. */
function coded(name: string, words: Readonly<Record<number, string>>, code: number): DecodedValue {
  const word = words[code];
  return word === undefined ? plain(name, code) : { ...plain(name, code), function: word };
}
const only = (...readings: readonly DecodedValue[]): ApduReadings => ({ device: {}, readings });

/** Rows of a message; a refusal of the device is a row `result` or `exception`. Errors: none. */
export function apduReadings(apdu: Apdu): ApduReadings {
  switch (apdu.type) {
    case "aarq":
    case "aare":
      return associationReadings(apdu);
    case "rlrq":
    case "rlre":
      return only(plain("reason", apdu.reason));
    case "dataNotification":
      return pushReadings(apdu);
    case "eventNotification":
      return only(plain("object", objectText(apdu.attribute)), ...valueReadings("value", apdu.value));
    case "exceptionResponse":
      return only(
        coded("exception", serviceErrors, apdu.serviceError),
        plain("stateError", apdu.stateError),
        ...(apdu.counter === null ? [] : [plain("counter", apdu.counter)]),
      );
    case "generalBlockTransfer":
      return only(plain("block", apdu.blockNumber), plain("part", toHex(apdu.data)));
    default:
      return isService(apdu) ? only(...serviceReadings(apdu)) : userInformationReadings(apdu);
  }
}

type Service = Extract<Apdu, { readonly type: `${"getRe" | "setRe" | "actionRe"}${string}` }>;
const isService = (apdu: Apdu): apdu is Service => /^(?:get|set|action)Re/.test(apdu.type);

/** Requests and responses by their parts, which have the same names in all three services. */
function serviceReadings(apdu: Service): DecodedValue[] {
  return [
    ...("attribute" in apdu ? [plain("object", objectText(apdu.attribute))] : []),
    ...("method" in apdu ? [plain("object", methodText(apdu.method))] : []),
    ...("requests" in apdu ? apdu.requests.map((one) => plain("object", objectText(one.attribute))) : []),
    ...("methods" in apdu ? apdu.methods.map((one) => plain("object", methodText(one))) : []),
    ...("access" in apdu && apdu.access !== null ? valueReadings("access", apdu.access.parameters) : []),
    ...("value" in apdu && apdu.value !== null ? valueReadings("value", apdu.value) : []),
    ...("values" in apdu ? apdu.values.flatMap((value) => valueReadings("value", value)) : []),
    ...parameterReadings(apdu),
    ...resultReadings(apdu),
    ...blockReadings(apdu),
  ];
}

function parameterReadings(apdu: Service): DecodedValue[] {
  if (apdu.type === "actionRequest")
    return apdu.parameters === null ? [] : valueReadings("parameters", apdu.parameters);
  if (apdu.type !== "actionRequestList") return [];
  return apdu.parameters.flatMap((value) => valueReadings("parameters", value));
}

function resultReadings(apdu: Service): DecodedValue[] {
  switch (apdu.type) {
    case "getResponse":
      return accessReadings(apdu.result);
    case "getResponseList":
      return apdu.results.flatMap(accessReadings);
    case "getResponseBlockError":
      return [codeReading(apdu.error)];
    case "setResponse":
    case "setResponseLastBlock":
      return [codeReading(apdu.result)];
    case "setResponseList":
    case "setResponseLastBlockList":
      return apdu.results.map(codeReading);
    case "actionResponse":
      return actionReadings(apdu);
    case "actionResponseList":
      return apdu.results.flatMap(actionReadings);
    default:
      return [];
  }
}

function blockReadings(apdu: Service): DecodedValue[] {
  if (apdu.type === "getResponseBlock") return [...blockRow(apdu), plain("part", toHex(apdu.data))];
  if ("block" in apdu) return [...blockRow(apdu.block), plain("part", toHex(apdu.block.data))];
  return "blockNumber" in apdu ? blockRow(apdu) : [];
}

const blockRow = (block: { blockNumber: number; isLast?: boolean }): DecodedValue[] => [
  plain("block", block.blockNumber),
  ...(block.isLast === undefined ? [] : [plain("isLastBlock", block.isLast)]),
];

const codeReading = (code: number): DecodedValue => coded("result", dataAccessResults, code);

const accessReadings = (result: AccessResult): DecodedValue[] =>
  result.kind === "data" ? valueReadings("value", result.value) : [codeReading(result.code)];

const actionReadings = ({ result, returned }: ActionResult): DecodedValue[] => [
  coded("result", actionResults, result),
  ...(returned === null ? [] : accessReadings(returned)),
];

const objectText = (of: { classId: number; obis: string; attribute: number }): string =>
  `class ${String(of.classId)}, ${of.obis}, attribute ${String(of.attribute)}`;

const methodText = (of: { classId: number; obis: string; method: number }): string =>
  `class ${String(of.classId)}, ${of.obis}, method ${String(of.method)}`;

function pushReadings({ invoke, time, body }: DataNotification): ApduReadings {
  const list = pushList(body);
  const readings = list?.readings ?? valueReadings("value", body);
  const isTimed = readings.some(({ name }) => name === "meter_datetime");
  const sent = time === null || isTimed ? [] : [timeReading(time)];
  return {
    device: { invokeId: invoke.id, ...(list?.maker === undefined ? {} : { manufacturer: list.maker }) },
    readings: [...sent, ...readings],
  };
}

const timeReading = (time: Uint8Array): DecodedValue => ({
  name: "meter_datetime",
  value: time.length === 12 ? formatDateTime(dateTimeOfBytes(time)) : toHex(time),
  unit: "-",
  raw: toHex(time),
});

/** The password itself is not shown, only its presence. */
function associationReadings(apdu: Aarq | Aare): ApduReadings {
  const { systemTitle, mechanism, authenticationValue, userInformation } = apdu;
  const inner = userInformation === null ? undefined : userInformationReadings(userInformation);
  const answer =
    apdu.type === "aare"
      ? [
          coded("result", associationResults, apdu.result),
          coded("diagnostic", associationDiagnostics, apdu.diagnostic),
        ]
      : [];
  return {
    device: systemTitle === null ? {} : titleOf(systemTitle),
    readings: [
      ...answer,
      plain("applicationContext", apdu.context),
      plain("authenticationMechanism", mechanism ?? 0),
      plain("hasAuthenticationValue", authenticationValue !== null),
      ...(inner?.readings ?? []),
    ],
  };
}

function titleOf(title: Uint8Array): Record<string, string> {
  const maker = textOf(title.subarray(0, 3));
  return { systemTitle: toHex(title), ...(maker === undefined ? {} : { manufacturer: maker }) };
}

function userInformationReadings(apdu: UserInformation): ApduReadings {
  switch (apdu.type) {
    case "initiateRequest":
    case "initiateResponse":
      return only(...initiateReadings(apdu));
    case "confirmedServiceError":
      return only(
        plain("exception", `service ${String(apdu.service)}, class ${String(apdu.errorClass)}`),
        plain("error", apdu.error),
      );
    default:
      return {
        device: apdu.systemTitle === null ? {} : titleOf(apdu.systemTitle),
        readings: [plain("securitySuite", apdu.security.suite), plain("invocationCounter", apdu.counter)],
      };
  }
}

const initiateReadings = (apdu: InitiateRequest | InitiateResponse): DecodedValue[] => [
  plain("dlmsVersion", apdu.version),
  plain("conformance", [...apdu.conformance].join(" ")),
  plain("maxPdu", apdu.maxPdu),
];
