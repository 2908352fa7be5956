import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { decodeMbus, decodeModbus, fromHex, ProtocolError, type Decoded, type Span } from "@metrum/protocols";
import { UsageError } from "./usage.ts";

/** Decodes the text given as HEX. Errors: ProtocolError. */
type Decoder = (hex: string, options: { readonly trace: Span[] | undefined }) => Decoded;

const decoders: Readonly<Record<string, Decoder>> = {
  mbus: (hex, options) => decodeMbus(fromHex(hex), options),
  "modbus-rtu": (hex, options) => decodeModbus("modbus-rtu", exchangeOf(hex), options),
  "modbus-tcp": (hex, options) => decodeModbus("modbus-tcp", exchangeOf(hex), options),
};

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

/** One answer as it is printed: the decoded frame, or what is wrong with it. */
export type Answer =
  | (Decoded & { readonly fields?: readonly Span[] })
  | { readonly error: { readonly kind: string; readonly offset: number | null; readonly message: string } };

/** Decodes one frame for people; a bad frame is an answer, not an exception. Errors: UsageError for an unknown protocol. */
export function decode(protocol: string, hex: string, explain: boolean): Answer {
  const decoder = decoderOf(protocol);
  const trace: Span[] | undefined = explain ? [] : undefined;
  try {
    const decoded = decoder(hex, { trace });
    return trace ? { ...decoded, fields: trace } : decoded;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { kind: error.kind, offset: error.offset ?? null, message: error.message } };
  }
}

function decoderOf(protocol: string): Decoder {
  const decoder = Object.hasOwn(decoders, protocol) ? decoders[protocol] : undefined;
  if (decoder) return decoder;
  throw new UsageError(`Unknown protocol "${protocol}". Known: ${Object.keys(decoders).join(", ")}`);
}

export async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { explain: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [protocol, hex, ...more] = positionals;
  if (protocol === undefined || hex === undefined || more.length > 0)
    throw new UsageError("decode PROTOCOL HEX [--explain]; - as HEX reads frames from standard input");
  if (hex === "-") return decodeLines(protocol, values.explain);
  const answer = decode(protocol, hex, values.explain);
  console.log(JSON.stringify(answer));
  return "error" in answer ? 1 : 0;
}

/** One JSON a line, in the order of the frames; waits while the reader of our output is slower. */
async function decodeLines(protocol: string, explain: boolean): Promise<number> {
  decoderOf(protocol);
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const isRoomLeft = process.stdout.write(`${JSON.stringify(decode(protocol, line, explain))}\n`);
    if (!isRoomLeft) await once(process.stdout, "drain");
  }
  return 0;
}
