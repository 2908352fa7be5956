/** Secrets of a device: the password of its protocol, and its cipher keys. Stored by these names. */
export const secretKinds = ["password", "encryption", "authentication"] as const;
export type SecretKind = (typeof secretKinds)[number];
