import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { cipherApdu, decipherApdu } from "../apdu/apduCiphered.ts";
import { clientConformance } from "./association.ts";
import { createCipher, fullSecurity, open, openApdu, serverContext, type Cipher } from "./cipher.ts";
import { gmacAnswer } from "./security.ts";
import { withSession } from "./session.ts";
import { atOnce, ended, testLink, type Said } from "../testing/testLink.ts";
import type { Aare, Apdu, CipheredApdu, ConformanceBit, SecurityControl } from "../types.ts";

const encryptionKey = fromHex("000102030405060708090a0b0c0d0e0f");
const authenticationKey = fromHex("d0d1d2d3d4d5d6d7d8d9dadbdcdddedf");
const clientTitle = fromHex("4d54520000000001");
const meterTitle = fromHex("53494d0000000002");
const keys = { encryptionKey, authenticationKey, systemTitle: clientTitle };
const meter = { ...keys, systemTitle: meterTitle };
const challenge = fromHex("00112233445566778899aabbccddeeff");
const byte = { type: "uint8", value: 7 } as const;
const limits = { answerMs: 3000, interByteMs: 500, tries: 3 };
const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });

function aCipher(): Cipher {
  let next = 10;
  return createCipher(keys, { next: () => atOnce(() => next++) });
}
/** A message of the meter. */
const sealed = (apdu: Apdu, counter: number, type: CipheredApdu["type"] = "glo"): CipheredApdu =>
  cipherApdu(encodeApdu(apdu), type, { context: meter, security: fullSecurity, counter });

const granted = (conformance: readonly ConformanceBit[] = []): Apdu => ({
  type: "initiateResponse",
  qualityOfService: null,
  version: 6,
  conformance: new Set(conformance),
  maxPdu: 500,
  vaaName: 7,
});
const theirs = fromHex("0102030405060708");
const aare = (changes: Partial<Aare> = {}): Aare => ({
  type: "aare",
  context: 3,
  systemTitle: meterTitle,
  hasAuthentication: true,
  mechanism: 5,
  authenticationValue: theirs,
  userInformation: sealed(granted(), 1),
  other: [],
  result: 0,
  diagnosticSource: "user",
  diagnostic: 14,
  ...changes,
});
const invoke = (id: number) => ({ id, isConfirmed: true, isHighPriority: true });
const proven = (changes: object = {}): Apdu =>
  sealed(
    {
      type: "actionResponse",
      invoke: invoke(1),
      result: 0,
      returned: {
        kind: "data",
        value: { type: "octets", value: gmacAnswer(challenge, { context: meter, counter: 2 }) },
      },
      ...changes,
    },
    3,
  );
const value: Apdu = {
  type: "getResponse",
  invoke: invoke(2),
  result: { kind: "data", value: byte },
};
const released: Apdu = { type: "rlre", reason: 0, userInformation: null };

function session(said: readonly Said[], changes: { conformance?: readonly ConformanceBit[] } = {}) {
  const made = testLink(said);
  const cipher = aCipher();
  const proof = { kind: "gmac", cipher, challenge } as const;
  const result = () =>
    ended(
      withSession({ link: made.link, limits, proof, ...changes }, (work) =>
        work.get({ classId: 1, obis: "0.0.42.0.0.255", attribute: 2 }),
      ),
    );
  return { ...made, cipher, result };
}
const inner = (apdu: Apdu | undefined): Apdu => {
  if (apdu?.type !== "glo" && apdu?.type !== "generalGlo") throw new Error("not protected");
  return decodeApdu(decipherApdu(apdu, keys));
};

