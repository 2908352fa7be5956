import type { ProtocolKey } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { decentlabProducts, type DecentlabProduct, type WordRule } from "./decentlabProducts.ts";
import { decoded, payloadDriver, type FieldRule, type PayloadDecoder } from "./payload.ts";

/**
 * Reads the payloads of a Decentlab device.
 * Source: layout inferred from the payload examples of the public collection of ChirpStack device profiles
 * (MIT); compared with them by a test, with no device at hand.
 * Layout: version (2), device u16, flags u16, then for each flag from the lowest a group of words, all
 * big-endian; the groups of a product are in `decentlabProducts`. The port does not matter.
 * Units: as named. Errors: ProtocolError "unsupported" for another version, "unexpected" for missing or
 * left-over bytes or flags.
 */
export function decodeDecentlab(product: DecentlabProduct): PayloadDecoder {
  const groups: readonly (readonly WordRule[])[] = decentlabProducts[product];
  return (payload, _fport, trace) => {
    const reader = new ByteReader(payload, { trace });
    const version = reader.u8("version");
    if (version !== 2) throw new ProtocolError("unsupported", `version ${version}`, { offset: 0 });
    const device = reader.u16be("device");
    const flags = reader.u16be("groups");
    if (flags >> groups.length) reader.fail("flags of groups that the product has not");
    const values = groups.flatMap((group, at) =>
      (flags >> at) & 1 ? group.map((rule) => readWords(reader, rule)) : [],
    );
    if (!reader.done) reader.fail("bytes left over");
    return [decoded("protocol_version", version), decoded("device_id", device), ...values];
  };
}

function readWords(reader: ByteReader, { name, unit, offset, divisor, words }: WordRule) {
  const start = reader.position;
  const raw = words === 1 ? reader.u16be() : reader.u16be() + reader.u16be() * 65_536;
  const value = (raw - offset) / divisor;
  reader.noteSince(start, { code: "verbatim", n: name, ...(unit === "" ? {} : { unit }) }, value);
  return decoded(name, value, unit);
}

const inWords = (value: number, { offset, divisor, words }: WordRule) =>
  Math.min(words === 1 ? 0xffff : 0xffffffff, Math.max(0, Math.round(value * divisor + offset)));

/** Values that have a name in the driver. */
type DrivenProduct = {
  [Product in DecentlabProduct]: `decentlab-${Product}` extends ProtocolKey ? Product : never;
}[DecentlabProduct];

/**
 * Driver of one product: its stored values with their fields. Layout, source and errors: `decodeDecentlab`.
 */
export function decentlab(product: DrivenProduct, fields: Readonly<Record<string, FieldRule>>): UplinkDriver {
  const groups: readonly (readonly WordRule[])[] = decentlabProducts[product];
  return payloadDriver({
    protocol: `decentlab-${product}`,
    decode: decodeDecentlab(product),
    fields,
    encode: (value) => {
      const writer = new ByteWriter(64)
        .u8(2)
        .u16be(1)
        .u16be(2 ** groups.length - 1);
      for (const rule of groups.flat()) {
        const raw = inWords(rule.name === "battery_voltage" ? 3.1 : value(rule.name), rule);
        writer.u16be(raw % 65_536);
        if (rule.words === 2) writer.u16be(Math.floor(raw / 65_536));
      }
      return { fport: 1, payload: writer.finish() };
    },
  });
}
