import { encodeApdu, decodeApdu } from "../apdu/apdu.ts";
import { cipherApdu, decipherApdu } from "../apdu/apduCiphered.ts";
import { fullSecurity } from "../session/cipher.ts";
import { controllerOf, publicClient, type Authentication, type DlmsOptions } from "../options.ts";
import { keysOfDevice } from "../session/proof.ts";
import { gmacAnswer, isGmacAnswer, protect } from "../session/security.ts";
import type {
  Aare,
  Aarq,
  Apdu,
  CipheredApdu,
  Conformance,
  InitiateRequest,
  SecurityContext,
} from "../types.ts";
import type { SimulatedMeter } from "./meter.ts";
import { meterTitle } from "./objects.ts";

/** Keys and counters of a meter, which survive its associations. */
export interface Vault {
  readonly encryptionKey: Uint8Array;
  readonly authenticationKey: Uint8Array;
  readonly title: Uint8Array;
  /** Highest counter received from a client; a lower or equal one is refused. */
  heard: number;
  /** The next number of our own. */
  next: number;
}

/** An accepted client; until `isProven` only its proof is processed. */
export interface Association {
  readonly client: number;
  readonly maxPdu: number;
  readonly conformance: Conformance;
  readonly cipher: {
    readonly clientTitle: Uint8Array;
    readonly challenge: Uint8Array;
    readonly ours: Uint8Array;
  } | null;
  isProven: boolean;
}

/** Vault of a meter that has keys. */
export function vaultOf({ options, device, manners }: SimulatedMeter): Vault | undefined {
  const hasKeys = [options, controllerOf(options)].some(
    ({ authentication }) => authentication.kind === "gmac",
  );
  const keys = hasKeys ? keysOfDevice(device.keys) : undefined;
  return keys && { ...keys, title: meterTitle(device.deviceID), heard: manners?.counter ?? 0, next: 1 };
}

const meterConformance = [
  "generalProtection",
  "blockTransferGet",
  "blockTransferSet",
  "blockTransferAction",
  "multipleReferences",
  "get",
  "set",
  "selectiveAccess",
  "action",
] as const;

const contextOf = (
  { encryptionKey, authenticationKey }: Vault,
  systemTitle: Uint8Array,
): SecurityContext => ({
  encryptionKey,
  authenticationKey,
  systemTitle,
});

/** A sent message with the next counter, in the form of the request. */
export function sealReply(vault: Vault, apdu: Apdu, type: CipheredApdu["type"]): CipheredApdu {
  const counter = vault.next;
  vault.next += 1;
  return cipherApdu(encodeApdu(apdu), type, {
    context: contextOf(vault, vault.title),
    security: fullSecurity,
    counter,
  });
}

/**
 * Contents of a client's message, or why it cannot be opened. A replayed counter is distinguished: the client
 * may learn the expected one.
 */
export function openRequest(
  vault: Vault,
  apdu: CipheredApdu,
  clientTitle: Uint8Array,
): Uint8Array | "repeated" {
  if (!apdu.security.isAuthenticated || !apdu.security.isEncrypted) return "repeated";
  const plain = decipherApdu(apdu, contextOf(vault, clientTitle));
  if (apdu.counter <= vault.heard) return "repeated";
  vault.heard = apdu.counter;
  return plain;
}

export interface Admission {
  readonly aare: Aare;
  readonly association: Association | null;
}

/**
 * Answer to AARQ: the public client without authentication, others with that of the model. A wrong password
 * is diagnostic 13, a missing one 14.
 */
export function admit(
  meter: SimulatedMeter,
  vault: Vault | undefined,
  of: { aarq: Aarq; client: number },
): Admission {
  const { aarq, client } = of;
  const authentication = authenticationOf(meter.options, client);
  if (authentication === undefined) return reject(aarq, 1);
  if (authentication.kind === "none") return admitPlain(meter, aarq, client);
  if (authentication.kind === "gmac") return admitByProof(meter, vault, of);
  if (aarq.mechanism !== 1 || aarq.authenticationValue === null) return reject(aarq, 14);
  const password = meter.device.password ?? authentication.default ?? "";
  const given = aarq.authenticationValue;
  const wanted = new TextEncoder().encode(password);
  const isRight = given.length === wanted.length && wanted.every((byte, at) => byte === given[at]);
  return isRight ? admitPlain(meter, aarq, client) : reject(aarq, 13);
}

