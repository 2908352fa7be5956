/**
 * First bytes of messages.
 * Source: Green Book 9.5 (xDLMS-APDU choice, ACSE), IEC 62056-53 annex A.
 */
export const apduTags = {
  initiateRequest: 0x01,
  initiateResponse: 0x08,
  confirmedServiceError: 0x0e,
  dataNotification: 0x0f,
  aarq: 0x60,
  aare: 0x61,
  rlrq: 0x62,
  rlre: 0x63,
  getRequest: 0xc0,
  setRequest: 0xc1,
  eventNotification: 0xc2,
  actionRequest: 0xc3,
  getResponse: 0xc4,
  setResponse: 0xc5,
  actionResponse: 0xc7,
  exceptionResponse: 0xd8,
  generalGlo: 0xdb,
  generalDed: 0xdc,
  generalBlockTransfer: 0xe0,
} as const;
export type ApduTagName = keyof typeof apduTags;

/** Tag of a service when it is protected by a global or a dedicated key. */
const protectedTags: readonly (readonly [plain: number, glo: number, ded: number])[] = [
  [apduTags.initiateRequest, 0x21, 0x41],
  [apduTags.initiateResponse, 0x28, 0x48],
  [apduTags.confirmedServiceError, 0x2e, 0x4e],
  [apduTags.getRequest, 0xc8, 0xd0],
  [apduTags.setRequest, 0xc9, 0xd1],
  [apduTags.eventNotification, 0xca, 0xd2],
  [apduTags.actionRequest, 0xcb, 0xd3],
  [apduTags.getResponse, 0xcc, 0xd4],
  [apduTags.setResponse, 0xcd, 0xd5],
  [apduTags.actionResponse, 0xcf, 0xd7],
];

/** Key of a protected tag; undefined when the tag is not one of those with its own service. */
export function protectionOfTag(tag: number): "glo" | "ded" | undefined {
  if (protectedTags.some(([, glo]) => glo === tag)) return "glo";
  return protectedTags.some(([, , ded]) => ded === tag) ? "ded" : undefined;
}

/** Tag of the same service under a key; undefined when the standard gives none (use the general form). */
export function protectedTag(plain: number, protection: "glo" | "ded"): number | undefined {
  const row = protectedTags.find(([tag]) => tag === plain);
  return protection === "glo" ? row?.[1] : row?.[2];
}

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(apduTags).map(([name, tag]) => [tag, name]),
);

/** Name of a message by its first byte; undefined for an unknown one. */
export function apduTagName(tag: number): string | undefined {
  const plain = names.get(tag);
  const row = protectedTags.find((tags) => tags.includes(tag));
  if (plain !== undefined || row === undefined) return plain;
  return `${protectionOfTag(tag) ?? ""} ${names.get(row[0]) ?? ""}`;
}
