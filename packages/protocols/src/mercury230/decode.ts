import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, toHex, type Span } from "../core/bytes.ts";
import { hasMask, maskByte } from "../core/masking.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Decoded, DecodedValue } from "../core/reading.ts";
import { explainStretch } from "../core/spans.ts";
import {
  echoError,
  isEcho,
  openFrame,
  statusCodes,
  statusNames,
  statusOf,
  type MercuryFrame,
} from "./frame.ts";
import { parseLastProfile, parseProfileRecord } from "./profile.ts";
import { instantNames, instants, periods } from "./requests.ts";
import { journals, parseEnergy, parseEvent, parseInstant, parseSerial } from "./reads.ts";
import { localText, readClock, readFour, readThree } from "./values.ts";

/** The frames of one exchange; either may be missing. */
export interface MercuryExchange {
  readonly request?: Uint8Array | undefined;
  readonly response?: Uint8Array | undefined;
}

interface Traced {
  readonly trace?: Span[] | undefined;
  readonly base?: number;
}

const reading = (name: string, value: DecodedValue["value"], unit = ""): DecodedValue => ({
  name,
  value,
  unit,
});

/**
 * Decodes one exchange for display.
 * Source and layout: `openFrame`. An answer does not identify its request: without it only a status (4 bytes)
 * and energy (19 bytes) are recognised by their length, anything else comes as `data`. A status is a good
 * frame with the reading `status`. Units as on the wire: Wh, varh, W, var, VA, V, A, Hz, deg. Spans of the
 * response follow those of the request, offsets counted over both.
 * Errors: ProtocolError "checksum"; "unexpected" for short frames, another address than asked, data of the
 * wrong length, or the request itself.
 */
export function decodeMercury230(
  { request, response }: MercuryExchange,
  options: { readonly trace?: Span[] | undefined } = {},
): Decoded {
  const { trace } = options;
  const sent = request && openFrame(request, { trace });
  if (sent) nameRequest(sent, trace);
  if (!response) {
    if (!sent) throw new ProtocolError("unexpected", "no frame", { offset: 0 });
    return describe(sent, requestReadings(sent), trace);
  }
  const base = request?.length ?? 0;
  if (request && isEcho(request, response)) throw echoError(base);
  const answer = openFrame(response, { trace, base });
  if (sent && sent.address !== 0 && sent.address !== answer.address)
    throw new ProtocolError("unexpected", "the answer has another address than the request", {
      offset: base,
    });
  return describe(answer, answerReadings(sent?.body, answer.body, { trace, base: base + 1 }), trace);
}

function describe(
  { address }: MercuryFrame,
  readings: readonly DecodedValue[],
  trace: Span[] | undefined,
): Decoded {
  trace?.sort((a, b) => a.offset - b.offset);
  return { protocol: "mercury230", device: { address }, readings, warnings: [] };
}

const codes: Readonly<Record<number, string>> = {
  0x00: "test the channel",
  0x01: "open the channel",
  0x02: "close the channel",
  0x03: "write",
  0x04: "read clock or journal",
  0x05: "read energy",
  0x06: "read memory",
  0x08: "read parameter",
};

const codeNames: Readonly<Record<number, TraceName>> = {
  0x00: "code_test_the_channel",
  0x01: "code_open_the_channel",
  0x02: "code_close_the_channel",
  0x03: "code_write",
  0x04: "code_read_clock_or_journal",
  0x05: "code_read_energy",
  0x06: "code_read_memory",
  0x08: "code_read_parameter",
};

function nameRequest({ body }: MercuryFrame, trace: Span[] | undefined): void {
  if (!trace) return;
  const reader = new ByteReader(body, { trace, base: 1 });
  if (isCoveredOpening(body)) {
    nameCoveredOpening(reader);
    return;
  }
  reader.u8(codeNames[body[0] ?? 0] ?? "code_unknown");
  // The password must not be shown.
  if (body[0] === 0x01 && reader.remaining > 1) {
    // A level that equals the digits of its password is masked with them.
    const level = reader.u8();
    reader.note("level", 1, level === maskByte ? null : level, reader.offset - 1);
    reader.note("password", reader.remaining, null);
    return;
  }
  if (!reader.done) parametersOf[body[0] ?? 0]?.(reader);
  if (!reader.done) reader.take(reader.remaining, "parameters");
}

/**
 * Only the opening of the channel contains a secret; if its digits equal code and level, these are masked as
 * well.
 */
const isCoveredOpening = (body: Uint8Array): boolean =>
  body.length === openingBytes && body[0] === maskByte && hasMask(body);
const openingBytes = 8;

function nameCoveredOpening(reader: ByteReader): void {
  reader.note("code_open_the_channel", 1, null);
  reader.note("level", 1, null, reader.offset + 1);
  reader.note("password", openingBytes - 2, null, reader.offset + 2);
}

