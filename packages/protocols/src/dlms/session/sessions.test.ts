import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { replay } from "../../core/fuzz/replay.ts";
import { decodeApdu } from "../apdu/apdu.ts";
import { decipherApdu } from "../apdu/apduCiphered.ts";
import { clientConformance, type Proof } from "./association.ts";
import { createCipher } from "./cipher.ts";
import { dateTimeOf, formatDateTime } from "../data/dateTime.ts";
import { hasLlc, parseHdlc, withoutLlc } from "../link/hdlc.ts";
import { hdlcLink } from "../link/hdlcLink.ts";
import { defaultLimits, type Link } from "../link/link.ts";
import { itemsOf, logicalNameOf, numberOf, scalerUnitOf, textOf } from "../objects/values.ts";
import { withSession, type Session } from "./session.ts";
import type { AccessResult, Apdu, AttributeRequest, DlmsData, SecurityContext } from "../types.ts";
import { parseWrapper } from "../link/wrapper.ts";
import { wrapperLink } from "../link/wrapperLink.ts";

interface Recording {
  readonly name: string;
  readonly password?: string;
  readonly clientSystemTitle?: string;
  readonly authenticationKey?: string;
  readonly encryptionKey?: string;
  readonly frames: readonly { readonly dir: "tx" | "rx"; readonly hex: string }[];
  readonly readByThirdPartyClient: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const file = new URL("../../../../../../shared/vectors/dlms/sessions.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Recording[] }).cases : [];
const [hdlc, refused, gmac] = cases;

type Exchange = [Uint8Array, Uint8Array];

function exchangesOf({ frames }: Recording): Exchange[] {
  const sent = frames.filter(({ dir }) => dir === "tx");
  const received = frames.filter(({ dir }) => dir === "rx");
  return sent.map(({ hex }, at) => [fromHex(hex), fromHex(received[at]?.hex ?? "")]);
}

/** Requests of the recorded client, in order. */
function requestsOf(apdus: readonly Apdu[]): AttributeRequest[][] {
  return apdus.flatMap((apdu) =>
    apdu.type === "getRequest"
      ? [[{ attribute: apdu.attribute, access: apdu.access }]]
      : apdu.type === "getRequestList"
        ? [[...apdu.requests]]
        : [],
  );
}

/** The same requests through this client; a list of one is sent alone. */
function* readAll(
  session: Session,
  requests: readonly AttributeRequest[][],
): Conversation<Map<string, AccessResult>> {
  const found = new Map<string, AccessResult>();
  const note = ({ attribute, access }: AttributeRequest, result: AccessResult): void => {
    const key = `${attribute.obis} ${String(attribute.attribute)}`;
    found.set(access === null ? key : `${key} by ${String(access.selector)}`, result);
  };
  for (const group of requests) {
    const [first] = group;
    if (first === undefined) continue;
    if (group.length > 1)
      for (const [at, result] of (yield* session.getAll(group.map(({ attribute }) => attribute))).entries())
        note(group[at] ?? first, result);
    else
      note(first, yield* session.get(first.attribute, first.access === null ? {} : { access: first.access }));
  }
  return found;
}

const conformance = [...clientConformance, "access"] as const;
const limits = { ...defaultLimits, tries: 1 };

function options(link: Link, proof: Proof, extra: readonly "generalProtection"[] = []) {
  return {
    link,
    limits,
    proof,
    fixedInvokeId: 1,
    isReleased: false,
    conformance: [...conformance, ...extra],
  };
}

/** Texts of the third-party client that are the value itself, and not its own notation. */
function expectSameObjects(found: ReadonlyMap<string, AccessResult>, recording: Recording): number {
  let compared = 0;
  const value = (obis: string, attribute: string): DlmsData | undefined => {
    const result = found.get(`${obis} ${attribute}`);
    return result?.kind === "data" ? result.value : undefined;
  };
  for (const [obis, attributes] of Object.entries(recording.readByThirdPartyClient))
    for (const [attribute, text] of Object.entries(attributes)) {
      const data = value(obis, attribute);
      if (attribute === "class" || data === undefined) continue;
      const shown = shownAs(data, text, () => {
        const scale = value(obis, obis === "1.0.31.4.0.255" ? "4" : "3");
        return scale === undefined ? 1 : 10 ** scalerUnitOf(scale).scaler;
      });
      if (shown === undefined) continue;
      expect(shown, `${obis} ${attribute}`).toBe(text);
      compared += 1;
    }
  return compared;
}

function shownAs(data: DlmsData, text: string, factor: () => number): string | undefined {
  if (/^-?\d+\.\d{6}$/.test(text)) return ((numberOf(data) ?? 0) * factor()).toFixed(6);
  if (/^-?\d+$/.test(text)) {
    const shown = numberOf(data) ?? textOf(data);
    return shown === null ? undefined : String(shown);
  }
  if (data.type === "bool" && /^(True|False)$/.test(text)) return data.value ? "True" : "False";
  return data.type === "octets" ? octetsShownAs(data.value, text) : textShownAs(data, text);
}

function octetsShownAs(bytes: Uint8Array, text: string): string | undefined {
  if (/^\d+(\.\d+){5}$/.test(text) && bytes.length === 6) return [...bytes].join(".");
  if (/^([0-9A-F]{2} )+[0-9A-F]{2}$/.test(text))
    return [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
  return textShownAs({ type: "octets", value: bytes }, text);
}

const textShownAs = (data: DlmsData, text: string): string | undefined =>
  /^[A-Za-z][\w. ]+$/.test(text) && data.type !== "enum" ? (textOf(data) ?? undefined) : undefined;

describe.skipIf(!isThere)(
  isThere ? "recorded DLMS sessions" : `recorded DLMS sessions: skipped, ${file.pathname} is not there`,
  () => {
    it("HDLC with a password: our client sends the 360 frames of another client byte for byte and reads the same objects", () => {
      if (!hdlc) throw new Error("no recording");
      const apdus = hdlc.frames.flatMap(({ dir, hex }) => {
        const { information } = parseHdlc(fromHex(hex));
        return dir === "tx" && hasLlc(information) ? [decodeApdu(withoutLlc(information))] : [];
      });
      const link = hdlcLink({ client: 17, server: { upper: 1, lower: null, bytes: 1 }, limits });
      const proof: Proof = { kind: "lls", password: new TextEncoder().encode(hdlc.password) };

      const found = replay(
        withSession(options(link, proof), (session) => readAll(session, requestsOf(apdus))),
        exchangesOf(hdlc),
      );

      expect(found.size).toBe(249);
      expect(expectSameObjects(found, hdlc)).toBe(139);
      const list = found.get("0.0.40.0.0.255 2");
      const names =
        list?.kind === "data"
          ? itemsOf(list.value, "objects").map((each) => logicalNameOf(itemsOf(each, "object")[2]))
          : [];
      const expected = hdlc.readByThirdPartyClient["0.0.40.0.0.255"]?.["2"] ?? "";
      // The recorded text is cut.
      expect(`[${names.join(", ")}]`.slice(0, expected.length)).toBe(expected);
      expect(formatDateTime(dateTimeOf(valueIn(found, "0.0.1.0.0.255 2")) ?? never())).toContain(
        "2026-11-20T15:38:15",
      );
      expect(found.get("1.0.99.98.0.255 2 by 2")).toEqual({ kind: "error", code: 2 });
      expect(found.get("1.0.99.98.0.255 2 by 1")).toEqual({ kind: "error", code: 2 });
    });

    it("a wrong password is refused with the meter's diagnostic", () => {
      if (!refused) throw new Error("no recording");
      const link = wrapperLink({ client: 17, server: { upper: 1, lower: null, bytes: 1 } }, limits);
      const proof: Proof = { kind: "lls", password: new TextEncoder().encode(refused.password) };
      const dialogue = withSession(options(link, proof), (session) =>
        session.get({ classId: 1, obis: "0.0.42.0.0.255", attribute: 2 }),
      );

      const failure = (() => {
        try {
          replay(dialogue, exchangesOf(refused));
        } catch (error) {
          return error;
        }
        return undefined;
      })();

      expect(failure).toBeInstanceOf(ProtocolError);
      expect(failure).toMatchObject({ kind: "bad_password", detail: 13 });
    });

    it("GMAC: counter by the public client, both proofs, 56 encrypted requests byte for byte, and the same objects", () => {
      if (!gmac) throw new Error("no recording");
      const exchanges = exchangesOf(gmac);
      const server = { upper: 1, lower: null, bytes: 1 } as const;
      const publicLink = wrapperLink({ client: 16, server }, limits);
      const counter = replay(
        withSession(
          { ...options(publicLink, { kind: "none" }, ["generalProtection"]), isReleased: true },
          (session) => session.value({ classId: 1, obis: "0.0.43.1.0.255", attribute: 2 }),
        ),
        exchanges.slice(0, 3),
      );
      const keys = {
        encryptionKey: fromHex(gmac.encryptionKey ?? ""),
        authenticationKey: fromHex(gmac.authenticationKey ?? ""),
        systemTitle: fromHex(gmac.clientSystemTitle ?? ""),
      };
      const rest = exchanges.slice(3);
      const aarq = decodeApdu(parseWrapper(rest[0]?.[0] ?? new Uint8Array()).payload);
      const requests = requestsOf(rest.slice(2).map(([sent]) => opened(parseWrapper(sent).payload, keys)));
      // The recorded client left one number out after its proof.
      const numbers = [10, 11, 12, ...Array.from({ length: 80 }, (_, at) => 14 + at)];
      const cipher = createCipher(keys, {
        // oxlint-disable-next-line require-yield -- the row is recorded, so nothing is sent
        *next() {
          return numbers.shift() ?? 0;
        },
      });
      const challenge = aarq.type === "aarq" ? aarq.authenticationValue : null;
      const proof: Proof = { kind: "gmac", cipher, challenge: challenge ?? new Uint8Array() };

      const found = replay(
        withSession(
          options(wrapperLink({ client: 1, server }, limits), proof, ["generalProtection"]),
          (session) => readAll(session, requests),
        ),
        rest,
      );

      expect(numberOf(counter)).toBe(9);
      expect(expectSameObjects(found, gmac)).toBeGreaterThan(5);
    });
  },
);

function opened(payload: Uint8Array, keys: SecurityContext): Apdu {
  const apdu = decodeApdu(payload);
  return apdu.type === "glo" || apdu.type === "generalGlo" ? decodeApdu(decipherApdu(apdu, keys)) : apdu;
}

function valueIn(found: ReadonlyMap<string, AccessResult>, key: string): DlmsData {
  const result = found.get(key);
  return result?.kind === "data" ? result.value : { type: "null" };
}

function never(): never {
  throw new Error("no date-time");
}
