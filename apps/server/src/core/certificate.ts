import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Config } from "#config";

/** Paths of the certificate of the TLS port, followed by its chain, and of its private key; both PEM. */
export type CertificateFiles = Pick<NonNullable<Config["mqtts"]>, "certFile" | "keyFile">;

/** A certificate with its private key, as read. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** End of validity, epoch seconds UTC. */
  readonly validTo: number;
}

/**
 * Reads certificate and key, and checks that they belong together.
 * Errors: Error that names the setting and the fault of its file, but never quotes the file; the certificate's
 * fault where both have one.
 */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
  const cert = await textOf("METRUM_TLS_CERT", certFile);
  const key = await textOf("METRUM_TLS_KEY", keyFile);
  const certificate = parsed("METRUM_TLS_CERT: its file holds no certificate in PEM", () => {
    return new X509Certificate(cert);
  });
  const privateKey: KeyObject = parsed(
    "METRUM_TLS_KEY: its file holds no private key in PEM that opens without a password",
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error("METRUM_TLS_KEY: it is not the key of the certificate of METRUM_TLS_CERT");
  return { cert, key, validTo: Date.parse(certificate.validTo) / 1000 };
}

async function textOf(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    throw new Error(`${setting}: ${path} cannot be read (${code})`, { cause });
  }
}

function parsed<Result>(complaint: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw new Error(complaint, { cause });
  }
}
