/**
 * Tags of values.
 * Source: Green Book 9.5 (Data), IEC 62056-53. The delta types (1C..21) of edition 9 are not known here.
 */
export const dataTags = {
  null: 0x00,
  array: 0x01,
  structure: 0x02,
  bool: 0x03,
  bitString: 0x04,
  int32: 0x05,
  uint32: 0x06,
  octets: 0x09,
  visible: 0x0a,
  utf8: 0x0c,
  bcd: 0x0d,
  int8: 0x0f,
  int16: 0x10,
  uint8: 0x11,
  uint16: 0x12,
  compactArray: 0x13,
  int64: 0x14,
  uint64: 0x15,
  enum: 0x16,
  float32: 0x17,
  float64: 0x18,
  dateTime: 0x19,
  date: 0x1a,
  time: 0x1b,
  dontCare: 0xff,
} as const;
export type DataTypeName = keyof typeof dataTags;

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(dataTags).map(([name, tag]) => [tag, name]),
);

/** Name of a type tag; undefined for one that the standard does not give. */
export const dataTypeName = (tag: number): string | undefined => names.get(tag);

/** Deeper nesting than any object of the Blue Book has; the capture lists of associations need 6. */
export const maxDepth = 16;
