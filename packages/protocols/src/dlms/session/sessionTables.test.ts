import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Proof } from "./association.ts";
import type { Conversation } from "../../core/conversation.ts";
import { withSession, type Session, type SessionOptions } from "./session.ts";
import { atOnce, ended, testLink, type Said } from "../testing/testLink.ts";
import type { Aare, Apdu, ConformanceBit, DlmsData } from "../types.ts";

const silence = new ProtocolError("timeout", "no answer");
const byte: DlmsData = { type: "uint8", value: 7 };
const attribute = (at: number) => ({ classId: 3, obis: "1.0.1.8.0.255", attribute: at });
const method = { classId: 70, obis: "0.0.96.3.10.255", method: 1 };
const invoke = (id: number) => ({ id, isConfirmed: true, isHighPriority: true });
const value = (id: number, code?: number): Apdu => ({
  type: "getResponse",
  invoke: invoke(id),
  result: code === undefined ? { kind: "data", value: byte } : { kind: "error", code },
});

const granted = (conformance: readonly ConformanceBit[] = [], maxPdu = 0) =>
  ({
    type: "initiateResponse",
    qualityOfService: null,
    version: 6,
    conformance: new Set(conformance),
    maxPdu,
    vaaName: 7,
  }) as const;
const aare = (changes: Partial<Aare> = {}): Aare => ({
  type: "aare",
  context: 1,
  systemTitle: null,
  hasAuthentication: false,
  mechanism: null,
  authenticationValue: null,
  userInformation: granted(),
  other: [],
  result: 0,
  diagnosticSource: "user",
  diagnostic: 0,
  ...changes,
});
const released: Apdu = { type: "rlre", reason: 0, userInformation: null };
const limits = { answerMs: 3000, interByteMs: 500, tries: 3 };
const none: Proof = { kind: "none" };
const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });

/** A session with a meter that says this after the association. */
function session<Result>(
  work: (session: Session) => Conversation<Result>,
  said: readonly Said[],
  { first = [aare()], ...changes }: Partial<SessionOptions> & { first?: Said; isReliable?: boolean } = {},
) {
  const made = testLink([first, ...said], changes.isReliable);
  const result = () => ended(withSession({ link: made.link, limits, proof: none, ...changes }, work));
  return { ...made, result, types: () => made.asked.map(({ apdu }) => apdu.type) };
}
const get = (at: number) => (open: Session) => open.get(attribute(at));

describe("an association", () => {
  it("proposes version 6, what this client uses, and messages of any size", () => {
    const { asked, result, isOpen } = session(get(2), [[value(1)], [released]]);

    expect(result()).toEqual({ kind: "data", value: byte });
    expect(asked[0]).toEqual({
      label: "associate",
      apdu: {
        ...{ type: "aarq", context: 1, systemTitle: null, hasAuthentication: false, mechanism: null },
        ...{ authenticationValue: null, other: [] },
        userInformation: {
          ...{ type: "initiateRequest", dedicatedKey: null, isResponseAllowed: true },
          ...{ qualityOfService: null, version: 6, maxPdu: 0xffff },
          conformance: new Set([
            ...["blockTransferGet", "blockTransferSet", "blockTransferAction", "multipleReferences"],
            ...["get", "set", "selectiveAccess", "action"],
          ]),
        },
      },
    });
    expect(asked[2]).toEqual({
      label: "release",
      apdu: { type: "rlrq", reason: 0, userInformation: null },
    });
    expect(isOpen()).toBe(false);
  });

  it("with a password carries it by mechanism 1", () => {
    const password = fromHex("31323334");
    const { asked, result } = session(get(2), [[value(1)], [released]], { proof: { kind: "lls", password } });

    result();
    expect(asked[0]?.apdu).toMatchObject({
      ...{ context: 1, hasAuthentication: true, mechanism: 1, systemTitle: null },
      authenticationValue: password,
    });
  });

  it.each<[Partial<Aare>, string, string, number | undefined]>([
    [
      { result: 1, diagnostic: 2 },
      "unsupported",
      "association rejected: application context not supported",
      2,
    ],
    [
      { result: 1, diagnostic: 11 },
      "unsupported",
      "association rejected: authentication mechanism not recognised",
      11,
    ],
    [
      { result: 1, diagnostic: 12 },
      "unsupported",
      "association rejected: authentication mechanism required",
      12,
    ],
    [{ result: 1, diagnostic: 13 }, "bad_password", "association rejected: authentication failure", 13],
    [{ result: 2, diagnostic: 14 }, "bad_password", "association rejected: authentication required", 14],
    [{ result: 1, diagnostic: 1 }, "refused", "association rejected: diagnostic 1 of the user", 1],
    [
      { result: 1, diagnostic: 2, diagnosticSource: "provider" },
      "refused",
      "association rejected: diagnostic 2 of the provider",
      2,
    ],
    [{ diagnostic: 14 }, "unexpected", "the meter asks for a proof that was not agreed", 14],
    [{ userInformation: null }, "unexpected", "the meter does not say what it agrees to", undefined],
    [
      { userInformation: { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 } },
      "refused",
      "the meter answers confirmedServiceError to what was proposed",
      undefined,
    ],
  ])("is refused for %o", (changes, kind, message, detail) => {
    const { result, types, isOpen } = session(get(2), [], { first: [aare(changes)] });

    expect(result).toThrow(refused(kind, message, detail));
    expect([types(), isOpen()]).toEqual([["aarq"], false]);
  });

  it("is answered by AARE, by an exception, or by a service error, and by nothing else", () => {
    const failure = (first: Said) => session(get(2), [], { first });
    const exception: Apdu = { type: "exceptionResponse", stateError: 1, serviceError: 2, counter: null };
    const error: Apdu = { type: "confirmedServiceError", service: 1, errorClass: 6, error: 1 };

    expect(failure([value(1), exception]).result).toThrow(
      refused("unsupported", "exception: service not supported, service not allowed", 2),
    );
    expect(failure([value(1), error]).result).toThrow(
      refused("refused", "the meter answers the association with confirmedServiceError"),
    );
    expect(session(get(2), [[value(1)], [released]], { first: [value(1), aare()] }).result).not.toThrow();
  });

  it("is tried again after a loss, unless the link does so", () => {
    const third = session(get(2), [silence, [aare()], [value(1)], [released]], { first: silence });
    const fourth = session(get(2), [silence, silence, [aare()]], { first: silence });
    const reliable = session(get(2), [[aare()]], { first: silence, isReliable: true });

    expect([third.result(), third.asked.length]).toEqual([{ kind: "data", value: byte }, 5]);
    expect(fourth.result).toThrow("no answer");
    expect(reliable.result).toThrow("no answer");
    expect([fourth.asked.length, reliable.asked.length]).toEqual([3, 1]);
  });
});

