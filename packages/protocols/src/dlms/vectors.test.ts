import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ByteReader, fromHex, toHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeApdu, encodeApdu, readApdu } from "./apdu/apdu.ts";
import { decipherApdu } from "./apdu/apduCiphered.ts";
import { dateTimeBytes, dateTimeOfBytes, formatDateTime } from "./data/dateTime.ts";
import { decodeDlmsApdu } from "./decode/decode.ts";
import { encodeHdlc, parseHdlc } from "./link/hdlc.ts";
import { hdlcParametersBytes, parseHdlcParameters } from "./link/hdlcParameters.ts";
import { gmacAnswer, isGmacAnswer, parseSecurityControl, protect, unprotect } from "./session/security.ts";
import { encodeWrapper, parseWrapper } from "./link/wrapper.ts";

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly hex: string;
  readonly decoder?: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, unknown>> | null;
}

const folder = new URL("../../../../../shared/vectors/dlms/", import.meta.url);
const isThere = existsSync(folder);
const load = (file: string): Case[] =>
  isThere ? (JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { cases: Case[] }).cases : [];
const title = (text: string): string =>
  isThere ? text : `${text}: skipped, ${folder.pathname} is not there`;

const cases = load("pdu.json");
const of = (...kinds: readonly string[]): Case[] => cases.filter(({ kind }) => kinds.includes(kind));
const input = (one: Case, name: string): Uint8Array => fromHex(one.input?.[name] ?? "");

/**
 * These two are refused or read in part: a block without a valid choice, and a value followed by bytes that
 * the other library ignores.
 */
const isBroken = ({ expected }: Case): boolean => expected === null;

const protectionOf = (one: Case, title: Uint8Array) => ({
  context: {
    encryptionKey: input(one, "encryptionKey"),
    authenticationKey: input(one, "authenticationKey"),
    systemTitle: title,
  },
  counter: new ByteReader(input(one, "invocationCounter")).u32be(),
});

describe.skipIf(!isThere)(title("shared DLMS messages"), () => {
  it("has all 42 cases", () => {
    expect(cases.length).toBe(42);
  });

  it.each(of("apdu").map((one, at) => [`${String(at)} ${one.name}`, one] as const))(
    "reads and writes %s",
    (_, one) => {
      const bytes = fromHex(one.hex);
      if (isBroken(one)) {
        expect(() => decodeApdu(bytes)).toThrow(ProtocolError);
        return;
      }

      const reader = new ByteReader(bytes);
      const apdu = readApdu(reader);
      const rest = toHex(reader.take(reader.remaining));

      expect(toHex(encodeApdu(apdu)) + rest).toBe(one.hex.toLowerCase());
      expect(rest === "" || one.name === "action/wrong_tag_raises_valueerror").toBe(true);
      expectFields(apdu, one.expected ?? {});
    },
  );

  it.each(of("hdlc-frame", "hdlc-address").map((one) => [one.name, one] as const))(
    "reads frame %s",
    (_, one) => {
      const frame = parseHdlc(fromHex(one.hex));
      const { destination, source, payload, segmented, final } = one.expected ?? {};

      expect(toHex(encodeHdlc(frame))).toBe(one.hex.toLowerCase());
      if (Array.isArray(destination))
        expect([frame.destination.upper, frame.destination.lower]).toEqual(destination.slice(0, 2));
      if (Array.isArray(source)) expect([frame.source.upper, frame.source.lower]).toEqual(source.slice(0, 2));
      if (isHex(payload)) expect(toHex(frame.information)).toBe(payload.hex.toLowerCase());
      if (segmented !== undefined) expect(frame.isSegmented).toBe(segmented);
      if (final !== undefined) expect(frame.control.isFinal).toBe(final);
    },
  );

  it("decodes and encodes the parameters of UA", () => {
    const [ua] = of("hdlc-frame").filter(({ name }) => name === "hdlc/parser_correctly");
    const { information } = parseHdlc(fromHex(ua?.hex ?? ""));

    const parameters = parseHdlcParameters(information);

    expect(parameters).toEqual({ maxInfoTx: 154, maxInfoRx: 154, windowTx: 1, windowRx: 1 });
    expect(toHex(hdlcParametersBytes(parameters))).toBe("81801205019a06019a070400000001080400000001");
  });

  it.each(of("date-time").map((one) => [one.hex, one] as const))("reads and writes the time %s", (_, one) => {
    const at = dateTimeOfBytes(fromHex(one.hex));

    expect(formatDateTime(at)).toBe(one.expected?.["iso"]);
    expect(toHex(dateTimeBytes(at))).toBe(one.hex.toLowerCase());
  });

  it("protects and opens as the others do", () => {
    const [one] = of("gcm");
    if (one === undefined) throw new Error("case missing");
    const plain = fromHex(one.hex);
    const security = parseSecurityControl(input(one, "securityControl")[0] ?? 0);
    const protection = { ...protectionOf(one, input(one, "systemTitle")), security };

    const content = protect(plain, protection);

    expect(toHex(content).toUpperCase()).toBe(one.expected?.["cipherTextAndTag"]);
    expect(unprotect(content, protection)).toEqual(plain);
  });

  it("answers a challenge by GMAC", () => {
    const [one] = of("gmac");
    if (one === undefined) throw new Error("case missing");
    const protection = protectionOf(one, input(one, "systemTitle"));

    const answer = gmacAnswer(fromHex(one.hex), protection);

    expect(toHex(answer.subarray(5)).toUpperCase()).toBe(one.expected?.["tag"]);
    expect(isGmacAnswer(answer, fromHex(one.hex), protection.context)).toBe(true);
    expect(isGmacAnswer(answer, fromHex("00"), protection.context)).toBe(false);
  });

  it("opens a general-glo message", () => {
    const [one] = of("general-glo");
    const apdu = decodeApdu(fromHex(one?.hex ?? ""));
    if (one === undefined || apdu.type !== "generalGlo") throw new Error("not general-glo");
    const context = {
      encryptionKey: input(one, "encryptionKey"),
      authenticationKey: input(one, "authenticationKey"),
      systemTitle: new Uint8Array(),
    };

    expect(toHex(decipherApdu(apdu, context)).toUpperCase()).toBe(one.expected?.["plainApdu"]);
    expect(
      decodeDlmsApdu(fromHex(one.hex), { key: one.input?.["encryptionKey"] ?? "" }).device,
    ).toMatchObject({
      message: "dataNotification",
      systemTitle: "2f19229199164103",
    });
  });
});

