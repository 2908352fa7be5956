import { ByteWriter, fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { manufacturerLetters } from "../../mbus/header.ts";
import { decodeRecords } from "../../mbus/records.ts";

/** Manufacturer codes of the companies of Diehl Metering. */
const makers: readonly string[] = ["DME", "EWT", "HYD", "SAP", "SPL"];
/** Unsolicited telegrams of a meter (SND_NR, SND_IR). */
const sent: readonly number[] = [0x44, 0x46];
const at = { control: 1, manufacturer: 2, ci: 10, configuration: 13, content: 15 } as const;
/** Bit of the configuration word that marks scrambled content ("real data"). */
const scrambledMode = 0x1000;

/**
 * Public keys known to every receiver of the manufacturer; a meter without its own key uses one of them.
 * Source: as `diehlAddress`.
 */
const publicKeys: readonly string[] = ["39BC8A10E66D83F8", "51728910E66D83F8"];

/**
 * The AES key of these meters in security mode 5 without their own key: the second public key twice.
 * Source: as `diehlAddress`.
 */
const publicAesKey = fromHex("51728910E66D83F851728910E66D83F8");
export const publicKeyOf = (manufacturer: string): Uint8Array | undefined =>
  makers.includes(manufacturer) ? publicAesKey : undefined;

/**
 * Order of the eight bytes of the address. "number5": the number takes five bytes, and version and medium are
 * not sent.
 */
export type DiehlAddress = "swapped" | "number5";

/**
 * How the address stands in a telegram of a Diehl meter that does not keep to the order of the standard;
 * undefined for all others.
 * Source: the public reader wmbusmeters (manufacturer_specificities). Layout: with CI A0 to A7 (PRIOS), B1 to
 * B3, 71, and with CI 7A whose configuration has bit 12, version and medium stand before the number; meters
 * of SAP send a number of five bytes instead and are water meters.
 * Errors: none.
 */
export function diehlAddress(frame: Uint8Array): DiehlAddress | undefined {
  const word = (frame[at.manufacturer] ?? 0) | ((frame[at.manufacturer + 1] ?? 0) << 8);
  const maker = manufacturerLetters(word);
  if (!makers.includes(maker) || !sent.includes(frame[at.control] ?? 0)) return undefined;
  const ci = frame[at.ci] ?? 0;
  if (ci >= 0xa0 && ci <= 0xa7) return maker === "SAP" ? "number5" : "swapped";
  return ci === 0x71 || (ci >= 0xb1 && ci <= 0xb3) || isScrambled(frame) ? "swapped" : undefined;
}

/** Whether the records after CI 7A are scrambled; the manufacturer is already known to be Diehl. */
function isScrambled(frame: Uint8Array): boolean {
  const configuration = (frame[at.configuration] ?? 0) | ((frame[at.configuration + 1] ?? 0) << 8);
  return frame.length >= at.content && frame[at.ci] === 0x7a && (configuration & scrambledMode) !== 0;
}

/** The same, for a telegram of any manufacturer. Errors: none. */
export const isDiehlScrambled = (frame: Uint8Array): boolean =>
  diehlAddress(frame) === "swapped" && isScrambled(frame);

const wordAt = (bytes: Uint8Array, start: number): number =>
  (((bytes[start] ?? 0) << 24) |
    ((bytes[start + 1] ?? 0) << 16) |
    ((bytes[start + 2] ?? 0) << 8) |
    (bytes[start + 3] ?? 0)) >>>
  0;

/** A key of eight bytes as initial value of the shift register. */
const seedOf = (key: Uint8Array): number => (wordAt(key, 0) ^ wordAt(key, 4)) >>> 0;

/** Candidate keys of the shift register: the first eight bytes of the device's key, or the public ones. */
export const diehlSeeds = (key: Uint8Array | undefined): readonly number[] =>
  key === undefined ? publicKeys.map((text) => seedOf(fromHex(text))) : [seedOf(key)];

/**
 * Takes the manufacturer's scrambling off the bytes behind the header, or puts it on: it is its own reverse.
 * Source: as `diehlAddress`. Layout: a shift register of 32 bits, bits 31, 11, 2 and 1 fed back, eight steps
 * a byte; it begins with the key, the bytes 2 to 5, 6 to 9 and 10 to 13 of the telegram, all four combined by
 * exclusive or, high byte first. The content begins at byte 15.
 * Errors: ProtocolError "unexpected" for a telegram that is shorter.
 */
export function descramble(frame: Uint8Array, seed: number): Uint8Array {
  if (frame.length < at.content)
    throw new ProtocolError("unexpected", "the telegram ends before its content", { offset: frame.length });
  let register = (seed ^ wordAt(frame, 2) ^ wordAt(frame, 6) ^ wordAt(frame, 10)) >>> 0;
  return Uint8Array.from(frame.subarray(at.content), (byte) => {
    for (let step = 0; step < 8; step++) {
      const fed = ((register >>> 31) ^ (register >>> 11) ^ (register >>> 2) ^ (register >>> 1)) & 1;
      register = ((register << 1) | fed) >>> 0;
    }
    return byte ^ (register & 0xff);
  });
}

/** The records of a scrambled telegram; `isRemoved`: already descrambled by the receiver. */
export interface OpenedDiehl {
  readonly bytes: Uint8Array;
  readonly isRemoved: boolean;
}

/**
 * The records of a telegram of CI 7A that the manufacturer scrambled; undefined when no key opens them.
 * Layout: bits 8 to 15 of the configuration, without bit 12, are the sum of the bytes. Seven bits prove
 * little, so the bytes must be whole records as well. Source and errors: as `descramble`.
 */
export function openDiehl(frame: Uint8Array, key: Uint8Array | undefined): OpenedDiehl | undefined {
  const wanted = (frame[at.configuration + 1] ?? 0) & 0xef;
  const isOpen = (plain: Uint8Array): boolean =>
    (plain.reduce((sum, byte) => sum + byte, 0) & 0xef) === wanted && areRecords(plain);
  for (const seed of diehlSeeds(key)) {
    const bytes = descramble(frame, seed);
    if (isOpen(bytes)) return { bytes, isRemoved: false };
  }
  const sentBytes = frame.subarray(at.content);
  return key === undefined && isOpen(sentBytes) ? { bytes: sentBytes, isRemoved: true } : undefined;
}

function areRecords(bytes: Uint8Array): boolean {
  try {
    return decodeRecords(bytes).records.length > 0;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

/** The telegram with its content scrambled: the meter's side of `descramble`. Errors: as there. */
export function scrambled(frame: Uint8Array, key: Uint8Array | undefined): Uint8Array {
  const [seed = 0] = diehlSeeds(key);
  return new ByteWriter().raw(frame.subarray(0, at.content)).raw(descramble(frame, seed)).finish();
}
