const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  return crc;
});

/**
 * Check sequence of HDLC (CRC-16/X-25): polynomial 1021 reflected, begins with FFFF, inverted at the end.
 * Source: ISO/IEC 13239; 720 frames of the shared recording. On the line the low byte comes first.
 */
export function crcX25(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) crc = (crc >> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return crc ^ 0xffff;
}
