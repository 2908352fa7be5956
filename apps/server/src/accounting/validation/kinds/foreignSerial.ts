import type { Judged } from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

/** Letters and digits alone, without zeros in front: the same number is written in several ways. */
const plain = (serial: string): string =>
  serial
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(/^0+/, "");

/** The same, or one ends with the other: meters leave out the maker and the year of their number. */
export function isSameSerial(registered: string, named: string, digits: number): boolean {
  const [long, short] = [plain(registered), plain(named)].toSorted((a, b) => b.length - a.length);
  if (long === undefined || short === undefined || long === short) return true;
  return short.length >= digits && long.endsWith(short);
}

const hasDigit = (serial: string): boolean => /\d/.test(serial);

function findings({ serial, span, field, levels }: Judged, digits: number) {
  if (!serial || !hasDigit(serial.registered) || !hasDigit(serial.named)) return [];
  if (isSameSerial(serial.registered, serial.named, digits)) return [];
  const own = (levels.get(field) ?? []).filter(({ ts }) => ts >= serial.since && ts <= serial.lastAt);
  if (serial.lastAt < span.from || serial.since > span.to) return [];
  return [
    {
      field,
      msgType: own[0]?.msgType ?? 1,
      from: serial.since,
      to: serial.lastAt,
      values: Math.max(1, own.length),
      code: "foreign",
      evidence: { named: serial.named, registered: serial.registered, since_at: serial.since },
    },
  ];
}

export const foreignSerial: Kind = {
  name: "foreign_serial",
  title: text("Чужой заводской номер", "Foreign serial number", "Өөр үйлдвэрийн дугаар"),
  about: text(
    "Прибор называет не тот заводской номер, что записан: заменён, или опрошен чужой",
    "The meter names another serial number than the registered one: it was replaced, or a foreign one is read",
    "Тоолуур бүртгэснээс өөр үйлдвэрийн дугаар хэлж байна: солигдсон эсвэл өөр тоолуур уншсан",
  ),
  parameters: [
    parameter("digits", "count", [4, 20, 1], {
      usual: 6,
      title: text("Совпадать должны последние", "The last that must agree", "Тохирох ёстой сүүлийн тэмдэгт"),
    }),
  ],
  isOnFor: always,
  doubtsNoValues: true,
  says: {
    foreign: text(
      "Прибор называет {named}, записан {registered}, с {since_at}",
      "The meter names {named}, registered is {registered}, since {since_at}",
      "Тоолуур {named} гэж байна, бүртгэсэн нь {registered}, {since_at}-аас",
    ),
  },
  limit: text(
    "совпадают последние знаки, не меньше {digits}",
    "the last characters agree, at least {digits}",
    "сүүлийн тэмдэгт тохирно, багадаа {digits}",
  ),
  judge: (judged, { digits = 0 }) => findings(judged, digits),
};