describe("the end of a session", () => {
  it.each<[string, Partial<SessionOptions>, ProtocolError, string[]]>([
    ["after a refusal", {}, new ProtocolError("refused", "no"), ["aarq", "rlrq"]],
    ["of a meter without release", { isReleased: false }, new ProtocolError("refused", "no"), ["aarq"]],
    ["after a loss", {}, silence, ["aarq"]],
    ["after damage", {}, new ProtocolError("checksum", "damaged"), ["aarq"]],
  ])("%s", (_, changes, error, expected) => {
    const work = () => {
      throw error;
    };
    const { result, types, isOpen } = session(work, [[released]], changes);

    expect(result).toThrow(error.message);
    expect([types(), isOpen()]).toEqual([expected, false]);
  });

  it("is no matter of objections, and no bug is hidden by it", () => {
    const exception: Apdu = { type: "exceptionResponse", stateError: 1, serviceError: 2, counter: null };
    const bug = session(() => {
      throw new RangeError("a bug");
    }, []);

    for (const last of [[exception], silence] as const) {
      const { result, isOpen, types } = session(get(2), [[value(1)], last]);
      expect(result()).toEqual({ kind: "data", value: byte });
      expect([types(), isOpen()]).toEqual([["aarq", "getRequest", "rlrq"], false]);
    }
    const own = testLink([[aare()], [value(1)], [released]]);
    const close = () => {
      throw new RangeError("a bug of the link");
    };
    const closing = () => atOnce(close);
    const leaving = () =>
      ended(withSession({ link: { ...own.link, close: closing }, limits, proof: none }, get(2)));
    expect(leaving).toThrow("a bug of the link");
    expect(bug.result).toThrow(RangeError);
    expect([bug.types(), bug.isOpen()]).toEqual([["aarq"], true]);
  });
});

