import { ByteReader, ByteWriter } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/** Settings of the SI-11 that are changed, by the keys of the command. */
export interface Si11Settings {
  readonly is_confirmed?: boolean | undefined;
  readonly uplink_repeats?: number | undefined;
  readonly communication_period?: number | undefined;
  readonly collection_period?: number | undefined;
  readonly time_zone?: number | undefined;
}
export type Si11SettingKey = keyof Si11Settings;

/** A setting as it is sent. */
export interface RawSetting {
  readonly id: number;
  readonly value: Uint8Array;
}

/** Seconds of a period by its code. */
const periodCodes: readonly (readonly [code: number, seconds: number])[] = [
  [1, 3600],
  [2, 21_600],
  [3, 43_200],
  [4, 86_400],
  [5, 300],
  [6, 900],
  [7, 1800],
];

interface Coding {
  readonly id: number;
  readonly bytes: 1 | 2;
  readonly encode: (value: number | boolean) => number | undefined;
  readonly decode: (raw: number) => number | boolean | undefined;
}

const period = (id: number): Coding => ({
  id,
  bytes: 1,
  encode: (value) => periodCodes.find(([, seconds]) => seconds === value)?.[0],
  decode: (raw) => periodCodes.find(([code]) => code === raw)?.[1],
});

/**
 * Numbers and values of the settings.
 * Source: Vega SI-11 user manual, rev. 26, table of parameters (number 4); the others as the payload scripts
 * of the maker use them (VegaAbsolute/IoTVegaParser, chirpstack/devices/si11).
 */
const codings: Readonly<Record<Si11SettingKey, Coding>> = {
  is_confirmed: {
    id: 4,
    bytes: 1,
    encode: (value) => (value === true ? 1 : 2),
    decode: (raw) => (raw === 1 || raw === 2 ? raw === 1 : undefined),
  },
  uplink_repeats: { id: 8, bytes: 1, encode: Number, decode: (raw) => raw },
  communication_period: period(16),
  collection_period: period(49),
  time_zone: {
    id: 55,
    bytes: 2,
    encode: (value) => Number(value) & 0xffff,
    decode: (raw) => (raw << 16) >> 16,
  },
};
const keys = Object.keys(codings) as Si11SettingKey[];

/**
 * The one setting that is given. Errors: ProtocolError "unsupported" for a period that the device does not
 * have, or when none is given.
 */
export function rawSettingOf(settings: Si11Settings): RawSetting {
  for (const key of keys) {
    const value = settings[key];
    if (value === undefined) continue;
    const { id, bytes, encode } = codings[key];
    const raw = encode(value);
    if (raw === undefined)
      throw new ProtocolError("unsupported", `the device has no period of ${String(value)} s`);
    const writer = new ByteWriter(bytes);
    return { id, value: (bytes === 1 ? writer.u8(raw) : writer.u16le(raw)).finish() };
  }
  throw new ProtocolError("unsupported", "no setting is given");
}

/** Settings by key; unknown numbers and values are left out. Errors: none. */
export function settingsOf(raw: readonly RawSetting[]): Si11Settings {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const { id, bytes, decode } = codings[key];
      const found = raw.find((each) => each.id === id && each.value.length === bytes);
      if (!found) return [];
      const reader = new ByteReader(found.value);
      const value = decode(bytes === 1 ? reader.u8() : reader.u16le());
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** A packet of settings, of the device or to it. Source: the same manual, packet type 0 of port 3. */
export function encodeSettings(settings: readonly RawSetting[]): Uint8Array {
  const writer = new ByteWriter(32).u8(0);
  for (const { id, value } of settings) writer.u16le(id).u8(value.length).raw(value);
  return writer.finish();
}
