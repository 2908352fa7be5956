import { ByteWriter } from "../../core/bytes.ts";
import { encodeRecord } from "../../mbus/encode.ts";
import { addressOf } from "../address.ts";
import { codeOf, namedRecord, recordOf, telegramOf, type MakersLayout } from "./layout.ts";

const total = codeOf("04 13");
const status = codeOf("01 FD 17");
const knownType = 0x01;

/**
 * GWF radio modules (water, gas): what the manufacturer appends to its standard records after DIF 0F.
 * Source: the public reader wmbusmeters (drivers gwfwater, gwfgas), checked on its telegrams; no document of
 * the maker was at hand.
 * Layout of type 01: type 1, error flags 1 (02 continuous flow, 08 burst, 20 battery, 40 backflow), battery
 * 1: half years in bits 3 to 7, bit 0 power saving. Other types are not known and give no number. Errors: as
 * `MakersLayout`.
 */
export const gwf: MakersLayout = {
  name: "GWF radio module",
  devices: [{ manufacturer: "GWF", versions: [0x01, 0x02, 0x3c], media: [0x03, 0x07, 0x0e] }],
  place: "data",
  read(reader) {
    const type = reader.u8("makers_type");
    if (type !== knownType) {
      reader.take(reader.remaining, "makers_unread");
      return { records: [], warnings: [`type ${String(type)} of the maker's data is not known`] };
    }
    const flags = reader.u8("error_flags");
    const battery = reader.u8("battery_and_power");
    reader.take(reader.remaining, "filler");
    const years = (battery >> 3) / 2;
    return {
      records: [
        recordOf(status, flags, { raw: Uint8Array.of(flags) }),
        namedRecord("Remaining battery life", "year", { value: years, raw: Uint8Array.of(battery) }),
      ],
      warnings: [],
    };
  },
  build(plan) {
    const writer = new ByteWriter().raw([plan.accessNumber, 0, 0, 0]);
    writer.raw(encodeRecord(total, plan.value("04 13"), true)).raw([0x0f, knownType, 0, 0xe0]);
    return telegramOf(addressOf(plan), 0x7a, writer.finish());
  },
};
