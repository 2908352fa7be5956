import { ByteWriter, fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { decodeMercury230, explainMercury } from "./decode.ts";
import { closeFrame } from "./frame.ts";
import { instants, requests, type MercuryRequest } from "./requests.ts";
import { writeClock, writeFour, writeThree } from "./values.ts";

const seededRequests: readonly MercuryRequest[] = [
  requests.clock(),
  requests.journal(1, 0),
  requests.energy(0, 0, 0),
  requests.energy(6, 0, 0),
  requests.memory(3, 0x40, 15),
  requests.serial(),
  requests.lastProfile(),
  requests.loadControl(),
  requests.powerLimit(),
  ...Object.values(instants).map((kind) => requests.instant(kind)),
];

const writes: readonly MercuryRequest[] = [
  requests.write("set_clock", 0x0c, 0x40, 0x20, 0x06, 0x06, 0x21, 0x11, 0x26, 1),
  requests.write("correct_clock", 0x0d, 0x40, 0x20, 0x06),
  requests.write("set_power_limit", 0x2c, 0x16, 0xe3, 0x60),
  requests.write("switch_power_limit", 0x2d, 1),
  requests.write("switch_load_off", 0x31, 0),
  requests.write("restart", 0x16),
];

const made = (write: (writer: ByteWriter) => void): Uint8Array => {
  const writer = new ByteWriter();
  write(writer);
  return closeFrame(1, writer.finish());
};

const seeds: readonly Uint8Array[] = [
  closeFrame(1, Uint8Array.of(0)),
  closeFrame(1, Uint8Array.of(5)),
  made((writer) => {
    for (const value of [12_345_678, null, 2_345_678, null]) writeFour(writer, value);
  }),
  made((writer) => {
    for (const value of [23_012, 22_987, 23_155]) writeThree(writer, value);
  }),
  made((writer) => {
    writeClock(writer, { local: 1_795_251_600, isWinter: true });
  }),
  closeFrame(1, Uint8Array.of(1, 0)),
  closeFrame(1, Uint8Array.of(0x16, 0xe3, 0x60)),
  ...writes.map(({ body }) => closeFrame(1, body)),
  closeFrame(1, fromHex("08 00 10 21 11 26 1e 3412 ffff 7856 ffff")),
  closeFrame(1, fromHex("1234 08 00 10 21 11 26 1e")),
];

/**
 * The same bytes with a valid CRC, as the answer to every kind of request: mutated bytes must get past the
 * checksum.
 */
export const mercuryFuzz: FuzzTarget = {
  name: "mercury230",
  seeds,
  decode: (bytes) => {
    const sealed = bytes.length > 3 ? closeFrame(bytes[0] ?? 0, bytes.subarray(1, -2)) : bytes;
    for (const { body } of seededRequests) {
      const request = closeFrame(sealed[0] ?? 0, body);
      try {
        decodeMercury230({ request, response: sealed });
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
    }
    explainMercury(bytes, bytes);
    return decodeMercury230({ response: bytes }, { trace: [] });
  },
};
