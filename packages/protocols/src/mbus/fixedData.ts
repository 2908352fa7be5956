import type { ByteReader } from "../core/bytes.ts";
import { decimalInteger, unsignedInteger } from "./dataTypes.ts";
import { readId, type ApplicationHeader } from "./header.ts";
import type { MbusRecord } from "./records.ts";

/** Device types of the four-bit medium, which are not those of the long header. */
const media = [
  ...["Other", "Oil", "Electricity", "Gas", "Heat", "Steam", "Hot water", "Water"],
  ...["Heat Cost Allocator", "Reserved", "Gas, mode 2", "Heat, mode 2", "Hot water, mode 2", "Water, mode 2"],
  ...["Heat Cost Allocator, mode 2", "Reserved"],
];

/** Units of the codes 02 to 37, three powers of ten each. */
const decades = "Wh kWh MWh kJ MJ GJ W kW MW kJ/h MJ/h GJ/h ml l m^3 ml/h l/h m^3/h".split(" ");

const singles: Readonly<Record<number, readonly [unit: string, exponent: number]>> = {
  0x00: ["h,m,s", 0],
  0x01: ["D,M,Y", 0],
  0x38: ["°C", -3],
  0x39: ["Units for H.C.A.", 0],
  0x3e: ["reserved but historic", 0],
  0x3f: ["without units", 0],
};

function unitOf(code: number): readonly [unit: string, exponent: number] {
  const unit = code >= 2 && code < 0x38 ? decades[Math.floor((code - 2) / 3)] : undefined;
  return unit === undefined ? (singles[code] ?? ["reserved", 0]) : [unit, (code - 2) % 3];
}

/**
 * Reads the fixed data structure of old meters: two counters, nothing else.
 * Source: EN 13757-3:2004, annex "fixed data structure" (CI 73; 77 with the high byte first).
 * Layout, 16 bytes: id 4 BCD; access number 1; status 1 (bit 0: counters are binary, else BCD; bit 1: stored
 * at a fixed date); medium and unit 2 (low six bits of each: unit of a counter; high two bits: medium, first
 * byte lower); two counters of 4. Values are in the unit of the code (kWh, l), powers of ten applied; unit 3E
 * means "as the first, but historic" and has no unit.
 * Errors: ProtocolError "unexpected" when shorter.
 */
export function readFixedData(
  reader: ByteReader,
  isHighFirst = false,
): { header: ApplicationHeader; records: readonly MbusRecord[] } {
  const id = readId(reader, isHighFirst);
  const accessNumber = reader.u8("access_number");
  const status = reader.u8("status");
  const first = reader.u8("medium_low");
  const second = reader.u8("medium_high");
  const medium = ((second >> 6) << 2) | (first >> 6);
  const coding = { isBinary: (status & 1) !== 0, isHighFirst, storage: (status >> 1) & 1 };
  const records = [first, second].map((code, at) =>
    readCounter(reader, at + 1, { ...coding, code: code & 0x3f }),
  );
  // The low bits of this status byte describe the counters; only the error flags have their usual meaning.
  return {
    header: {
      id,
      medium,
      mediumName: media[medium] ?? "Reserved",
      accessNumber,
      status: status & 0xfc,
      configuration: 0,
    },
    records,
  };
}

function readCounter(
  reader: ByteReader,
  number: number,
  as: { code: number; isBinary: boolean; isHighFirst: boolean; storage: number },
): MbusRecord {
  const start = reader.position;
  const raw = reader.take(4);
  const bytes = as.isHighFirst ? raw.toReversed() : raw;
  const count = as.isBinary ? unsignedInteger(bytes) : decimalInteger(bytes);
  const [unit, exponent] = unitOf(as.code);
  const value = count === null ? null : exponent < 0 ? count / 10 ** -exponent : count * 10 ** exponent;
  const quantity = `Counter ${String(number)}`;
  reader.noteSince(start, { code: "counter", n: number, unit }, value);
  const position = { function: "instantaneous", storage: as.storage, tariff: 0, subunit: 0 } as const;
  return { kind: "value", ...position, quantity, unit, value, modifiers: [], raw };
}
