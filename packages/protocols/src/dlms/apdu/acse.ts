/** Tags of the association's elements. Source: Green Book 9.4.2, ISO/IEC 8650-1. */
export const acse = {
  context: 0xa1,
  result: 0xa2,
  diagnostic: 0xa3,
  userInformation: 0xbe,
  releaseReason: 0x80,
} as const;

/** Tags of the named elements: A6 in a request is A4 in a response, and so on. */
export const layouts = {
  aarq: { systemTitle: 0xa6, requirements: 0x8a, mechanism: 0x8b, authenticationValue: 0xac },
  aare: { systemTitle: 0xa4, requirements: 0x88, mechanism: 0x89, authenticationValue: 0xaa },
} as const;

/** Source of the diagnostic of a refusal. */
export const sources = { user: 0xa1, provider: 0xa2 } as const;
export const universal = { integer: 0x02, octets: 0x04, objectId: 0x06, charString: 0x80 } as const;

/**
 * 2.16.756.5.8.1 and .2: DLMS UA application contexts and authentication mechanisms; the number follows as
 * the last byte.
 */
export const contextOid: readonly number[] = [0x60, 0x85, 0x74, 0x05, 0x08, 0x01];
export const mechanismOid: readonly number[] = [0x60, 0x85, 0x74, 0x05, 0x08, 0x02];

/** Requirements of which only bit 0, authentication, is set. */
export const authenticationRequired = Uint8Array.of(0x07, 0x80);
