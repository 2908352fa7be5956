import type { Socket } from "node:net";

/** Maximum length of an MQTT packet. */
export const maxPacketBytes = 256 * 1024;
/** Packets above this size are counted while they are received. */
const largeBytes = 4 * 1024;

export interface PacketLimit {
  /** Current limit; lower before authentication. Default: 256 KiB. */
  readonly limit?: () => number;
  /** A large packet begins (positive) or is complete or aborted (negative); false: no room for it. */
  readonly onLarge?: (bytes: number) => boolean;
}

/** Ends a connection that announces a packet above the limit, before memory is allocated for it. */
export function limitPackets(socket: Socket, { limit, onLarge }: PacketLimit = {}): void {
  let left = 0;
  let shift = 0;
  let length = 0;
  let inHeader = false;
  let counted = 0;
  const uncount = (): void => {
    if (counted > 0) onLarge?.(-counted);
    counted = 0;
  };
  const begins = (): boolean => {
    left = length;
    inHeader = false;
    if (length <= largeBytes) return true;
    if (onLarge?.(length) === false) return false;
    counted = length;
    return true;
  };
  socket.on("close", uncount);
  socket.on("data", (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) {
      if (left > 0) {
        const step = Math.min(left, bytes.length - at);
        left -= step;
        at += step;
        if (left === 0) uncount();
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (!inHeader) {
        inHeader = true;
        shift = 0;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) << shift;
      shift += 7;
      const isTooLong = length > (limit?.() ?? maxPacketBytes) || shift > 28;
      if (isTooLong || ((byte & 0x80) === 0 && !begins())) {
        socket.destroy();
        return;
      }
    }
  });
}
