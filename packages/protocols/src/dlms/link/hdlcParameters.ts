import { ByteReader, ByteWriter, type Span } from "../../core/bytes.ts";
import type { HdlcParameters } from "./frames.ts";

/** Defaults when SNRM or UA carries no information. Source: IEC 62056-46, 6.4.4.4.3.2. */
export const defaultHdlcParameters: HdlcParameters = {
  maxInfoTx: 128,
  maxInfoRx: 128,
  windowTx: 1,
  windowRx: 1,
};

const identifiers = { maxInfoTx: 0x05, maxInfoRx: 0x06, windowTx: 0x07, windowRx: 0x08 } as const;
const formatIdentifier = 0x81;
const groupIdentifier = 0x80;

/**
 * Information of SNRM or UA, named from the sender's side.
 * Source: IEC 62056-46, 6.4.4.4.3.2. Layout: `81 80` length, then identifier (05 maximum information sent, 06
 * received, 07 window sent, 08 received), length 1..4, value. Empty information or a missing identifier: the
 * default. Others are passed over.
 * Errors: ProtocolError "unexpected".
 */
export function parseHdlcParameters(
  information: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): HdlcParameters {
  if (information.length === 0) return defaultHdlcParameters;
  const reader = new ByteReader(information, options);
  if (reader.u8("format_identifier") !== formatIdentifier)
    reader.fail("negotiation block does not begin with 81");
  if (reader.u8("group_identifier") !== groupIdentifier) reader.fail("group identifier is not 80");
  if (reader.u8("group_length") !== reader.remaining) reader.fail("group length is not that of the block");
  const found: Partial<Record<number, number>> = {};
  while (!reader.done) {
    const [identifier, value] = readParameter(reader);
    found[identifier] = value;
  }
  const known = defaultHdlcParameters;
  return {
    maxInfoTx: found[identifiers.maxInfoTx] ?? known.maxInfoTx,
    maxInfoRx: found[identifiers.maxInfoRx] ?? known.maxInfoRx,
    windowTx: found[identifiers.windowTx] ?? known.windowTx,
    windowRx: found[identifiers.windowRx] ?? known.windowRx,
  };
}

function readParameter(reader: ByteReader): readonly [identifier: number, value: number] {
  const identifier = reader.u8("hdlc_parameter");
  const length = reader.u8("parameter_length");
  if (length > 4) reader.fail("parameter longer than 4 bytes");
  const start = reader.position;
  const value = reader.take(length).reduce((sum, byte) => sum * 256 + byte, 0);
  reader.noteSince(start, "parameter_value", value);
  return [identifier, value];
}

/**
 * The mirror of `parseHdlcParameters`: sizes in 1 or 2 bytes, windows in 4, as the standard's example has
 * them.
 */
export function hdlcParametersBytes(parameters: HdlcParameters): Uint8Array {
  const block = new ByteWriter();
  for (const name of ["maxInfoTx", "maxInfoRx"] as const) {
    const value = parameters[name];
    block.u8(identifiers[name]);
    if (value < 0x100) block.u8(1).u8(value);
    else block.u8(2).u16be(value);
  }
  for (const name of ["windowTx", "windowRx"] as const)
    block.u8(identifiers[name]).u8(4).u32be(parameters[name]);
  return new ByteWriter()
    .u8(formatIdentifier)
    .u8(groupIdentifier)
    .u8(block.length)
    .raw(block.finish())
    .finish();
}
