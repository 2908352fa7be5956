import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSealed, openPieces, sealPieces } from "./sealed.ts";

const passphrase = "correct horse battery staple";

async function* piecesOf(whole: Buffer, bytes = 70_001): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += bytes)
    yield await Promise.resolve(whole.subarray(at, at + bytes));
}

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}

const seal = (plain: Buffer): Promise<Buffer> => all(sealPieces(piecesOf(plain), passphrase));
const open = (sealed: Buffer, given = passphrase): Promise<Buffer> =>
  all(openPieces(piecesOf(sealed, 33_333), given));

describe("PROD-036 a backup is encrypted with a passphrase", () => {
  test.each([0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
    "%i bytes come out as they went in, and nothing of them is readable",
    async (bytes) => {
      const plain = randomBytes(bytes);

      const sealed = await seal(plain);

      expect(isSealed(sealed)).toBe(true);
      expect(isSealed(plain)).toBe(false);
      if (bytes > 16) expect(sealed.includes(plain.subarray(0, 16))).toBe(false);
      expect((await open(sealed)).equals(plain)).toBe(true);
    },
  );

  test("two files of one content have nothing in common but their first bytes", async () => {
    const plain = Buffer.alloc(1_000);
    const [one, two] = await Promise.all([seal(plain), seal(plain)]);

    expect(one.subarray(8, 24).equals(two.subarray(8, 24))).toBe(false);
    expect(one.subarray(40).equals(two.subarray(40))).toBe(false);
  });

  test("a passphrase is the same however its letters were composed", async () => {
    const sealed = await all(sealPieces(piecesOf(Buffer.from("text")), "Ключ й"));

    expect((await open(sealed, "Ключ и\u0306")).toString()).toBe("text");
  });

  test("another passphrase, an altered byte, a missing or moved piece and a cut end are refused", async () => {
    const sealed = await seal(randomBytes(200_000));
    const flipped = (at: number): Buffer => {
      const copy = Buffer.from(sealed);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    const piece = 64 * 1024 + 16;
    const [head, first, second, rest] = [
      sealed.subarray(0, 40),
      sealed.subarray(40, 40 + piece),
      sealed.subarray(40 + piece, 40 + 2 * piece),
      sealed.subarray(40 + 2 * piece),
    ];

    await expect(open(sealed, "another passphrase")).rejects.toThrow(/passphrase is not the one/);
    await expect(open(flipped(10))).rejects.toThrow(/passphrase is not the one/);
    await expect(open(flipped(100_000))).rejects.toThrow(/damaged/);
    await expect(open(Buffer.concat([head, second, first, rest]))).rejects.toThrow(/damaged/);
    await expect(open(Buffer.concat([head, first, rest]))).rejects.toThrow(/damaged/);
    await expect(open(Buffer.concat([head, first, second]))).rejects.toThrow(/cut off/);
    await expect(open(sealed.subarray(0, -1))).rejects.toThrow(/cut off/);
    await expect(open(sealed.subarray(0, 20))).rejects.toThrow(/damaged/);
  });
});
