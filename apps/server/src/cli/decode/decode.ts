import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { explainStretch, fromHex, ProtocolError, type Decoded, type Span } from "@metrum/protocols/core";
import { decodeDlmsApdu, decodeDlmsHdlc } from "@metrum/protocols/dlms";
import { decodeIec62056 } from "@metrum/protocols/iec62056-21";
import { decodeMbus } from "@metrum/protocols/mbus";
import { decodeMercury230 } from "@metrum/protocols/mercury230";
import { decodeModbus } from "@metrum/protocols/modbus";
import { decodeP1 } from "@metrum/protocols/p1";
import { decodeWmbus, formatCache, telegramOfLine } from "@metrum/protocols/wmbus";
import { decodePayload } from "./decodeLorawan.ts";
import { explainedField, type ExplainedField } from "./fieldWords.ts";
import { traceText } from "./traceText.ts";
import { UsageError } from "../usage.ts";

/** Input in addition to the frame; `explain` requests the meaning of every byte. */
export interface DecodeOptions {
  readonly explain?: boolean;
  /** AES key in hexadecimal. */
  readonly key?: string;
  /** File of a payload codec, or the title of a model that has one built in. */
  readonly codec?: string;
  readonly fport?: number;
}

/** Decodes the text given as HEX. Errors: ProtocolError. */
type Decoder = (hex: string, options: DecodeOptions & { readonly trace: Span[] | undefined }) => Decoded;

/** Full frames of this run, with whose layouts compact frames of later lines are read. */
const radioFormats = formatCache();

const decoders: Readonly<Record<string, Decoder>> = {
  mbus: (hex, options) => decodeMbus(fromHex(hex), options),
  "dlms-apdu": (hex, options) => decodeDlmsApdu(fromHex(hex), options),
  "dlms-hdlc": (hex, options) => decodeDlmsHdlc(fromHex(hex), options),
  "iec62056-21": (hex, options) => decodeIec62056(fromHex(hex), options),
  mercury230: (hex, options) => decodeMercury230(exchangeOf(hex), options),
  p1: (hex, options) => decodeP1(fromHex(hex), options),
  "modbus-rtu": (hex, options) => decodeModbus("modbus-rtu", exchangeOf(hex), options),
  "modbus-tcp": (hex, options) => decodeModbus("modbus-tcp", exchangeOf(hex), options),
  wmbus: (hex, options) => decodeWmbus(radioTelegramOf(hex), { ...options, formats: radioFormats }),
};

/** Hexadecimal, or the output line of a receiver (rtl-wmbus, CUL). */
function radioTelegramOf(line: string): Uint8Array {
  return telegramOfLine(line)?.telegram ?? fromHex(line);
}

/** `REQUEST/RESPONSE`, either side may be empty; without a slash it is the response. */
function exchangeOf(hex: string): { request?: Uint8Array; response?: Uint8Array } {
  const [first = "", second, ...more] = hex.split("/");
  if (more.length > 0) throw new ProtocolError("unexpected", "more than one slash", { offset: 0 });
  if (second === undefined) return { response: fromHex(first) };
  return {
    ...(first.trim() === "" ? {} : { request: fromHex(first) }),
    ...(second.trim() === "" ? {} : { response: fromHex(second) }),
  };
}

/** One printed answer: the decoded frame, or its error. */
export type Answer =
  | (Decoded & { readonly fields?: readonly ExplainedField[] })
  | {
      readonly error: { readonly kind: string; readonly offset: number | null; readonly message: string };
      /** Values read before the error. */
      readonly fields?: readonly ExplainedField[];
    };

/**
 * Decodes one frame for display; a bad frame is an answer, not an exception. Errors: UsageError for an
 * unknown protocol.
 */
export function decode(protocol: string, hex: string, options: DecodeOptions = {}): Answer {
  const decoder = decoderOf(protocol);
  const trace: Span[] | undefined = options.explain ? [] : undefined;
  try {
    const decoded = decoder(hex, { ...options, trace });
    return trace ? { ...decoded, fields: wholeTrace(hex, trace) } : decoded;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const failure = { kind: error.kind, offset: error.offset ?? null, message: error.message };
    return trace ? { error: failure, fields: wholeTrace(hex, trace, error) } : { error: failure };
  }
}

/**
 * The trace in order, with entries for bytes that the decoder does not name (line ends, bytes after an
 * error). A line of a receiver is left as it is.
 */
function wholeTrace(hex: string, trace: readonly Span[], error?: ProtocolError): ExplainedField[] {
  const digits = hex.replaceAll(/[\s/]/g, "");
  const length = /^(?:[0-9a-f]{2})*$/i.test(digits) ? digits.length / 2 : 0;
  return explainStretch(0, length, (all) => {
    all.push(...trace);
    if (error) throw error;
  }).map(explainedField);
}

/** The same for LoRaWAN payloads, whose codec may be a file run by the codec interpreter. */
async function answerOf(protocol: string, hex: string, options: DecodeOptions): Promise<Answer> {
  return protocol === "lorawan" ? decodePayload(hex, options) : decode(protocol, hex, options);
}

function decoderOf(protocol: string): Decoder {
  const decoder = Object.hasOwn(decoders, protocol) ? decoders[protocol] : undefined;
  if (decoder) return decoder;
  throw new UsageError(
    `Unknown protocol "${protocol}". Known: ${[...Object.keys(decoders), "lorawan"].join(", ")}`,
  );
}

export async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      explain: { type: "boolean", default: false },
      key: { type: "string" },
      codec: { type: "string" },
      fport: { type: "string" },
    },
    allowPositionals: true,
  });
  const [protocol, hex, ...more] = positionals;
  if (protocol === undefined || hex === undefined || more.length > 0)
    throw new UsageError(
      "decode PROTOCOL HEX [--key HEX] [--codec FILE-or-MODEL --fport N] [--explain]; - as HEX reads frames from standard input",
    );
  const options = optionsOf(values);
  const { explain } = options;
  if (hex === "-") return decodeLines(protocol, options);
  const answer = await answerOf(protocol, hex, options);
  console.log(explain && process.stdout.isTTY ? traceText(answer, hex) : JSON.stringify(answer));
  return "error" in answer ? 1 : 0;
}

interface Given {
  readonly explain: boolean;
  readonly key?: string;
  readonly codec?: string;
  readonly fport?: string;
}

function optionsOf({ explain, key, codec, fport }: Given): DecodeOptions {
  if (key !== undefined && !/^(?:[0-9a-f]{32}|[0-9a-f]{64})$/i.test(key))
    throw new UsageError("--key takes 32 or 64 hexadecimal digits");
  if (fport !== undefined && !(/^\d{1,3}$/.test(fport) && Number(fport) <= 255))
    throw new UsageError("--fport takes a number from 0 to 255");
  return {
    explain,
    ...(key === undefined ? {} : { key }),
    ...(codec === undefined ? {} : { codec }),
    ...(fport === undefined ? {} : { fport: Number(fport) }),
  };
}

/**
 * One JSON object per line, in the order of the frames; waits while the reader of standard output is slower.
 */
async function decodeLines(protocol: string, options: DecodeOptions): Promise<number> {
  if (protocol !== "lorawan") decoderOf(protocol);
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const isRoomLeft = process.stdout.write(`${JSON.stringify(await answerOf(protocol, line, options))}\n`);
    if (!isRoomLeft) await once(process.stdout, "drain");
  }
  return 0;
}
