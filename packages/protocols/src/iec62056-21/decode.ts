import type { Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { undecoded } from "../core/spans.ts";
import type { Decoded, DecodedValue } from "../core/reading.ts";
import { leftOutWords, parseDataLines, readWholeLines } from "./dataLine.ts";
import { bauds, bccOf, messageLength, parseMessage, type BlockCheck, type IecMessage } from "./message.ts";
import { decodedValues, spanOf, withControls } from "./show.ts";
import { textOf, withoutParity } from "./text.ts";

/** One message with its contents, for display. */
interface Shown {
  readonly device: Record<string, string | number>;
  readonly readings: DecodedValue[];
  readonly warnings?: readonly string[];
}

const reading = (name: string, value: DecodedValue["value"], unit = ""): DecodedValue => ({
  name,
  value,
  unit,
});

/**
 * Decodes messages of either side for display, consecutive ones as a meter sends them (identification and
 * block, in mode D identification and bare lines), or bare data lines.
 * Source and layout: `parseMessage`; parity bits are removed. Data sets give a reading per bracket, an error
 * text one named `result`. Passwords are not shown.
 * Errors: ProtocolError "checksum", "unexpected" with the offset.
 */
export function decodeIec62056(raw: Uint8Array, options: { trace?: Span[] | undefined } = {}): Decoded {
  const bytes = withoutParity(raw);
  const isMessage = bytes.length > 0 && (bytes[0] === 0x2f || (bytes[0] ?? 0) < 0x20);
  const shown = isMessage
    ? messagesOf(bytes, options.trace)
    : [{ ...showText(textOf(bytes), { offset: 0, trace: options.trace }), warnings: [bareLines] }];
  options.trace?.sort((a, b) => a.offset - b.offset);
  return {
    protocol: "iec62056-21",
    device: Object.fromEntries(shown.flatMap(({ device }) => Object.entries(device))),
    readings: shown.flatMap(({ readings }) => readings),
    warnings: shown.flatMap(({ warnings = [] }) => warnings),
  };
}

const bareLines = "bare data lines, no checksum";

/** Lines behind an identification without a control character before them, as in mode D. */
function showBareBlock(bytes: Uint8Array, { offset, trace }: Place): Shown {
  const text = textOf(bytes.subarray(offset));
  const shown = showText(text, { offset, trace });
  if (shown.readings.length === 0)
    throw new ProtocolError("unexpected", "the message is not whole", { offset });
  return { ...shown, warnings: [bareLines] };
}

function messagesOf(bytes: Uint8Array, trace: Span[] | undefined): Shown[] {
  const shown: Shown[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at > 0 && (bytes[at] === 0x0d || bytes[at] === 0x0a))
      return [...shown, showBareBlock(bytes, { offset: at, trace })];
    const length = messageLength(bytes.subarray(at));
    if (length === undefined)
      throw new ProtocolError("unexpected", "the message is not whole", { offset: bytes.length });
    const own: Span[] | undefined = trace && [];
    const message = bytes.subarray(at, at + length);
    const check = checkOf(message);
    shown.push(showMessage(parseMessage(message, { check, trace: own }), { offset: at, trace }));
    trace?.push(...(own ?? []).map((span) => ({ ...span, offset: span.offset + at })));
    at += length;
  }
  return shown;
}

/** The meter is unknown here: a block may be closed with either checksum. */
const checkOf = (message: Uint8Array): BlockCheck =>
  message.length > 2 && bccOf(message.subarray(1, -1), "sum") === message.at(-1) ? "sum" : "xor";

interface Place {
  readonly offset: number;
  readonly trace: Span[] | undefined;
}

function showMessage(message: IecMessage, place: Place): Shown {
  switch (message.kind) {
    case "request":
      return { device: {}, readings: [reading("sign-on", message.address)] };
    case "identification": {
      const { manufacturer, type, baud } = message;
      return { device: { manufacturer, type, baud: bauds[Number(baud)] ?? baud }, readings: [] };
    }
    case "option":
      return { device: {}, readings: [reading("baud", message.baud), reading("mode", message.mode)] };
    case "ack":
    case "nak":
      return { device: {}, readings: [reading("result", message.kind)] };
    case "data":
      return showReadOut(message.text, { ...place, offset: place.offset + message.offset });
    case "command":
      return showCommand(message, place);
  }
}

function showCommand(
  { command, text, offset }: Extract<IecMessage, { kind: "command" }>,
  place: Place,
): Shown {
  const name = reading("command", command);
  const isSecret = command === "P1" || command === "P2";
  if (text === "" || isSecret) return { device: {}, readings: [name] };
  const { readings } = showText(text, { ...place, offset: place.offset + offset });
  return { device: {}, readings: [name, ...readings] };
}

/** The text of a block, whose checksum proves that the meter has sent it so. */
function showReadOut(text: string, { offset, trace }: Place): Shown {
  const isWhole = !/[^!\s]/.test(text) || /^\(ER/.test(text);
  if (isWhole) return showText(text, { offset, trace });
  const lines = readWholeLines(text, offset);
  trace?.push(...lines.sets.map(spanOf));
  return { device: {}, readings: lines.sets.flatMap(decodedValues), warnings: leftOutWords(lines) };
}

function showText(text: string, { offset, trace }: Place): Shown {
  const sets = parseDataLines(text, offset);
  trace?.push(...sets.map(spanOf));
  const isError = /^\(ER/.test(text);
  const readings = sets.flatMap(decodedValues);
  return { device: {}, readings: isError ? readings.map((each) => ({ ...each, name: "result" })) : readings };
}

/** Names every byte of one side; bytes that are not a message become one span. Never throws. */
export function explainIec(bytes: Uint8Array): Span[] {
  if (bytes.length === 0) return [];
  const trace: Span[] = [];
  try {
    decodeIec62056(bytes, { trace });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return [{ offset: 0, bytes: bytes.length, name: undecoded(error), value: null }];
  }
  return withControls(bytes, trace);
}
