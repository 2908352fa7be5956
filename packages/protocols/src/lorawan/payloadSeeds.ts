import { ByteWriter, fromHex } from "../core/bytes.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { decodeLorawan, lorawanCodecs } from "./builtIn.ts";
import { decentlabProducts, type WordRule } from "./decentlabProducts.ts";

/** Payloads of the other codecs built from their layouts: every known item and kind. */
const madeByHand: Readonly<Record<string, readonly string[]>> = {
  "dragino/lht65n": ["cbc6 0bb0 0176 01 0add 7fff", "8b99 fc18 03e8 00 7fff 7fff"],
  "milesight/em300-sld-zld": ["017564 03671001 046871 050001 ff030a00", "20ce9e74466310015d01"],
  "milesight/em300-th": ["017564 03671001 046871", "20ce9e74466310015d00 20ce9e744663f0ff5d01"],
  "vutility/pulsedrop": ["1c c5 7a 00010203 00000000"],
  "yobiiq/em4301": [
    "0100 00000001 0101 6553f100 0104 0000ffff 0105 ffffffff",
    "010c 000008fc 010d 000008fd 010e 000008fe 0110 00000001 0111 00000002 0112 00000003",
    "0114 000003e8 0115 000003e9 0123 1388 0124 00000001 0125 fffffffe",
  ],
};

/** A payload with the first groups of a product. Layout: `decodeDecentlab`. */
function decentlabPayload(groups: readonly (readonly WordRule[])[], flags: number): Uint8Array {
  const writer = new ByteWriter(128).u8(2).u16be(4711).u16be(flags);
  for (const [at, rules] of groups.entries())
    for (const { words } of (flags & (1 << at)) === 0 ? [] : rules)
      for (let word = 0; word < words; word++) writer.u16be(0x8000 + 257 * at + word);
  return writer.finish();
}

function seedsOf(codec: string): readonly Uint8Array[] {
  const [, groups] =
    Object.entries(decentlabProducts).find(([product]) => codec === `decentlab/${product}`) ?? [];
  if (!groups) return (madeByHand[codec] ?? []).map(fromHex);
  const all = 2 ** groups.length - 1;
  return [all, all >> 1, 2 ** (groups.length - 1)].map((flags) => decentlabPayload(groups, flags));
}

/** Every built-in codec; the first byte of a seed is the port, which most of them ignore. */
export const lorawanFuzz: readonly FuzzTarget[] = lorawanCodecs.map((codec) => ({
  name: codec,
  seeds: seedsOf(codec).map((payload) => Uint8Array.of(2, ...payload)),
  decode: (bytes) => decodeLorawan(codec, { payload: bytes.subarray(1), fport: bytes[0] ?? 0, trace: [] }),
}));
