import type { Conformance, ConformanceBit } from "../types.ts";

/**
 * Bits of the conformance block, bit 0 is the high bit of its first byte.
 * Source: Green Book 9.4.6.1 (conformance bit string of 24 bits); 0 and 7 are reserved and have no name.
 */
export const conformanceBits: Readonly<Record<ConformanceBit, number>> = {
  generalProtection: 1,
  generalBlockTransfer: 2,
  read: 3,
  write: 4,
  unconfirmedWrite: 5,
  deltaValueEncoding: 6,
  attribute0Set: 8,
  priorityManagement: 9,
  attribute0Get: 10,
  blockTransferGet: 11,
  blockTransferSet: 12,
  blockTransferAction: 13,
  multipleReferences: 14,
  informationReport: 15,
  dataNotification: 16,
  access: 17,
  parameterizedAccess: 18,
  get: 19,
  set: 20,
  selectiveAccess: 21,
  eventNotification: 22,
  action: 23,
};

const isBit = (name: string): name is ConformanceBit => Object.hasOwn(conformanceBits, name);
const bitNames: readonly ConformanceBit[] = Object.keys(conformanceBits).filter(isBit);

/** Names of the bits that are set in the 24 bits of a conformance block; unnamed bits are dropped. */
export const parseConformance = (block: number): Conformance =>
  new Set(bitNames.filter((name) => (block & (0x800000 >> conformanceBits[name])) !== 0));

/** The 24 bits; the mirror of `parseConformance`. */
export const conformanceBlock = (conformance: Conformance): number =>
  [...conformance].reduce((block, name) => block | (0x800000 >> conformanceBits[name]), 0);
