import { withoutNoise } from "@metrum/vocabulary";
import { ByteWriter } from "../../core/bytes.ts";
import { addressOf } from "../address.ts";
import { codeOf, mostLitres, recordOf, telegramOf, tooLarge, type MakersLayout } from "./layout.ts";

const total = codeOf("04 13");

/** The same layout in two scales: pulses of a third of `unit` cubic metres. */
const thirds = (name: string, unit: number, devices: MakersLayout["devices"]): MakersLayout => ({
  name,
  devices,
  place: "ci",
  read(reader) {
    const start = reader.position;
    const raw = reader.take(4);
    const count = (raw[0] ?? 0) + (raw[1] ?? 0) * 2 ** 8 + (raw[2] ?? 0) * 2 ** 16 + (raw[3] ?? 0) * 2 ** 24;
    const value = withoutNoise((count * unit) / 3);
    reader.noteSince(start, { code: "total", unit: "m^3" }, value);
    reader.take(reader.remaining, "not_known");
    if (value * 1000 > mostLitres) return { records: [], warnings: [tooLarge(value)] };
    return { records: [recordOf(total, value, { raw })], warnings: [] };
  },
  build(plan) {
    const count = Math.round(((plan.value("04 13") % ((mostLitres + 1) / 1000)) * 3) / unit);
    const content = new ByteWriter().u32le(count).raw(new Uint8Array(14));
    return telegramOf(addressOf(plan), 0xa0, content.finish());
  },
});

/**
 * Apator AT-WMBUS-08 (water): the total in thirds of a litre behind CI A0.
 * Source: the public reader wmbusmeters (driver apator08), checked on its telegrams; no documentation of the
 * manufacturer was at hand.
 * Layout: total 4, low byte first; the rest has no known meaning. The medium on the air is often a wrong one
 * (03, 0F). Errors: as `MakersLayout`.
 */
export const apator08 = thirds("Apator 08", 1e-3, [
  { manufacturer: "APT", versions: [0x03], media: [0x03] },
  { manufacturer: "APT", versions: [0x0f], media: [0x0f] },
]);

/**
 * Apator 17-2 (water): as `apator08`, in thirds of a cubic metre; medium 11. Source: the driver apator172 of
 * the same reader.
 */
export const apator172 = thirds("Apator 17-2", 1, [{ manufacturer: "APT", versions: [0x04], media: [0x11] }]);
