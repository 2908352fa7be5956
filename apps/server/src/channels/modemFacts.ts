/** What a modem says of itself beside its name; nothing is guessed. */
export interface ModemFacts {
  readonly modemType?: string;
  /** dBm. */
  readonly rssi?: number;
}

const longestType = 60;

/**
 * Reads what stands around the name in the first bytes of a connection: the signal as a modem's own command answers it ("+CSQ: 21,0") or in dBm
 * ("RSSI=-71"), and the type ("TYPE=ATM21", "MODEL:SIM800").
 * Source: 3GPP TS 27.007, 8.5: `<rssi>` 0 to 31 is -113 dBm and 2 dBm a step, 99 is not known. The other two are habits of makers of modems, in no standard.
 * Returns an empty object for a modem that says nothing but its name, which most do.
 */
export function readModemFacts(received: Uint8Array): ModemFacts {
  const text = String.fromCharCode(...received);
  const type = /(?:TYPE|MODEL)[=:]\s*([\x21-\x7e][\x20-\x3a\x3c-\x7e]*)/i.exec(text)?.[1]?.trim();
  const rssi = signalOf(text);
  return {
    ...(type === undefined ? {} : { modemType: type.slice(0, longestType) }),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

function signalOf(text: string): number | undefined {
  const dbm = /RSSI[=:]\s*(-\d{1,3})\b/i.exec(text)?.[1];
  if (dbm !== undefined) return Number(dbm);
  const steps = Number(/CSQ[=:]\s*(\d{1,2})\b/i.exec(text)?.[1] ?? 99);
  return steps <= 31 ? -113 + 2 * steps : undefined;
}