/** Proof that the meter wants from a client; undefined: it does not know the client. */
function authenticationOf(options: DlmsOptions, client: number): Authentication | undefined {
  const known = [options, controllerOf(options)];
  const own = known.find((each) => each.client === client);
  if (own) return own.authentication;
  return known.some(({ authentication }) => client === publicClientOf(authentication))
    ? { kind: "none" }
    : undefined;
}

const publicClientOf = (authentication: Authentication): number =>
  authentication.kind === "gmac" ? (authentication.counter?.client ?? publicClient) : publicClient;

const common = (aarq: Aarq) =>
  ({
    type: "aare",
    context: aarq.context,
    systemTitle: null,
    hasAuthentication: false,
    mechanism: null,
    authenticationValue: null,
    other: [],
  }) as const;

const reject = (aarq: Aarq, diagnostic: number): Admission => ({
  association: null,
  aare: {
    ...common(aarq),
    result: 1,
    diagnosticSource: "user",
    diagnostic,
    userInformation: { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 },
  },
});

function agreement(meter: SimulatedMeter, request: InitiateRequest) {
  const conformance = new Set(meterConformance.filter((bit) => request.conformance.has(bit)));
  const maxPdu = meter.manners?.maxPdu ?? 1024;
  return {
    conformance,
    response: {
      type: "initiateResponse",
      qualityOfService: null,
      version: 6,
      conformance,
      maxPdu,
      vaaName: 7,
    },
  } as const;
}

function admitPlain(meter: SimulatedMeter, aarq: Aarq, client: number): Admission {
  const request = aarq.userInformation;
  if (aarq.context !== 1 || request?.type !== "initiateRequest") return reject(aarq, 2);
  const { conformance, response } = agreement(meter, request);
  return {
    aare: { ...common(aarq), result: 0, diagnosticSource: "user", diagnostic: 0, userInformation: response },
    association: { client, maxPdu: request.maxPdu, conformance, cipher: null, isProven: true },
  };
}

function admitByProof(
  meter: SimulatedMeter,
  vault: Vault | undefined,
  { aarq, client }: { aarq: Aarq; client: number },
): Admission {
  const { systemTitle, authenticationValue: challenge, userInformation } = aarq;
  if (!vault || aarq.mechanism !== 5) return reject(aarq, 14);
  if (aarq.context !== 3 || systemTitle?.length !== 8 || challenge === null) return reject(aarq, 13);
  if (userInformation?.type !== "glo" && userInformation?.type !== "generalGlo") return reject(aarq, 13);
  const plain = openRequest(vault, userInformation, systemTitle);
  const request = plain === "repeated" ? undefined : decodeApdu(plain);
  if (request?.type !== "initiateRequest") return reject(aarq, 13);
  const { conformance, response } = agreement(meter, request);
  const ours = ownChallenge(vault);
  return {
    aare: {
      ...common(aarq),
      systemTitle: vault.title,
      hasAuthentication: true,
      mechanism: 5,
      authenticationValue: ours,
      result: 0,
      diagnosticSource: "user",
      diagnostic: 14,
      userInformation: sealReply(vault, response, "glo"),
    },
    association: {
      client,
      maxPdu: request.maxPdu,
      conformance,
      cipher: { clientTitle: systemTitle, challenge, ours },
      isProven: false,
    },
  };
}

function ownChallenge(vault: Vault): Uint8Array {
  const counter = vault.next;
  vault.next += 1;
  const security = { ...fullSecurity, isAuthenticated: false };
  return protect(new Uint8Array(16), { context: contextOf(vault, vault.title), security, counter });
}

/** Answer to the client's proof; undefined when that is wrong or replayed. */
export function answerProof(
  vault: Vault,
  association: Association,
  proof: Uint8Array,
): Uint8Array | undefined {
  const { cipher } = association;
  if (!cipher || !isGmacAnswer(proof, cipher.ours, contextOf(vault, cipher.clientTitle))) return undefined;
  association.isProven = true;
  const counter = vault.next;
  vault.next += 1;
  return gmacAnswer(cipher.challenge, { context: contextOf(vault, vault.title), counter });
}
