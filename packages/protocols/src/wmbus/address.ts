import { ByteWriter } from "../core/bytes.ts";
import { encodeDecimal } from "../mbus/dataTypes.ts";
import { manufacturerWord } from "../mbus/header.ts";

/** Manufacturer, number, version, medium as on the air. Errors: none. */
export function addressOf(of: {
  readonly manufacturer: string;
  readonly id: string;
  readonly version: number;
  readonly medium: number;
}): Uint8Array {
  const writer = new ByteWriter()
    .u16le(manufacturerWord(of.manufacturer))
    .raw(encodeDecimal(Number(of.id), 4));
  return writer.u8(of.version).u8(of.medium).finish();
}