describe("a session", () => {
  it("counts its requests from 1 to 15, or has one number for all", () => {
    const many = (open: Session) =>
      (function* () {
        for (let at = 0; at < 17; at++) yield* open.get(attribute(2));
      })();
    const ids = [...Array.from({ length: 15 }, (_, at) => at + 1), 1, 2];
    const counted = session(
      many,
      ids.map((id): Said => [value(id)]),
    );
    const fixed = session(
      many,
      ids.map((): Said => [value(9)]),
      { fixedInvokeId: 9 },
    );

    counted.result();
    fixed.result();
    expect(counted.asked.slice(1, 18).map(({ apdu }) => "invoke" in apdu && apdu.invoke)).toEqual(
      ids.map(invoke),
    );
    expect(fixed.asked.slice(1, 18).every(({ apdu }) => "invoke" in apdu && apdu.invoke.id === 9)).toBe(true);
  });

  it("reads a value with what selects it, and says so in the log", () => {
    const access = { selector: 2, parameters: byte };
    const rows = { first: 1, last: 8 };
    const { asked, result } = session((open) => open.value(attribute(3), { access, rows }), [[value(1)]]);

    expect(result()).toEqual(byte);
    expect(asked[1]).toEqual({
      label: { code: "read_attribute", obis: "1.0.1.8.0.255", n: 3, first: 1, last: 8 },
      apdu: { type: "getRequest", invoke: invoke(1), attribute: attribute(3), access },
    });
    expect(session((open) => open.value(attribute(3)), [[value(1, 4)]]).result).toThrow(
      refused("unsupported", "1.0.1.8.0.255 attribute 3: object undefined", 4),
    );
  });

  it("writes and calls, and says what it does", () => {
    const set = (code: number) =>
      session(
        (open) => open.set(attribute(2), byte),
        [[{ type: "setResponse", invoke: invoke(1), result: code }]],
      );
    const written = set(0);
    written.result();
    expect(written.asked[1]).toMatchObject({
      label: { code: "write_attribute", obis: "1.0.1.8.0.255", n: 2 },
      apdu: { type: "setRequest", attribute: attribute(2), access: null, value: byte },
    });
    expect(set(3).result).toThrow(refused("refused", "1.0.1.8.0.255 attribute 2: read-write denied", 3));

    const call = (code: number, returned: DlmsData | number | null) =>
      session(
        (open) => open.action(method, byte),
        [
          [
            {
              type: "actionResponse",
              invoke: invoke(1),
              result: code,
              returned:
                returned === null
                  ? null
                  : typeof returned === "number"
                    ? { kind: "error", code: returned }
                    : { kind: "data", value: returned },
            },
          ],
        ],
      );
    expect([call(0, byte).result(), call(0, null).result(), call(0, 4).result()]).toEqual([byte, null, null]);
    expect(call(12, null).result).toThrow(
      refused("refused", "Call 0.0.96.3.10.255 method 1: type unmatched", 12),
    );
    const called = call(0, null);
    called.result();
    expect(called.asked[1]).toMatchObject({
      label: { code: "call_method", obis: "0.0.96.3.10.255", n: 1 },
      apdu: { type: "actionRequest", method, parameters: byte },
    });
  });
});

describe("attributes that are read together", () => {
  const all = (count: number) => (open: Session) =>
    open.getAll(Array.from({ length: count }, (_, at) => attribute(at + 1)));
  const listed = (id: number, count: number): Apdu => ({
    type: "getResponseList",
    invoke: invoke(id),
    results: Array.from({ length: count }, () => ({ kind: "data", value: byte }) as const),
  });
  const lists = { first: [aare({ userInformation: granted(["multipleReferences"]) })] };
  const sizes = (asked: readonly { readonly apdu: Apdu }[]) =>
    asked.flatMap(({ apdu }) =>
      apdu.type === "getRequestList" ? [apdu.requests.length] : apdu.type === "getRequest" ? [1] : [],
    );

  it.each<[string, object, number, number[]]>([
    ["one by one without lists", {}, 3, [1, 1, 1]],
    ["eight at once", lists, 17, [8, 8, 1]],
    ["in lists of the model", { ...lists, listSize: 2 }, 5, [2, 2, 1]],
    ["one by one if the model says so", { ...lists, listSize: 1 }, 2, [1, 1]],
    ["one by one at least", { ...lists, listSize: 0 }, 2, [1, 1]],
    ["none", lists, 0, []],
  ])("%s", (_, changes, count, expected) => {
    const said = expected.map((size, at): Said => [size === 1 ? value(at + 1) : listed(at + 1, size)]);
    const { asked, result } = session(all(count), [...said, [released]], changes);

    expect(result()).toHaveLength(count);
    expect(sizes(asked)).toEqual(expected);
    if (expected[0] === 8)
      expect(asked[1]?.label).toEqual({ code: "read_attributes", count: 8, obis: "1.0.1.8.0.255" });
  });

  it.each<[string, Apdu, boolean]>([
    ["a single result", value(1), true],
    ["an exception", { type: "exceptionResponse", stateError: 1, serviceError: 1, counter: null }, true],
    ["too few results", listed(1, 1), false],
    [
      "a key that does not fit",
      { type: "exceptionResponse", stateError: 2, serviceError: 5, counter: null },
      false,
    ],
  ])("are read one by one from then on after %s: %o, %s", (_, answer, isGivenUp) => {
    const said = [2, 3, 4, 5].map((id): Said => [value(id)]);
    const { asked, result } = session(all(4), [[answer], ...said, [released]], { ...lists, listSize: 2 });

    if (!isGivenUp) {
      expect(result).toThrow(ProtocolError);
      return;
    }
    expect(result()).toHaveLength(4);
    expect(sizes(asked)).toEqual([2, 1, 1, 1, 1]);
  });
});
