import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
} from "node:crypto";
import { z } from "zod/mini";

/** Content of a licence. Times are epoch seconds; it is valid before `expires_at`. */
const Payload = z.object({
  id: z.string(),
  company: z.string(),
  devices: z.int().check(z.nonnegative()),
  issued_at: z.int(),
  expires_at: z.int(),
});
export type Licence = z.infer<typeof Payload>;

const Signed = z.object({ licence: z.record(z.string(), z.unknown()), signature: z.string() });

/** First line of the signed text: a signature made for another purpose is never valid for a licence. */
const purpose = "metrum-licence-1\n";

/**
 * Signs a licence with an Ed25519 private key (PKCS #8, PEM). Returns the text of the file: the licence in
 * readable form and the signature of its canonical form. Throws Error for a key of another kind.
 */
export function issueLicence(privateKey: string, given: Omit<Licence, "id">): string {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the key is not an Ed25519 private key");
  const licence: Licence = { id: randomUUID(), ...given };
  const signature = sign(null, bytesOf(licence), key).toString("base64url");
  return `${JSON.stringify({ licence, signature }, null, 2)}\n`;
}

/** The licence in the file if its signature is valid for one of the keys; undefined otherwise. */
export function readLicence(text: string, publicKeys: readonly string[]): Licence | undefined {
  const file = Signed.safeParse(parsed(text));
  if (!file.success) return undefined;
  const { licence, signature } = file.data;
  const isSigned = publicKeys.some((key) =>
    verify(null, bytesOf(licence), keyOf(key), Buffer.from(signature, "base64url")),
  );
  return isSigned ? Payload.safeParse(licence).data : undefined;
}

/**
 * A key pair for a publisher of licences: a private key to keep secret and a public key to build into the
 * product.
 */
export function makeKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = String(pair.publicKey.export({ format: "jwk" }).x);
  // One key in 64 begins with a dash, and could not be passed after `--public-key`.
  if (publicKey.startsWith("-")) return makeKeys();
  return { privateKey: pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString(), publicKey };
}

/** Whether a text is a public key as `makeKeys` writes it: 32 bytes, base64url. */
export function isPublicKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

function keyOf(x: string) {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/**
 * Canonical form: sorted keys and no white space, so that reformatting the file does not invalidate the
 * signature.
 */
function bytesOf(licence: Readonly<Record<string, unknown>>): Buffer {
  const entries = Object.entries(licence).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(purpose + JSON.stringify(Object.fromEntries(entries)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