/** Names the parameters of a request by its code, as far as they are complete. */
const parametersOf: Readonly<Record<number, (reader: ByteReader) => void>> = {
  0x03: nameWrite,
  0x04: (reader) => {
    const number = reader.peek() ?? 0;
    reader.u8(number === 0 ? "clock" : (journals[number]?.code ?? "journal_unknown"));
    if (reader.remaining > 0) reader.u8("record");
  },
  0x05: (reader) => {
    if (reader.remaining !== 2) return;
    reader.u8(periodNames[(reader.peek() ?? 0) >> 4] ?? "period_unknown");
    reader.u8(reader.peek() === 0 ? "tariff_sum" : "tariff");
  },
  0x06: (reader) => {
    if (reader.remaining !== 4) return;
    reader.u8("memory_bank");
    reader.u16be("memory_address");
    reader.u8("bytes_wanted");
  },
  0x08: nameParameter,
};

const writeNames: Readonly<Record<number, TraceName>> = {
  0x0c: "write_clock",
  0x0d: "write_clock_correction",
  0x16: "write_restart",
  0x2c: "write_power_limit",
  0x2d: "write_power_limit_control",
  0x31: "write_load",
};

/** The written value, if it is whole and can be read. */
function nameWrite(reader: ByteReader): void {
  const parameter = reader.u8(writeNames[reader.peek() ?? 0] ?? "what_is_written");
  const start = reader.position;
  if (parameter === 0x0c && isGood(() => readClock(new ByteReader(reader.bytes.subarray(start)))))
    readClock(reader);
  if (parameter === 0x0d && reader.remaining === 3) nameTimeOfDay(reader);
  if (parameter === 0x2c && reader.remaining === 3) nameLimit(reader);
  if ((parameter === 0x2d || parameter === 0x31) && reader.remaining === 1) nameState(reader, "status");
}

function nameTimeOfDay(reader: ByteReader): void {
  const start = reader.position;
  const [second, minute, hour] = [...reader.take(3)].map((byte) => byte.toString(16).padStart(2, "0"));
  reader.noteSince(start, "time_of_day", [hour, minute, second].join(":"));
}

function nameLimit(reader: ByteReader): number {
  const start = reader.position;
  const { value } = readThree(reader);
  reader.noteSince(start, { code: "power_limit", unit: "W" }, value / 100);
  return value / 100;
}

function nameState(reader: ByteReader, name: TraceName): boolean {
  const start = reader.position;
  const isOn = (reader.u8() & 1) === 1;
  reader.noteSince(start, name, { word: isOn ? "state_on" : "state_off" });
  return isOn;
}

function nameParameter(reader: ByteReader): void {
  const parameter = reader.u8(parameterNames[reader.peek() ?? 0] ?? "parameter_unknown");
  if (parameter !== 0x16 || reader.done) return;
  const quantity = instantNames.find((each) => instants[each].bwri === reader.peek());
  reader.u8(quantity === undefined ? "quantity_unknown" : `quantity_${instants[quantity].code}`);
}

const periodNames: Readonly<Record<number, TraceName>> = {
  [periods.sinceReset]: "period_since_reset",
  [periods.currentYear]: "period_current_year",
  [periods.previousYear]: "period_previous_year",
  [periods.month]: "period_month",
  [periods.today]: "period_today",
  [periods.yesterday]: "period_yesterday",
  [periods.perPhase]: "period_since_reset_by_phase",
};

/** Parameters of code 08. Source: Incotex protocol [public clients]. */
const parameterNames: Readonly<Record<number, TraceName>> = {
  0x00: "parameter_serial_number_and_date_of_manufacture",
  0x01: "parameter_fast_parameters",
  0x02: "parameter_transformer_ratios",
  0x03: "parameter_firmware",
  0x05: "parameter_address",
  0x0b: "parameter_location",
  0x12: "parameter_variant",
  0x13: "parameter_last_record_of_the_power_profile",
  0x16: "parameter_momentary_values",
  0x18: "parameter_load_control",
  0x19: "parameter_power_limit",
};

function requestReadings({ body }: MercuryFrame): DecodedValue[] {
  const [code = 0, ...rest] = body;
  const name = { ...reading("code", code), function: codes[code] ?? "unknown" };
  return rest.length === 0 || code === 0x01 ? [name] : [name, reading("parameters", toHex(rest))];
}

function answerReadings(request: Uint8Array | undefined, body: Uint8Array, traced: Traced): DecodedValue[] {
  const status = statusOf(body);
  const reader = new ByteReader(body, traced);
  if (status !== undefined) {
    reader.note("status", 1, { word: statusCodes[status] ?? "unknown" });
    return [{ ...reading("status", status), function: statusNames[status] ?? "unknown" }];
  }
  const found = dataReadings(request, reader);
  if (!reader.done) reader.fail("bytes left over");
  return found;
}

function dataReadings(request: Uint8Array | undefined, reader: ByteReader): DecodedValue[] {
  const [code, parameter] = request ?? [];
  if (request === undefined) return reader.remaining === 16 ? energyReadings(reader) : raw(reader);
  if (code === 0x04) return parameter === 0 ? clockReadings(reader) : journalReadings(parameter ?? 0, reader);
  if (code === 0x05) return (parameter ?? 0) >> 4 === 6 ? phaseReadings(reader) : energyReadings(reader);
  if (code === 0x06 && reader.remaining === 15) return profileReadings(reader);
  return code === 0x08 ? parameterReadings(request, reader) : raw(reader);
}

