import type { FieldName, MessageTypeId } from "@metrum/vocabulary";

/**
 * One message of a device as returned by a protocol: values of one time.
 * `at`: epoch seconds UTC of the slot of the values; null: the time of the exchange. `meterAt`: the meter's
 * own time stamp, epoch seconds UTC, if it sent one. A value is null when the meter said "not kept"; it is
 * absent when the meter does not measure it. Units: `fields` of the vocabulary.
 */
export interface Reading {
  readonly msgType: MessageTypeId;
  readonly at: number | null;
  readonly meterAt?: number;
  readonly values: Readonly<Partial<Record<FieldName, number | null>>>;
  /** Serial number that the meter itself has sent with these values, on the first reading of a dialogue or telegram. */
  readonly serial?: string;
  /** Requested values that were missing or implausible, in words for the exchange log. */
  readonly warnings?: readonly string[];
}

/**
 * Readings with the warnings of the whole dialogue or telegram, attached to the first of them. Errors: none.
 */
export const withWarnings = (readings: readonly Reading[], warnings: readonly string[]): Reading[] =>
  readings.map((reading, at) =>
    at === 0 && warnings.length > 0
      ? { ...reading, warnings: [...(reading.warnings ?? []), ...warnings] }
      : reading,
  );

/** Readings with the serial number of their meter, attached to the first of them. Errors: none. */
export const withSerial = (readings: readonly Reading[], serial: string | undefined): Reading[] =>
  readings.map((reading, at) => (at === 0 && serial !== undefined ? { ...reading, serial } : reading));

/** Serial number that came with readings; undefined: none did. Errors: none. */
export const serialOf = (readings: readonly Reading[]): string | undefined =>
  readings.find(({ serial }) => serial !== undefined)?.serial;

/** Warnings of all readings, shortened to a line of the exchange log; empty for none. Errors: none. */
export const warningsOf = (readings: readonly Reading[]): string =>
  readings
    .flatMap(({ warnings = [] }) => warnings)
    .join("; ")
    .slice(0, 500);

/**
 * A decoded value as `metrum decode` prints it: closer to the wire than a Reading, before fields are
 * assigned.
 */
export interface DecodedValue {
  readonly name: string;
  readonly value: number | string | boolean | null;
  readonly unit: string;
  readonly time?: string;
  readonly storage?: number;
  readonly tariff?: number;
  readonly subunit?: number;
  readonly function?: string;
  readonly raw?: string;
}

/** A decoded frame: the answer of `metrum decode`. */
export interface Decoded {
  readonly protocol: string;
  readonly device: Readonly<Record<string, string | number>>;
  readonly readings: readonly DecodedValue[];
  readonly warnings: readonly string[];
}
