import { fromHex } from "../core/bytes.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { formatCache } from "./compact.ts";
import { decodeWmbus } from "./decode.ts";
import { mbusPayload } from "./payload.ts";
import { buildTelegram, type TelegramPlan } from "./encode.ts";
import { wmbusNames, wmbusSender } from "./identity.ts";
import { makersLayouts } from "./makers/index.ts";
import { readWmbus } from "./telegram.ts";
import { lineReceiver, stickReceiver, telegramOfLine } from "./receivers.ts";

const key = fromHex("000102030405060708090a0b0c0d0e0f");
const keyText = "000102030405060708090a0b0c0d0e0f";

/** Water meter, heat meter, heat cost allocator with a profile, manufacturer data at the end. */
const recordLists = [
  "0c13 78563412 0b3b 270100 02fd17 0000 046d 2f0b7d3b 4c13 00000000 426c 7f3c",
  "04 06 e5b30200 0414 fd970600 0259 cc1f 025d 8c14 042d 60020000 043b 04050000",
  "0b6e 390300 426c 5f2c 4b6e 270600 c2086c 412c cd086e 0b 72fe 0100 0200 0300 0080 00",
  "0c13 78563412 0f 0102030405",
].map(fromHex);

const meter = {
  manufacturer: "MTR",
  id: "12345678",
  version: 1,
  medium: 7,
  accessNumber: 42,
  counter: 1000,
  key,
} as const;
const module = { manufacturer: "RAD", id: "87654321", version: 2, medium: 0x37 } as const;

const plans: readonly TelegramPlan[] = [
  { ...meter, security: "none" },
  { ...meter, security: "none", module, format: "A" },
  { ...meter, security: "mode5", format: "B" },
  { ...meter, security: "mode5", module },
  { ...meter, security: "mode7" },
  { ...meter, security: "extended" },
];
const compact: TelegramPlan = { ...meter, security: "extended", isCompact: true };

const [water = new Uint8Array(0)] = recordLists;
const telegrams = [
  ...recordLists.flatMap((records) => plans.map((plan) => buildTelegram(records, plan))),
  buildTelegram(water, compact),
];
const known = ["0c13 0b3b 02fd17 046d 4c13 426c"];
const payloads = mbusPayload({ resource: "water", records: [{ code: "0c13", field: "in1" }] });
const device = { impulseWeight: 1, startingValue: 0 };
const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0));

/** One telegram of each manufacturer layout, with its devices. */
const ofMakers = makersLayouts.flatMap(({ name, devices, build }) => {
  const [{ manufacturer, versions: [version = 0] = [], media: [medium = 7] = [] } = { manufacturer: "MTR" }] =
    devices;
  const plan = { manufacturer, id: "12345678", version, medium, accessNumber: 42, local: 1_795_251_600 };
  const value = (code: string): number => code.length * 12.5;
  return [{ name, seeds: [undefined, key].map((each) => build({ ...plan, key: each, value })) }];
});

/**
 * Telegrams of the own encoder in every protection and frame format, payloads without a link layer, lines and
 * stick messages of receivers.
 */
export const wmbusFuzz: readonly FuzzTarget[] = [
  {
    name: "wmbus",
    seeds: telegrams,
    decode: (bytes) => decodeWmbus(bytes, { trace: [], key: keyText, formats: formatCache(known) }),
  },
  { name: "wmbus-no-key", seeds: telegrams, decode: (bytes) => decodeWmbus(bytes, { trace: [] }) },
  { name: "mbus-payload", seeds: recordLists, decode: (bytes) => payloads.decode(bytes, 1, device) },
  {
    name: "wmbus-receiver",
    seeds: [
      text("T1;1;1;2019-04-03 19:00:42.000;97;148;88888888;0x0e4401068888888805077a85000000"),
      text("b0e4401068888888805077a850000001234"),
      text("bY0e4401068888888805077a850000001234"),
      fromHex("a5c20310 4401068888888805077a8500000001fd17 2d 0000"),
    ],
    decode: (bytes) => [
      stickReceiver().receive(bytes),
      lineReceiver().receive(bytes),
      telegramOfLine(String.fromCharCode(...bytes)),
    ],
  },
  { name: "wmbus-sender", seeds: telegrams, decode: (bytes) => wmbusNames(wmbusSender(bytes)) },
  ...ofMakers.map(({ name, seeds }) => ({
    name: `wmbus-maker ${name}`,
    seeds,
    decode: (bytes: Uint8Array) => [readWmbus(bytes, { trace: [] }), readWmbus(bytes, { key })],
  })),
];