const isHex = (value: unknown): value is { hex: string } =>
  typeof value === "object" && value !== null && "hex" in value && typeof value.hex === "string";

/** Vocabulary names for the fields of the corpus. */
const fieldNames: Readonly<Record<string, string>> = {
  block_number: "blockNumber",
  invocation_counter: "counter",
  negotiated_dlms_version_number: "version",
  client_max_receive_pdu_size: "maxPdu",
  server_max_receive_pdu_size: "maxPdu",
  system_title: "systemTitle",
  authentication_value: "authenticationValue",
  ciphered_text: "content",
};

const plainValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return toHex(value).toUpperCase();
  return isHex(value) ? value.hex : value;
};

/** The fields that the corpus and we both have under different names. */
function expectFields(
  apdu: ReturnType<typeof decodeApdu>,
  expected: Readonly<Record<string, unknown>>,
): void {
  const ours = new Map<string, unknown>(Object.entries(apdu));
  for (const [name, value] of Object.entries(expected)) {
    const found = ours.get(fieldNames[name] ?? "");
    if (found !== undefined) expect(plainValue(found), name).toEqual(plainValue(value));
  }
}

const pushes = load("han-push.json").filter(({ decoder }) => decoder !== "P1");

describe.skipIf(!isThere)(title("shared pushed lists"), () => {
  it("has the 8 lists other than P1", () => {
    expect(pushes.length).toBe(8);
  });

  it.each(pushes.map((one) => [one.name, one] as const))("has every value of %s", (_, one) => {
    const { device, readings, warnings } = decodeDlmsApdu(fromHex(one.hex));
    const found = new Map(readings.map(({ name, value }) => [name, value]));

    expect(warnings).toEqual([]);
    for (const [name, value] of Object.entries(one.expected ?? {}))
      if (name === "meter_manufacturer") expect(device["manufacturer"]).toBe(value);
      else expect(found.get(name), name).toBe(value);
  });
});

interface Exchange {
  readonly interface: "HDLC" | "WRAPPER";
  readonly frames: readonly { readonly hex: string }[];
}
const sessions: readonly Exchange[] = isThere
  ? (JSON.parse(readFileSync(new URL("sessions.json", folder), "utf8")) as { cases: Exchange[] }).cases
  : [];

describe.skipIf(!isThere)(title("recorded sessions"), () => {
  it("read and write back all 842 frames byte for byte", () => {
    let frames = 0;
    for (const { interface: carrier, frames: all } of sessions)
      for (const { hex } of all) {
        const bytes = fromHex(hex);
        if (carrier === "HDLC") expect(toHex(encodeHdlc(parseHdlc(bytes)))).toBe(hex.toLowerCase());
        else {
          const wrapped = parseWrapper(bytes);
          const payload = encodeApdu(decodeApdu(wrapped.payload));
          expect(toHex(encodeWrapper({ ...wrapped, payload }))).toBe(hex.toLowerCase());
        }
        frames++;
      }
    expect(frames).toBe(842);
  });
});