describe("an association with a proof of the keys", () => {
  it("crosses challenges, proves both sides, and protects all that follows", () => {
    const { asked, result, cipher } = session([[aare()], [proven()], [sealed(value, 4)], [released]]);

    expect(result()).toEqual({ kind: "data", value: byte });
    expect(asked.map(({ label }) => label)).toEqual([
      ...["associate", "prove_key"],
      { code: "read_attribute", obis: "0.0.42.0.0.255", n: 2 },
      "release",
    ]);
    const [aarq, proof, get, release] = asked.map(({ apdu }) => apdu);
    expect(aarq).toMatchObject({
      ...{ context: 3, systemTitle: clientTitle, hasAuthentication: true, mechanism: 5 },
      authenticationValue: challenge,
      userInformation: { type: "glo", counter: 10, security: fullSecurity },
    });
    expect(inner(aarq?.type === "aarq" ? (aarq.userInformation ?? undefined) : undefined)).toMatchObject({
      ...{ type: "initiateRequest", version: 6, maxPdu: 0xffff, isResponseAllowed: true },
      conformance: new Set(clientConformance),
    });
    expect(inner(proof)).toEqual({
      type: "actionRequest",
      invoke: invoke(1),
      method: { classId: 15, obis: "0.0.40.0.0.255", method: 1 },
      parameters: { type: "octets", value: gmacAnswer(theirs, { context: keys, counter: 11 }) },
    });
    expect([proof, get]).toMatchObject([
      { type: "glo", counter: 12 },
      { type: "glo", counter: 13 },
    ]);
    expect(release).toMatchObject({ type: "rlrq", reason: 0, userInformation: { type: "glo", counter: 14 } });
    expect([cipher.lastCounter, cipher.isGeneral]).toEqual([4, false]);
  });

  it("has the general form if the meter grants it", () => {
    const { asked, result, cipher } = session(
      [
        [aare({ userInformation: sealed(granted(["generalProtection"]), 1, "generalGlo") })],
        [proven()],
        [sealed(value, 4, "generalGlo")],
        [released],
      ],
      { conformance: ["get", "generalProtection"] },
    );

    expect(result()).toEqual({ kind: "data", value: byte });
    expect(cipher.isGeneral).toBe(true);
    expect(asked[2]?.apdu).toMatchObject({ type: "generalGlo", systemTitle: clientTitle });
    const release = asked[3]?.apdu;
    expect(release).toMatchObject({ userInformation: { type: "glo" } });
    expect(
      inner(release?.type === "rlrq" ? (release.userInformation ?? undefined) : undefined),
    ).toMatchObject({ conformance: new Set(["get", "generalProtection"]) });
  });

  it.each<[string, Partial<Aare>, string, string, number | undefined]>([
    ["no proof", { diagnostic: 0 }, "unexpected", "the meter does not prove who it is", 0],
    [
      "a proof of another kind",
      { diagnosticSource: "provider" },
      "unexpected",
      "the meter does not prove who it is",
      14,
    ],
    [
      "nothing agreed",
      { userInformation: null },
      "unexpected",
      "the meter does not say what it agrees to",
      undefined,
    ],
    ["no title", { systemTitle: null }, "unexpected", "the meter does not tell its system title", undefined],
    [
      "a short title",
      { systemTitle: fromHex("53494d00000000") },
      "unexpected",
      "the meter does not tell its system title",
      undefined,
    ],
    [
      "no protection",
      { userInformation: { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 } },
      "unexpected",
      "the answer is not protected as was agreed",
      undefined,
    ],
    [
      "another answer inside",
      { userInformation: sealed({ type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 }, 1) },
      "refused",
      "the meter answers confirmedServiceError to what was proposed",
      undefined,
    ],
    [
      "no challenge",
      { authenticationValue: null },
      "unexpected",
      "the meter's challenge is not of 8 to 64 bytes",
      undefined,
    ],
    [
      "a short challenge",
      { authenticationValue: new Uint8Array(7) },
      "unexpected",
      "the meter's challenge is not of 8 to 64 bytes",
      undefined,
    ],
    [
      "a long challenge",
      { authenticationValue: new Uint8Array(65) },
      "unexpected",
      "the meter's challenge is not of 8 to 64 bytes",
      undefined,
    ],
  ])("is refused for %s", (_, changes, kind, message, detail) => {
    expect(session([[aare(changes)]]).result).toThrow(refused(kind, message, detail));
  });

  it("takes a challenge of 64 bytes", () => {
    const long = aare({ authenticationValue: new Uint8Array(64) });

    expect(session([[long], [proven()], [sealed(value, 4)], [released]]).result).not.toThrow();
  });

  const octets = (hex: string) => ({ kind: "data", value: { type: "octets", value: fromHex(hex) } }) as const;
  const wrong = "the meter's proof is wrong: it has another key, or is another meter";

  it.each<[string, object, string, number | undefined]>([
    ["refuses ours", { result: 3 }, "the meter refuses our proof", 3],
    ["gives none", { returned: null }, "the meter refuses our proof", 0],
    ["gives a code", { returned: { kind: "error", code: 4 } }, "the meter refuses our proof", 0],
    ["gives a wrong one", { returned: octets("10000000020102030405060708090a0b0c") }, wrong, undefined],
    ["gives a short one", { returned: octets("10") }, wrong, undefined],
    ["gives no octets", { returned: { kind: "data", value: byte } }, wrong, undefined],
  ])("with a meter that %s is ended", (_, changes, message, detail) => {
    expect(session([[aare()], [proven(changes)]]).result).toThrow(refused("bad_password", message, detail));
  });
});

