import type { Span } from "../core/bytes.ts";
import type { Decoded } from "../core/reading.ts";
import { decodeDecentlab } from "./decentlab.ts";
import { decentlabProducts, type DecentlabProduct } from "./decentlabProducts.ts";
import { decodeEm300 } from "./milesight.ts";
import type { PayloadDecoder } from "./payload.ts";
import { decodeLht65n, decodePulseDrop } from "./smallSensors.ts";
import { decodeEm4301 } from "./yobiiq.ts";

const isProduct = (name: string): name is DecentlabProduct => Object.hasOwn(decentlabProducts, name);

const others: Readonly<Record<string, PayloadDecoder>> = {
  "dragino/lht65n": decodeLht65n,
  "milesight/em300-sld-zld": decodeEm300,
  "milesight/em300-th": decodeEm300,
  "vutility/pulsedrop": decodePulseDrop,
  "yobiiq/em4301": decodeEm4301,
};

/** Names of the payload codecs that are built in: maker and product ("decentlab/dl-dlr2-002"). */
export const lorawanCodecs: readonly string[] = [
  ...Object.keys(others),
  ...Object.keys(decentlabProducts).map((product) => `decentlab/${product}`),
].sort();

function decoderOf(codec: string): PayloadDecoder | undefined {
  const product = codec.replace(/^decentlab\//, "");
  if (product !== codec && isProduct(product)) return decodeDecentlab(product);
  return Object.hasOwn(others, codec) ? others[codec] : undefined;
}

/**
 * Decodes a payload with a built-in codec for `metrum decode lorawan`; undefined when there is none of this
 * name. Errors: ProtocolError.
 */
export function decodeLorawan(
  codec: string,
  {
    payload,
    fport,
    trace,
  }: { readonly payload: Uint8Array; readonly fport: number; readonly trace?: Span[] | undefined },
): Decoded | undefined {
  const decode = decoderOf(codec);
  if (!decode) return undefined;
  const readings = decode(payload, fport, trace);
  return { protocol: "lorawan", device: { codec, fport }, readings, warnings: [] };
}
