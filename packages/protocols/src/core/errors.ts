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

/** What a field of a message has to be, for a text in the language of a user. */
export interface WantedField {
  readonly path: string;
  readonly wanted: keyof typeof wantedWords;
  readonly params?: Readonly<Record<string, number>>;
}

const wantedWords = {
  object: "an object",
  list: "a list",
  few: "a list of at most {most}",
  text: "a text",
  short: "a text of at most {most} characters",
  number: "a number",
  whole: "a whole number from {least} to {most}",
  flag: "true or false",
  hex: "hexadecimal",
  message_type: "a message type",
  one_device: "of one device: deviceID or device_id",
  one_content: "of values or of payload: one of the two",
  given: "given",
  readings: "a list with a value",
  known: "known",
  bytes: "of at most {most} bytes",
  dev_eui: "16 hexadecimal digits",
  device_and_field: "device and field",
} as const;

interface ErrorPlace {
  readonly offset?: number;
  readonly detail?: number;
  readonly isBusy?: boolean;
  readonly field?: WantedField;
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
  /** The field of a message that is wrong, if it is known. */
  readonly field: WantedField | undefined;

  constructor(kind: ProtocolErrorKind, message: string, at: ErrorPlace = {}) {
    super(message);
    this.kind = kind;
    this.offset = at.offset;
    this.detail = at.detail;
    this.isBusy = at.isBusy ?? false;
    this.field = at.field;
  }
}

/** A field of a message that is not what it has to be: `path` is not … */
export function wrongField(
  path: string,
  wanted: WantedField["wanted"],
  params: Readonly<Record<string, number>> = {},
): ProtocolError {
  const words = wantedWords[wanted].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  return new ProtocolError("unexpected", `${path} is not ${words}`, { field: { path, wanted, params } });
}
