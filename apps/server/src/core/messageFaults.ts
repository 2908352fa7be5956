import { fieldFault, type FieldFault, type FieldFaultCode } from "@metrum/contract/core";
import type { ProtocolError, WantedField } from "@metrum/protocols/core";

const faultOfWanted = {
  object: "object_needed",
  list: "list_needed",
  few: "many",
  text: "text_needed",
  short: "text_long",
  number: "number_needed",
  whole: "whole_between",
  flag: "yes_or_no_needed",
  hex: "hex_needed",
  message_type: "message_type",
  one_device: "one_device",
  one_content: "one_content",
  given: "required",
  readings: "no_readings",
  known: "unknown_field",
  bytes: "size",
  dev_eui: "dev_eui",
  device_and_field: "device_and_field",
} as const satisfies Record<WantedField["wanted"], FieldFaultCode>;

/** What is wrong with a message, for users of each language; its field is named where nothing else names it. */
export const faultOfMessage = ({ field }: ProtocolError, its: "named" | "elsewhere"): FieldFault =>
  field
    ? fieldFault(faultOfWanted[field.wanted], field.params, its === "named" ? field.path : undefined)
    : fieldFault("format");

/** The place of a fault in a message, in the format of other faults: "readings.0.time" for "readings[0].time". */
export function placeOfFault({ field }: ProtocolError): string {
  const path = (field?.path ?? "").replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(/^\.|\.$/g, "");
  return whole.has(path) ? "body" : path;
}

/** What parsers call a message as a whole. */
const whole: ReadonlySet<string> = new Set(["", "message", "pack"]);
