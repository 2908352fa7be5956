/**
 * What went wrong in the communication with a device. Kinds map to poll result codes in one table of the
 * server.
 */
export const protocolErrorKinds = [
  "timeout",
  "checksum",
  "refused",
  "unexpected",
  "unsupported",
  "bad_password",
] as const;
export type ProtocolErrorKind = (typeof protocolErrorKinds)[number];

interface ErrorPlace {
  readonly offset?: number;
  readonly detail?: number;
  readonly isBusy?: boolean;
}

/**
 * The only error a codec or a conversation may throw.
 * `offset` is the byte at which decoding stopped, if known; `detail` is the device's own code, if it gave
 * one.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly kind: ProtocolErrorKind;
  readonly offset: number | undefined;
  readonly detail: number | undefined;
  /** The device says that it is busy: what only reads may be asked again after a pause. */
  readonly isBusy: boolean;

  constructor(kind: ProtocolErrorKind, message: string, at: ErrorPlace = {}) {
    super(message);
    this.kind = kind;
    this.offset = at.offset;
    this.detail = at.detail;
    this.isBusy = at.isBusy ?? false;
  }
}
