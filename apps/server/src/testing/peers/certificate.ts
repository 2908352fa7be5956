import { generateKeyPairSync, sign } from "node:crypto";

/** Building blocks of a certificate: DER (X.690), a tag and the length before the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);
const time = (ms: number) =>
  der(0x18, Buffer.from(new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, ""), "ascii"));

const day = 86_400_000;
/** 1.2.840.10045.4.3.2, ECDSA with SHA-256. */
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
/** 2.5.4.3, common name. */
const name = sequence(
  der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("Metrum test")))),
);
/** 2.5.29.17, subject alternative name: the address 127.0.0.1. */
const extensions = der(
  0xa3,
  sequence(
    sequence(
      der(0x06, Buffer.from("551d11", "hex")),
      der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))),
    ),
  ),
);

/**
 * A self-signed certificate for 127.0.0.1 with a fresh key on P-256, both in PEM, as no dependency creates
 * one. Source: RFC 5280, section 4.1.
 */
export function makeCertificate({ validDays = 30 } = {}): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(now - 40 * day), time(now + validDays * day)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    extensions,
  );
  const signed = sequence(toBeSigned, ecdsaWithSha256, bits(sign("sha256", toBeSigned, privateKey)));
  const base64 = signed.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
}
