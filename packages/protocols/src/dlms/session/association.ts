import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError, type ProtocolErrorKind } from "../../core/errors.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { open, seal, serverContext, type Cipher } from "./cipher.ts";
import { isLost } from "../link/link.ts";
import { ask, exceptionError, type Messenger } from "./messenger.ts";
import { callMethod, type Requester } from "./requests.ts";
import { gmacAnswer, isGmacAnswer } from "./security.ts";
import type { Aare, Aarq, Conformance, ConformanceBit, InitiateRequest, InitiateResponse } from "../types.ts";

/** Authentication of the client. */
export type Proof =
  | { readonly kind: "none" }
  | { readonly kind: "lls"; readonly password: Uint8Array }
  /** HLS mechanism 5; all messages are authenticated and encrypted. */
  | { readonly kind: "gmac"; readonly cipher: Cipher; readonly challenge: Uint8Array };

export interface AssociationRequest {
  readonly proof: Proof;
  readonly conformance: Conformance;
}

/** Parameters that the meter has agreed to. */
export interface Agreement {
  readonly conformance: Conformance;
  readonly maxPdu: number;
}

/** Services that this client uses. */
export const clientConformance: readonly ConformanceBit[] = [
  "blockTransferGet",
  "blockTransferSet",
  "blockTransferAction",
  "multipleReferences",
  "get",
  "set",
  "selectiveAccess",
  "action",
];

const dlmsVersion = 6;
const maxPdu = 0xffff;

const initiate = (conformance: Conformance): InitiateRequest => ({
  type: "initiateRequest",
  dedicatedKey: null,
  isResponseAllowed: true,
  qualityOfService: null,
  version: dlmsVersion,
  conformance,
  maxPdu,
});

/** Diagnostics of a user rejection. Source: IEC 62056-53, 7.3.7.1 (acse-service-user). */
const rejections: Readonly<Record<number, readonly [ProtocolErrorKind, string]>> = {
  2: ["unsupported", "application context not supported"],
  11: ["unsupported", "authentication mechanism not recognised"],
  12: ["unsupported", "authentication mechanism required"],
  13: ["bad_password", "authentication failure"],
  14: ["bad_password", "authentication required"],
};

/**
 * Opens the association: AARQ, AARE, and for GMAC both proofs.
 * Source: IEC 62056-53, 7.3.7; Green Book 9.2.7.4 and 9.4.5; recorded sessions. Layout: without security and
 * with a password one exchange; with GMAC the challenges cross in AARQ and AARE, the client's answer is sent
 * by ACTION 15/0.0.40.0.0.255 method 1, whose response contains the meter's answer.
 * Errors: ProtocolError "bad_password" with the diagnostic in `detail` (13 authentication failure), also when
 * the meter's own proof is wrong; "unsupported", "refused" with the diagnostic for other rejections;
 * "unexpected".
 */
export function* associate(requester: Requester, request: AssociationRequest): Conversation<Agreement> {
  const { proof } = request;
  const aare = yield* propose(requester, request);
  checkResult(aare, proof);
  const agreement = agreementOf(aare, proof);
  requester.maxPdu = agreement.maxPdu;
  if (proof.kind === "gmac") yield* prove(requester, { proof, challenge: aare.authenticationValue });
  return agreement;
}

/** AARQ and its response; a repeated proposal uses a new invocation counter. */
function* propose({ link, limits }: Requester, request: AssociationRequest): Conversation<Aare> {
  const tries = link.isReliable ? 1 : limits.tries;
  for (let attempt = 1; ; attempt++) {
    try {
      const bytes = yield* link.ask({
        label: "associate",
        apdu: encodeApdu(yield* aarqOf(request)),
        isAnswer: (apdu) => apdu[0] === aareTag || apdu[0] === exceptionTag || apdu[0] === serviceErrorTag,
      });
      const aare = decodeApdu(bytes);
      if (aare.type === "aare") return aare;
      if (aare.type === "exceptionResponse") throw exceptionError(aare);
      throw new ProtocolError("refused", `the meter answers the association with ${aare.type}`);
    } catch (error) {
      if (!isLost(error) || attempt >= tries) throw error;
    }
  }
}

const aareTag = 0x61;
const exceptionTag = 0xd8;
const serviceErrorTag = 0x0e;

