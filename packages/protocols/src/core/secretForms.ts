import type { SecretKind } from "@metrum/vocabulary";

/** Secrets supported by a driver, each with its required format; other secrets are ignored. */
export type SecretForms = Readonly<Partial<Record<SecretKind, RegExp>>>;

/** A key of AES-128: 16 bytes, 32 hexadecimal digits. */
export const aesKeyForm = /^[0-9a-f]{32}$/i;
