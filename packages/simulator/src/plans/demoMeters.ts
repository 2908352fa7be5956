import { pick, serial, type Draft } from "./demoDraft.ts";
import { imeiOf } from "../imei.ts";
import { keyPair } from "../keys.ts";
import type { PlannedGateway } from "./plan.ts";
import type { LoadKind } from "../shapes.ts";

interface Kind {
  readonly modelId: number;
  readonly title: string;
  /** Address of the meter on its line. */
  readonly addressBy: "number" | "place";
  readonly isSmall?: true;
}

/** Meters with their own profiles and archives, four to a modem: one protocol on each line. */
const lines: readonly {
  readonly kinds: readonly Kind[];
  readonly modem: number;
  /** They are changed only by a client with two keys. */
  readonly isKeyed?: true;
}[] = [
  {
    modem: 606,
    isKeyed: true,
    kinds: [
      { modelId: 702, title: "Mercury 234 SPODES", addressBy: "place" },
      { modelId: 704, title: "CE308", addressBy: "place" },
      { modelId: 707, title: "NARTIS-300", addressBy: "place" },
      { modelId: 710, title: "MIRTEK-12", addressBy: "place", isSmall: true },
    ],
  },
  {
    modem: 223,
    kinds: [
      { modelId: 120, title: "Mercury 230", addressBy: "place" },
      { modelId: 121, title: "Mercury 234", addressBy: "place" },
      { modelId: 122, title: "Mercury 236", addressBy: "place" },
      { modelId: 120, title: "Mercury 230", addressBy: "place" },
    ],
  },
  {
    modem: 611,
    kinds: [
      { modelId: 123, title: "CE301", addressBy: "number" },
      { modelId: 124, title: "CE303", addressBy: "number" },
      { modelId: 129, title: "MT174", addressBy: "number" },
      { modelId: 125, title: "CE102M", addressBy: "number", isSmall: true },
    ],
  },
];

const places: readonly { readonly place: string; readonly load: LoadKind }[] = [
  { place: "City Hospital 2, operating block", load: "office" },
  { place: "Orkhon Dairy, cold store", load: "plant" },
  { place: "Darkhan Trade House, second input", load: "shop" },
  { place: "Housing cooperative 22, entrance 3", load: "home" },
];

/** The modems of these meters; `from` is the number of preceding modems of the park. */
export function meterModems(from: number): PlannedGateway[] {
  return lines.map(({ modem }, at) => ({
    key: `modem${String(from + at + 1)}`,
    modelId: modem,
    name: `GW-0${String(201 + from + at)}`,
    place: `TP-${String(11 + from + at)}`,
    deviceID: imeiOf(from + at),
  }));
}

/** Twelve meters by DLMS/SPODES, Mercury 230 and IEC 62056-21. */
export function smartMeters(from: number, chance: () => number): Draft[] {
  return lines.flatMap(({ kinds, isKeyed }, line) =>
    kinds.map((kind, at): Draft => {
      const number = serial(4300 + line, at);
      const { place, load } = pick(places, at);
      return {
        modelId: kind.modelId,
        gateway: `modem${String(from + line + 1)}`,
        insideAddr: kind.addressBy === "number" ? number : String(17 + at),
        deviceID: number,
        ...(isKeyed ? keyPair(Number(number)) : {}),
        name: `${kind.title} №${number}`,
        place,
        intervalSec: 300,
        load: kind.isSmall ? "home" : load,
        meanPerHour: kind.isSmall ? 0.4 + chance() : 4 + 20 * chance() ** 2,
        start: Math.round(1000 + 50_000 * chance()),
      };
    }),
  );
}