const raw = (reader: ByteReader): DecodedValue[] => [
  reading("data", toHex(reader.take(reader.remaining, "data"))),
];

function energyReadings(reader: ByteReader): DecodedValue[] {
  const { aPlus, aMinus, rPlus, rMinus } = parseEnergy(reader);
  return [
    reading("A+", aPlus, "Wh"),
    reading("A-", aMinus, "Wh"),
    reading("R+", rPlus, "varh"),
    reading("R-", rMinus, "varh"),
  ];
}

function phaseReadings(reader: ByteReader): DecodedValue[] {
  return ([1, 2, 3] as const).map((phase) => {
    const start = reader.position;
    const value = readFour(reader);
    reader.noteSince(start, { code: "energy_way", n: "A+", phase, unit: "Wh" }, value);
    return reading(`A+ phase ${phase}`, value, "Wh");
  });
}

function clockReadings(reader: ByteReader): DecodedValue[] {
  const { local, isWinter } = readClock(reader);
  return [reading("clock", localText(local)), reading("season", isWinter ? "winter" : "summer")];
}

function journalReadings(journal: number, reader: ByteReader): DecodedValue[] {
  const { beganLocal, endedLocal } = parseEvent(reader);
  const text = (local: number | null) => (local === null ? null : localText(local));
  const name = journals[journal]?.name ?? `journal ${journal}`;
  return [reading(`${name}: began`, text(beganLocal)), reading(`${name}: ended`, text(endedLocal))];
}

function profileReadings(reader: ByteReader): DecodedValue[] {
  const record = parseProfileRecord(reader);
  if (!record) {
    reader.take(reader.remaining, "never_written");
    return [reading("profile", null)];
  }
  const time = localText(record.endLocal);
  const names = ["A+", "A-", "R+", "R-"];
  return [
    ...record.counts.map((count, at) => ({
      ...reading(`profile ${names[at] ?? ""}`, count, "pulses"),
      time,
    })),
    reading("period", record.periodMinutes, "min"),
    reading("incomplete", record.isIncomplete),
  ];
}

function parameterReadings(request: Uint8Array, reader: ByteReader): DecodedValue[] {
  switch (request[1]) {
    case 0x00: {
      const { serial, made } = parseSerial(reader);
      return [reading("serial number", serial), reading("date of manufacture", made)];
    }
    case 0x02:
      return [reading("Ku", reader.u16be("ku")), reading("Ki", reader.u16be("ki"))];
    case 0x03:
      return [reading("firmware", [...reader.take(3, "firmware")].join("."))];
    case 0x13: {
      const { address, endLocal, periodMinutes } = parseLastProfile(reader);
      return [
        { ...reading("last record", address), time: localText(endLocal) },
        reading("period", periodMinutes, "min"),
      ];
    }
    case 0x16:
      return instantReadings(request[2], reader);
    case 0x18:
      return loadReadings(reader);
    case 0x19:
      return [reading("power limit", nameLimit(reader), "W")];
    default:
      return raw(reader);
  }
}

function loadReadings(reader: ByteReader): DecodedValue[] {
  const isOn = nameState(reader, "load_control");
  if (!reader.done) reader.take(reader.remaining, "parameters");
  return [reading("load", isOn)];
}

function instantReadings(bwri: number | undefined, reader: ByteReader): DecodedValue[] {
  // The low nibble selects one phase on meters that support it; public clients request the first and get all.
  const name = instantNames.find((each) => instants[each].bwri === bwri);
  if (name === undefined || reader.remaining !== instants[name].count * 3) return raw(reader);
  const kind = instants[name];
  const values = parseInstant(reader, kind);
  const numbered = (at: number) => {
    if (values.length === 1) return kind.name;
    return values.length === 4 && at === 0
      ? `${kind.name} sum`
      : `${kind.name} ${values.length === 4 ? at : at + 1}`;
  };
  return values.map((value, at) => reading(numbered(at), value, kind.unit));
}

/**
 * Names every byte of an exchange; undecodable bytes are named by the reason, as the log also shows errors.
 * Never throws.
 */
export function explainMercury(sent: Uint8Array, received: Uint8Array): { sent: Span[]; received: Span[] } {
  const isRequestGood = sent.length > 0 && isGood(() => decodeMercury230({ request: sent }));
  const shift = isRequestGood ? sent.length : 0;
  return {
    sent: explainStretch(0, sent.length, (trace) => {
      decodeMercury230({ request: sent }, { trace });
    }),
    received: explainStretch(0, received.length, (trace) => {
      const both: Span[] = [];
      try {
        decodeMercury230(
          { ...(isRequestGood ? { request: sent } : {}), response: received },
          { trace: both },
        );
      } finally {
        const own = both.filter(({ offset }) => offset >= shift);
        trace.push(...own.map((span) => ({ ...span, offset: span.offset - shift })));
      }
    }),
  };
}

function isGood(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}
