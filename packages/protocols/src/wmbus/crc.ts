const polynomial = 0x3d65;

const table: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) !== 0 ? (crc << 1) ^ polynomial : crc << 1;
  return crc & 0xffff;
});

/**
 * Check sum of wireless M-Bus: of blocks on the air, of the payload of the extended link layer, of formats
 * and full frames.
 * Source: EN 13757-4, 12.4 (CRC-16 with polynomial 3D65, start 0, result inverted). Errors: none.
 */
export function crcEn13757(bytes: Uint8Array): number {
  const crc = bytes.reduce((sum, byte) => ((sum << 8) & 0xffff) ^ (table[(sum >> 8) ^ byte] ?? 0), 0);
  return crc ^ 0xffff;
}
