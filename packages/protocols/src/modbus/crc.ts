const table = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});

/**
 * CRC-16 of Modbus RTU over `bytes`; with `start` 0 it is CRC-16/ARC, as P1 telegrams have it.
 * Source: Modbus over Serial Line V1.02, section 6.2.2 (polynomial A001 reflected, start FFFF).
 * Layout: sent low byte first, after the data.
 */
export function crc16(bytes: Uint8Array, start = 0xffff): number {
  let crc = start;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}