function* aarqOf({ proof, conformance }: AssociationRequest): Conversation<Aarq> {
  const common = {
    type: "aarq",
    context: 1,
    systemTitle: null,
    hasAuthentication: false,
    mechanism: null,
    authenticationValue: null,
    userInformation: initiate(conformance),
    other: [],
  } as const satisfies Aarq;
  if (proof.kind === "none") return common;
  if (proof.kind === "lls")
    return { ...common, hasAuthentication: true, mechanism: 1, authenticationValue: proof.password };
  return {
    ...common,
    context: 3,
    systemTitle: proof.cipher.keys.systemTitle,
    hasAuthentication: true,
    mechanism: 5,
    authenticationValue: proof.challenge,
    userInformation: yield* seal(proof.cipher, encodeApdu(initiate(conformance)), "glo"),
  };
}

function checkResult(aare: Aare, proof: Proof): void {
  const { result, diagnostic, diagnosticSource } = aare;
  if (result !== 0) {
    const [kind, name] = (diagnosticSource === "user" ? rejections[diagnostic] : undefined) ?? [
      "refused",
      `diagnostic ${String(diagnostic)} of the ${diagnosticSource}`,
    ];
    throw new ProtocolError(kind, `association rejected: ${name}`, { detail: diagnostic });
  }
  const isProofWanted = diagnosticSource === "user" && diagnostic === 14;
  if (isProofWanted !== (proof.kind === "gmac"))
    throw new ProtocolError(
      "unexpected",
      isProofWanted ? "the meter asks for a proof that was not agreed" : "the meter does not prove who it is",
      { detail: diagnostic },
    );
}

function agreementOf(aare: Aare, proof: Proof): Agreement {
  const information = aare.userInformation;
  if (information === null) throw new ProtocolError("unexpected", "the meter does not say what it agrees to");
  const response = proof.kind === "gmac" ? opened(aare, proof.cipher) : information;
  if (response.type !== "initiateResponse")
    throw new ProtocolError("refused", `the meter answers ${response.type} to what was proposed`);
  return { conformance: response.conformance, maxPdu: response.maxPdu };
}

/** The meter's grant, protected by its keys: with another key it does not open. */
function opened(aare: Aare, cipher: Cipher): InitiateResponse {
  const information = aare.userInformation;
  if (aare.systemTitle?.length !== 8)
    throw new ProtocolError("unexpected", "the meter does not tell its system title");
  cipher.serverTitle = aare.systemTitle;
  if (information?.type !== "glo" && information?.type !== "generalGlo")
    throw new ProtocolError("unexpected", "the answer is not protected as was agreed");
  const inner = decodeApdu(open(cipher, information));
  cipher.lastCounter = information.counter;
  if (inner.type === "initiateResponse") return inner;
  throw new ProtocolError("refused", `the meter answers ${inner.type} to what was proposed`);
}

function* prove(
  requester: Requester,
  of: { proof: Extract<Proof, { kind: "gmac" }>; challenge: Uint8Array | null },
): Conversation<void> {
  const { proof, challenge } = of;
  if (challenge === null || challenge.length < 8 || challenge.length > 64)
    throw new ProtocolError("unexpected", "the meter's challenge is not of 8 to 64 bytes");
  const { cipher } = proof;
  requester.cipher = cipher;
  const counter = yield* cipher.numbers.next();
  const answer = gmacAnswer(challenge, { context: cipher.keys, counter });
  const { result, returned } = yield* callMethod(requester, "prove_key", {
    method: { classId: 15, obis: "0.0.40.0.0.255", method: 1 },
    parameters: { type: "octets", value: answer },
  });
  if (result !== 0 || returned?.kind !== "data")
    throw new ProtocolError("bad_password", "the meter refuses our proof", { detail: result });
  const proofOfMeter = returned.value;
  if (
    proofOfMeter.type !== "octets" ||
    !isGmacAnswer(proofOfMeter.value, proof.challenge, serverContext(cipher))
  )
    throw new ProtocolError(
      "bad_password",
      "the meter's proof is wrong: it has another key, or is another meter",
    );
}

/**
 * RLRQ. Within a ciphered association it carries the proposal a second time, protected: anybody on the line
 * could release a meter otherwise, and meters refuse it.
 * Source: Green Book 9.3.3 and 9.4.2 (user-information of RLRQ). Errors: those of `ask`; a meter without release
 * answers with an exception.
 */
export function* release(messenger: Messenger, conformance: Conformance): Conversation<void> {
  const { cipher } = messenger;
  const userInformation = cipher ? yield* seal(cipher, encodeApdu(initiate(conformance)), "glo") : null;
  yield* ask(
    { ...messenger, cipher: undefined },
    {
      label: "release",
      apdu: { type: "rlrq", reason: 0, userInformation },
      isAnswer: ({ type }) => type === "rlre",
      isRepeatable: false,
    },
  );
}
