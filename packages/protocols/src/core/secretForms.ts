import type { SecretKind } from "@metrum/vocabulary";

/** The secrets that a driver has a use for, each with the form that it must have; what is not named is not used. */
export type SecretForms = Readonly<Partial<Record<SecretKind, RegExp>>>;

/** A key of AES-128: 16 bytes, 32 hexadecimal digits. */
export const aesKeyForm = /^[0-9a-f]{32}$/i;