describe("a protected answer", () => {
  function expecting() {
    const cipher = aCipher();
    cipher.serverTitle = meterTitle;
    cipher.lastCounter = 6;
    return cipher;
  }
  const weak = (changes: Partial<SecurityControl>): CipheredApdu =>
    cipherApdu(encodeApdu(value), "glo", {
      ...{ context: meter, counter: 7 },
      security: { ...fullSecurity, ...changes },
    });
  const unprotected = "the answer is not protected as was agreed";

  it.each<[string, CipheredApdu, string, string]>([
    [
      "under a dedicated key",
      sealed(value, 7, "ded"),
      "unexpected",
      "a message under a dedicated key that was not agreed",
    ],
    [
      "under a dedicated key in general form",
      sealed(value, 7, "generalDed"),
      "unexpected",
      "a message under a dedicated key that was not agreed",
    ],
    ["without encryption", weak({ isEncrypted: false }), "unexpected", unprotected],
    ["without authentication", weak({ isAuthenticated: false }), "unexpected", unprotected],
    [
      "of another meter",
      { ...sealed(value, 7, "generalGlo"), systemTitle: clientTitle },
      "unexpected",
      "the answer is of another meter",
    ],
    [
      "of a meter with a shorter title",
      { ...sealed(value, 7, "generalGlo"), systemTitle: meterTitle.subarray(0, 7) },
      "unexpected",
      "the answer is of another meter",
    ],
    [
      "of a meter with a longer title",
      { ...sealed(value, 7, "generalGlo"), systemTitle: Uint8Array.of(...meterTitle, 0) },
      "unexpected",
      "the answer is of another meter",
    ],
    ["that has come before", sealed(value, 6), "unexpected", "the answer is an old one, sent again"],
    [
      "that is changed",
      { ...sealed(value, 7), counter: 8 },
      "bad_password",
      "authentication tag does not fit: other key, or changed on the way",
    ],
  ])("%s is refused", (_, apdu, kind, message) => {
    expect(() => open(expecting(), apdu)).toThrow(refused(kind, message));
  });

  it("opens with the next number, in either form, with a title or an empty one", () => {
    for (const apdu of [
      sealed(value, 7),
      sealed(value, 7, "generalGlo"),
      { ...sealed(value, 7, "generalGlo"), systemTitle: fromHex("") },
    ])
      expect(openApdu(expecting(), encodeApdu(apdu))).toEqual({ apdu: value, counter: 7 });
  });

  it("may be an open refusal, and no other open message", () => {
    const exception: Apdu = { type: "exceptionResponse", stateError: 1, serviceError: 2, counter: null };
    const error: Apdu = { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 };

    for (const apdu of [exception, error])
      expect(openApdu(expecting(), encodeApdu(apdu))).toEqual({ apdu, counter: null });
    expect(() => openApdu(expecting(), encodeApdu(value))).toThrow(refused("unexpected", unprotected));
    expect(() => openApdu(expecting(), encodeApdu(sealed(value, 7, "ded")))).toThrow(
      refused("unexpected", "a message under a dedicated key that was not agreed"),
    );
    expect(() => serverContext(aCipher())).toThrow(
      refused("unexpected", "the meter has not told its system title"),
    );
  });

  it("is no old one either after a refusal in the open, which has no number", () => {
    const exception: Apdu = { type: "exceptionResponse", stateError: 2, serviceError: 1, counter: null };
    const late = sealed({ ...value, invoke: invoke(3) }, 3);
    const { link } = testLink([[aare()], [proven()], [exception], [late], [], [], [released]]);
    const attribute = { classId: 1, obis: "0.0.42.0.0.255", attribute: 2 };
    const result = () =>
      ended(
        withSession(
          { link, limits, proof: { kind: "gmac", cipher: aCipher(), challenge } },
          function* (work) {
            try {
              yield* work.get(attribute);
            } catch (error) {
              expect(error).toMatchObject({ kind: "refused", detail: 1 });
            }
            return yield* work.get(attribute);
          },
        ),
      );

    expect(result).toThrow(ProtocolError);
  });

  it("that cannot be opened is told, rather than that none has come", () => {
    const replayed = session([[aare()], [proven()], [sealed(value, 3)], [], [value]]);

    expect(replayed.result).toThrow(refused("unexpected", unprotected));
    expect(replayed.asked.map(({ label }) => (typeof label === "string" ? label : label.code))).toEqual([
      ...["associate", "prove_key", "read_attribute", "read_attribute", "read_attribute", "release"],
    ]);
  });
});
