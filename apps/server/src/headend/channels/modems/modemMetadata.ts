/** Metadata that a modem reports with its identity; nothing is guessed. */
export interface ModemMetadata {
  /** With its firmware version, if reported. */
  readonly modemType?: string;
  /** dBm. */
  readonly rssi?: number;
}

const longestType = 60;

/**
 * Parses the text around the identity in the first bytes of a connection: the signal as the modem's own
 * command reports it ("+CSQ: 21,0") or in dBm ("RSSI=-71"), the type ("TYPE=ATM21", "MODEL:SIM800") and the
 * firmware ("VER=2.13", "FW:1.04").
 * Source: 3GPP TS 27.007, 8.5: `<rssi>` 0 to 31 is -113 dBm plus 2 dBm a step, 99 is unknown. The others are
 * conventions of modem manufacturers, in no standard.
 * Returns an empty object for a modem that reports only its identity, as most do. A transparent modem cannot
 * be asked: everything sent to it goes to the meter.
 */
export function readModemMetadata(received: Uint8Array): ModemMetadata {
  const text = String.fromCharCode(...received);
  const type = /(?:TYPE|MODEL)[=:]\s*([\x21-\x7e][\x20-\x3a\x3c-\x7e]*)/i
    .exec(text)?.[1]
    ?.split(/[\s,+]+(?:VER|VERSION|FW|FIRMWARE|RSSI|CSQ|IMEI)[=:]/i)[0]
    ?.trim();
  const version = /(?:\b|_)(?:VER|VERSION|FW|FIRMWARE)[=:]\s*([0-9A-Za-z][0-9A-Za-z._-]*)/i.exec(text)?.[1];
  const rssi = signalOf(text);
  return {
    ...(type === undefined
      ? {}
      : { modemType: `${type}${version === undefined ? "" : ` ${version}`}`.slice(0, longestType) }),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

/** Maximum length of a status message of a modem between the frames of its meter. */
const longestRemark = 80;

/**
 * The same for bytes that arrive later: some modems report their signal every few minutes. Only a short line
 * of text with a known keyword is accepted; anything else may belong to the meter. Returns undefined when it
 * is no such line.
 */
export function readRemark(bytes: Uint8Array): ModemMetadata | undefined {
  if (bytes.length > longestRemark || !bytes.every(isText)) return undefined;
  if (!/^[\s+]*(?:CSQ|RSSI|IMEI|TYPE|MODEL|VER|FW)[=:]/i.test(String.fromCharCode(...bytes)))
    return undefined;
  const metadata = readModemMetadata(bytes);
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

const isText = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a;

function signalOf(text: string): number | undefined {
  const dbm = /RSSI[=:]\s*(-\d{1,3})\b/i.exec(text)?.[1];
  if (dbm !== undefined) return Number(dbm);
  const steps = Number(/CSQ[=:]\s*(\d{1,2})\b/i.exec(text)?.[1] ?? 99);
  return steps <= 31 ? -113 + 2 * steps : undefined;
}
