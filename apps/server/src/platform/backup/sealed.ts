import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

/** First bytes of an encrypted file: a name and the version of its layout. */
const magic = Buffer.from("METRUMB\u0001", "latin1");
const saltBytes = 16;
const checkBytes = 16;
const headBytes = magic.length + saltBytes + checkBytes;
const tagBytes = 16;
const keyBytes = 32;
const pieceBytes = 64 * 1024;

/** 128 MiB and about half a second for each guess at a passphrase. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const derive: (passphrase: string, salt: Buffer) => Promise<Buffer> = (passphrase, salt) =>
  promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)(
    passphrase.normalize("NFC"),
    salt,
    keyBytes + checkBytes,
    cost,
  );

/** The passphrase is missing or does not open the file, or a byte of it was altered or is missing. */
export class SealedFault extends Error {
  override readonly name = "SealedFault";
}

/** Whether a file that starts with these bytes is encrypted by `sealPieces`. */
export const isSealed = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(0, magic.length)).equals(magic);

/**
 * Encrypts a stream with a passphrase. Layout: name and version (8 bytes), salt (16), 16 bytes derived of the
 * passphrase that tell a wrong one, then pieces of 64 KiB with their tags (16), the last one shorter or empty.
 * AES-256-GCM with a key by scrypt; the nonce is the number of the piece and whether it is the last, so that none
 * can be left out, moved or cut off.
 */
export async function* sealPieces(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const derived = await derive(passphrase, salt);
  const head = Buffer.concat([magic, salt, derived.subarray(keyBytes)]);
  const key = derived.subarray(0, keyBytes);
  yield head;
  let number = 0;
  for await (const { data, isLast } of cut(source, pieceBytes)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number++, isLast)).setAAD(head);
    yield Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts what `sealPieces` has made. Errors: SealedFault. */
export async function* openPieces(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const pieces = cut(source, pieceBytes + tagBytes, headBytes);
  const first = await pieces.next();
  const head: Buffer = first.done === true ? Buffer.alloc(0) : first.value.data;
  if (head.length < headBytes || !isSealed(head)) throw new SealedFault("the head is damaged");
  const derived = await derive(passphrase, head.subarray(magic.length, magic.length + saltBytes));
  if (!derived.subarray(keyBytes).equals(head.subarray(-checkBytes)))
    throw new SealedFault("the passphrase is not the one of this file");
  let number = 0;
  for await (const { data, isLast } of pieces)
    yield opened({ data, head, key: derived.subarray(0, keyBytes), nonce: nonceOf(number++, isLast) });
}

function opened(given: Readonly<Record<"data" | "head" | "key" | "nonce", Buffer>>): Buffer {
  const { data, head, key, nonce } = given;
  if (data.length < tagBytes) throw new SealedFault("it is cut off");
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, nonce)
      .setAAD(head)
      .setAuthTag(data.subarray(-tagBytes));
    return Buffer.concat([cipher.update(data.subarray(0, -tagBytes)), cipher.final()]);
  } catch (cause) {
    throw new SealedFault("a piece is damaged or cut off", { cause });
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Pieces of exactly `bytes`, the first of `firstBytes`; the last one, which may be empty, is marked. */
async function* cut(
  source: AsyncIterable<Buffer>,
  bytes: number,
  firstBytes = bytes,
): AsyncGenerator<{ readonly data: Buffer; readonly isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  let wanted = firstBytes;
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= wanted) {
      yield { data: held.subarray(0, wanted), isLast: false };
      held = held.subarray(wanted);
      wanted = bytes;
    }
  }
  yield { data: held, isLast: true };
}
