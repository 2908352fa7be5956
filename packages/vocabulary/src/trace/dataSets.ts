import { fieldOf, isFieldName } from "../fields.ts";
import type { ResourceKey } from "../resources.ts";
import type { Language, Text } from "../text.ts";

const obis = /^(?:\d+-\d+:)?(\d+)\.(\d+)\.(\d+)(?:[*.&]\d+)?$/;

const counters: Readonly<Record<string, string>> = {
  "1": "tariff",
  "2": "tariff_negative",
  "3": "tariff_reactive",
  "4": "tariff_reactive_negative",
};

/** Instant values by the third figure of their code. Source: IEC 62056-61, value group C of electricity. */
const instants: Readonly<Record<string, string>> = {
  "1": "power_active",
  "3": "power_reactive",
  "9": "power_apparent",
  "13": "cos0",
  "14": "Frequency",
  "21": "power_active1",
  "31": "current1",
  "32": "voltage1",
  "33": "cos1",
  "41": "power_active2",
  "51": "current2",
  "52": "voltage2",
  "53": "cos2",
  "61": "power_active3",
  "71": "current3",
  "72": "voltage3",
  "73": "cos3",
};

/** Powers of the other direction, by the same figure. */
const exported: Readonly<Record<string, string>> = {
  "2": "power_active",
  "4": "power_reactive",
  "22": "power_active1",
  "42": "power_active2",
  "62": "power_active3",
};

/** Lines of a P1 telegram that hold no reading. Source: DSMR P1 companion standard 5.0.2, 6.12. */
const p1Lines: Readonly<Record<string, Text>> = {
  "1-3:0.2.8": { ru: "версия P1", en: "version of P1", mn: "P1-ийн хувилбар" },
  "0-0:1.0.0": { ru: "время телеграммы", en: "time of the telegram", mn: "телеграммын цаг" },
  "0-0:96.1.1": { ru: "номер прибора", en: "number of the meter", mn: "тоолуурын дугаар" },
  "0-0:96.13.0": { ru: "сообщение поставщика", en: "message of the supplier", mn: "нийлүүлэгчийн мэдээ" },
};

/** Names of Energomera for its values in IEC 62056-21. Source: names as read by its drivers here. */
const makersNames: Readonly<Record<string, string>> = {
  ET0PE: "tariff0",
  ET0QE: "tariff_reactive0",
  VOLTA: "voltage1",
  CURRE: "current1",
  POWEP: "power_active",
  POWEQ: "power_reactive",
  FREQU: "Frequency",
};

const powersOfPhases: Text = {
  ru: "активная мощность по фазам",
  en: "active power of the phases",
  mn: "фазын актив чадал",
};

interface Reader {
  readonly language: Language;
  readonly resource: ResourceKey;
}

/**
 * Meaning of the address of a data set (IEC 62056-21, P1), followed by the address; an unknown address is
 * shown alone.
 */
export function dataSetWords(address: string, reader: Reader): string {
  const meaning = lineWords(address, reader) ?? fieldWords(address, reader);
  return meaning === undefined ? address : `${meaning} (${address})`;
}

const lineWords = (address: string, { language }: Reader): string | undefined =>
  address === "POWPP" ? powersOfPhases[language] : p1Lines[address]?.[language];

function fieldWords(address: string, { language, resource }: Reader): string | undefined {
  const { field, isExported } = fieldAt(address);
  if (field === undefined || !isFieldName(field)) return undefined;
  const title = fieldOf(field, resource).title[language];
  if (isExported) return exportedWords(title)[language];
  // Energomera answers three phases under one name.
  return address === "VOLTA" || address === "CURRE" ? title.slice(0, title.lastIndexOf(",")) : title;
}

function fieldAt(address: string): { field: string | undefined; isExported: boolean } {
  const [, c = "", d = "", e = ""] = obis.exec(address) ?? [];
  if (d === "8") return { field: `${counters[c] ?? ""}${e}`, isExported: false };
  const back = d === "7" ? exported[c] : undefined;
  const field = back ?? (d === "7" ? instants[c] : makersNames[address]);
  return { field, isExported: back !== undefined };
}

const exportedWords = (title: string): Text => ({
  ru: `${title}, отдача`,
  en: `${title}, exported`,
  mn: `${title}, буцаан өгсөн`,
});
