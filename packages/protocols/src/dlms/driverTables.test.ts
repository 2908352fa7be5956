import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import type { Conversation, Responder } from "../core/conversation.ts";
import type { DeviceAddress, PollRequest } from "../core/driver.ts";
import { failureOf, talk } from "../core/testing/testLine.ts";
import { decodeApdu, encodeApdu } from "./apdu/apdu.ts";
import { dlms } from "./driver.ts";
import { explainDlms } from "./decode/explain.ts";
import { encodeHdlc, llc, parseHdlc } from "./link/hdlc.ts";
import { hdlcControlName } from "./link/hdlcControl.ts";
import { joinParts } from "./decode/joinParts.ts";
import { isOfSignOn } from "./link/opticalHead.ts";
import type { DlmsOptions } from "./options.ts";
import { aMeter, authentications, day, device, expectNow, now, options, shown } from "./testing/testMeter.ts";
import { partsOf } from "./testing/testSpans.ts";
import type { Apdu, CosemAttribute } from "./types.ts";
import { encodeWrapper, parseWrapper } from "./link/wrapper.ts";

const wrapped = (changes: Partial<DlmsOptions> = {}): DlmsOptions =>
  options({ transport: "wrapper", ...changes });
const code = (value: number) => ({ kind: "error", code: value }) as const;

interface Polled {
  readonly meter?: Responder;
  readonly request?: PollRequest;
  /** Result of a single attribute in place of its value. */
  readonly refuse?: (attribute: CosemAttribute) => number | undefined;
}

/** What is read of a meter whose answers to single attributes may be refused, and what is sent to it. */
function polled(of: DlmsOptions, how: Polled = {}) {
  const { meter = aMeter(of), request = { kind: "now" }, refuse = () => undefined } = how;
  const sent: Apdu[] = [];
  const responder: Responder = {
    receive(bytes) {
      const frame = parseWrapper(bytes);
      const apdu = decodeApdu(frame.payload);
      sent.push(apdu);
      const refused = apdu.type === "getRequest" ? refuse(apdu.attribute) : undefined;
      if (refused === undefined || apdu.type !== "getRequest") return meter.receive(bytes);
      const payload = encodeApdu({ type: "getResponse", invoke: apdu.invoke, result: code(refused) });
      return [encodeWrapper({ source: frame.destination, destination: frame.source, payload })];
    },
  };
  return { sent, result: () => talk(dlms(of).poll(request, device), responder) };
}
const isClock = ({ classId }: CosemAttribute) => classId === 8;
const isProfile = ({ classId }: CosemAttribute) => classId === 7;
const attributesOf = (sent: readonly Apdu[]) =>
  sent.flatMap((apdu) =>
    apdu.type === "getRequest"
      ? [`${String(apdu.attribute.classId)} ${apdu.attribute.obis} ${String(apdu.attribute.attribute)}`]
      : [],
  );

describe("current values of a meter", () => {
  it("have no time of a meter that hides its clock", () => {
    const hidden = polled(wrapped(), { refuse: (each) => (isClock(each) ? 3 : undefined) });

    expect(hidden.result()).toEqual(expectNow.map(({ meterAt: _, ...reading }) => reading));
    const lost = failureOf(() =>
      talk(dlms(wrapped()).poll({ kind: "now" }, device), aMeter(wrapped()), {
        spoil: (reply, n) => (n >= 2 && n <= 4 ? [] : [reply]),
      }),
    );
    expect(lost).toMatchObject({ kind: "timeout" });
  });

  const row = {
    obis: "1.0.94.7.0.255",
    columns: [{ obis: "1.0.32.7.0.255", field: "voltage1", msgType: 2 }],
  } as const;

  it("are those of one row, or of the registers of a meter that lacks it, or hides it", () => {
    const of = wrapped({ current: row });
    const refusing = (refusal: number) =>
      polled(of, { refuse: (each) => (isProfile(each) ? refusal : undefined) });

    expect(polled(of).result()).toEqual([
      { msgType: 2, at: null, meterAt: now, values: { voltage1: 231.4 } },
    ]);
    for (const refusal of [3, 4]) expect(refusing(refusal).result()).toEqual(expectNow);
    expect(polled(of, { meter: aMeter(wrapped()) }).result()).toEqual(expectNow);
  });

  it("are no registers in place of a row that is wrong", () => {
    const of = wrapped({ current: { ...row, columns: [{ ...row.columns[0], field: "current1" }] } });

    expect(failureOf(() => polled(of, { meter: aMeter(wrapped({ current: row })) }).result())).toMatchObject({
      kind: "unexpected",
    });
  });

  it("are of one type if the meter has no other", () => {
    const [first] = options().registers;
    const of = wrapped({ registers: first ? [first] : [] });

    expect(polled(of).result()).toEqual([
      { msgType: 1, at: null, meterAt: now, values: { tariff0: shown.counters.tariff0 } },
    ]);
  });
});

describe("journals of a meter", () => {
  const events = [
    { journal: "0.0.99.98.2.255", at: now - 100, code: 5 },
    { journal: "0.0.99.98.4.255", at: now - 50, code: 7 },
  ];
  const read = (journal?: number) => {
    const of = wrapped();
    const request = { kind: "archive", msgType: 7, from: now - 200, to: now } as const;
    return polled(of, {
      meter: aMeter(of, { events }),
      request: journal === undefined ? request : { ...request, journal },
    });
  };
  const first = { msgType: 7, at: now - 100, meterAt: now - 100, values: { status_code: 5 } };
  const second = { msgType: 7, at: now - 50, meterAt: now - 50, values: { status_code: 1007 } };

  it("are told apart by thousands, all of them or one", () => {
    expect(read().result()).toEqual([first, second]);
    expect([read(0).result(), read(1).result()]).toEqual([[first], [second]]);
    expect(attributesOf(read(1).sent)).not.toContain("7 0.0.99.98.2.255 2");
    expect(failureOf(() => read(2).result())).toMatchObject({
      ...{ kind: "unsupported", message: "the meter keeps no such journal" },
    });
  });
});

describe("profiles of a meter", () => {
  it("are those of the type that is asked for", () => {
    const of = wrapped();
    const days = polled(of, { request: { kind: "archive", msgType: 101, from: now - 2 * day, to: now } });

    expect(days.result()).toHaveLength(2);
    expect(attributesOf(days.sent).every((each) => !each.includes("1.0.99.1.0.255"))).toBe(true);
  });
});

describe("a session by the options of a model", () => {
  it.each<[string, Partial<DlmsOptions>, (sent: readonly Apdu[]) => boolean]>([
    ["no release", { isReleased: false }, (sent) => sent.every(({ type }) => type !== "rlrq")],
    ["a release", {}, (sent) => sent.at(-1)?.type === "rlrq"],
    [
      "one number",
      { fixedInvokeId: 9 },
      (sent) => sent.every((each) => !("invoke" in each) || each.invoke.id === 9),
    ],
    ["no lists", { listSize: 1 }, (sent) => sent.every(({ type }) => type !== "getRequestList")],
    [
      "lists",
      {},
      (sent) => sent.some((each) => each.type === "getRequestList" && each.requests.length === 7),
    ],
  ])("has %s", (_, changes, isSo) => {
    const { sent, result } = polled(wrapped(changes));

    expect(result()).toEqual(expectNow);
    expect(isSo(sent)).toBe(true);
  });

  it("has the general form of protection if the model says so", () => {
    const kinds = (changes: Partial<DlmsOptions>) => {
      const { sent, result } = polled(wrapped({ authentication: authentications.gmac, ...changes }));
      result();
      return [...new Set(sent.map(({ type }) => type))];
    };

    expect(kinds({})).toEqual(["aarq", "getRequest", "rlrq", "glo"]);
    expect(kinds({ isGeneralProtection: true })).toEqual(["aarq", "getRequest", "rlrq", "glo", "generalGlo"]);
    expect(kinds({ isReleased: false })).toEqual(["aarq", "getRequest", "glo"]);
  });

  it("proposes the size of a frame that the model names", () => {
    const snrm = (maxInfo?: number) => {
      const step = dlms(options(maxInfo === undefined ? {} : { maxInfo }))
        .poll({ kind: "now" }, device)
        .next().value;
      return "send" in step ? parseHdlc(step.send) : undefined;
    };

    expect(snrm()?.information).toHaveLength(0);
    expect(toHex(snrm(300)?.information ?? [])).toContain("0502012c0602012c");
    expect(snrm()).toMatchObject({
      source: { upper: 32 },
      destination: { upper: 1, lower: 17, bytes: 4 },
      control: { type: "snrm" },
    });
  });

  it("behind an optical head keeps the speed of its line, if that is fixed", () => {
    const acknowledged = (changes: Partial<DeviceAddress>) => {
      const own = { ...device, signOn: { evenParity: false }, ...changes };
      const meter = aMeter(options(), {}, own);
      const requests: string[] = [];
      const readings = talk(dlms(options()).poll({ kind: "now" }, own), {
        receive: (bytes) => (requests.push(toHex(bytes)), meter.receive(bytes)),
      });
      expect(readings).toEqual(expectNow);
      return requests.slice(0, 2);
    };

    expect(acknowledged({})).toEqual(["2f3f210d0a", "063235320d0a"]);
    expect(acknowledged({ fixedBaud: 300 })).toEqual(["2f3f210d0a", "063230320d0a"]);
  });

  it("of the public client is read and left in the same way", () => {
    const of = wrapped({ fixedInvokeId: 9, isReleased: false });
    const sent: Apdu[] = [];
    const meter = aMeter(of);
    const identify = dlms(of).identify?.(device, "open");
    const found =
      identify &&
      talk(identify, {
        receive(bytes) {
          const { source, payload } = parseWrapper(bytes);
          expect(source).toBe(16);
          sent.push(decodeApdu(payload));
          return meter.receive(bytes);
        },
      });

    expect(found).toEqual({ serial: "41200042" });
    expect(sent.every((each) => !("invoke" in each) || each.invoke.id === 9)).toBe(true);
    expect(sent.map(({ type }) => type)).not.toContain("rlrq");
  });

  const key = "000102030405060708090a0b0c0d0e0f";

  it.each<[string, Partial<DlmsOptions>, Partial<DeviceAddress>, string]>([
    ["a password", {}, {}, "the device has no password"],
    ["keys", { authentication: authentications.gmac }, {}, "the device has no encryption key"],
    [
      "a second key",
      { authentication: authentications.gmac },
      { keys: { encryption: key } },
      "the device has no authentication key",
    ],
    [
      "a whole key",
      { authentication: authentications.gmac },
      { keys: { encryption: key.slice(1), authentication: key } },
      "the encryption key is not of 32 hexadecimal digits",
    ],
  ])("is not begun without %s", (_, changes, own, message) => {
    const dialogue = dlms(wrapped(changes)).poll(
      { kind: "now" },
      { insideAddr: "17", deviceID: "1", ...own },
    );

    expect(failureOf(() => dialogue.next())).toMatchObject({ kind: "bad_password", message });
  });

  it("reserves numbers above that of the meter, for each client, and has a title of its own or of the model", () => {
    const reservationOf = (dialogue: Conversation<unknown>) => {
      const { value } = dialogue.next();
      return value;
    };
    const alone = (systemTitle?: string) =>
      dlms(
        wrapped({ authentication: { kind: "gmac", ...(systemTitle === undefined ? {} : { systemTitle }) } }),
      );
    const titleOf = (systemTitle?: string) => {
      const dialogue = alone(systemTitle).poll({ kind: "now" }, device);
      dialogue.next();
      const { value } = dialogue.next(fromHex("00000001"));
      const apdu = "send" in value ? decodeApdu(parseWrapper(value.send).payload) : undefined;
      return apdu?.type === "aarq" && toHex(apdu.systemTitle ?? []);
    };

    expect(reservationOf(alone().poll({ kind: "now" }, device))).toMatchObject({
      ...{ counter: "dlms:32", atLeast: 1, count: 64 },
    });
    expect([titleOf("4142434445464748"), titleOf()]).toEqual(["4142434445464748", "4d5452f421980c16"]);
  });
});

describe("frames of a message that are explained together", () => {
  const frame = (send: number, information: Uint8Array, isSegmented: boolean) =>
    encodeHdlc({
      destination: { upper: 32, lower: null, bytes: 1 },
      source: { upper: 1, lower: 17, bytes: 2 },
      control: { type: "i", send, receive: 1, isFinal: true },
      ...{ information, isSegmented },
    });
  const message = Uint8Array.of(...llc.fromServer, ...fromHex("c401c100 0906 010203040506"));
  const [first, second] = [frame(0, message.subarray(0, 8), true), frame(1, message.subarray(8), false)];
  const said = (...parts: Uint8Array[]) => {
    const bytes = Uint8Array.from(parts.flatMap((each) => [...each]));
    return { bytes, spans: explainDlms(bytes, "hdlc") };
  };
  const codes = (spans: readonly Span[]) => partsOf(spans).map((each) => each.replace(/^\d+ /, ""));

  it("are named by the message, wherever they are, and what stands beside them is left", () => {
    const noise = Uint8Array.of(1, 2);
    const [one = [], two = []] = joinParts([said(noise, first), said(second, noise)]);

    expect(partsOf(one)).toEqual([
      ...[
        "2 noise",
        "1 flag",
        "2 frame_format",
        "1 destination_address",
        "2 source_address",
        "1 control",
        "2 hcs",
      ],
      ...["3 llc", "1 message_tag", "1 get_response", "1 invoke_id", "1 value_or_result", "1 value/type"],
      ...["2 fcs", "1 flag_end"],
    ]);
    expect(codes(two)).toEqual([
      ...["flag", "frame_format", "destination_address", "source_address", "control", "hcs"],
      ...["value/length", "value", "fcs", "flag_end", "noise"],
    ]);
    expect(joinParts([said(first, second)])[0]?.length).toBe(one.length + two.length - 2);
  });

  it("are left as they are if one is missing, damaged, or alone", () => {
    const alone = (...stretches: ReturnType<typeof said>[]) => {
      expect(joinParts(stretches)).toEqual(stretches.map(({ spans }) => spans));
    };

    alone(said(first));
    alone(said(second));
    alone(said(first), said(second.subarray(0, 6)));
    alone(said(first), said(second.with(-2, (second.at(-2) ?? 0) ^ 1)));
    alone(
      said(first),
      said(encodeHdlc({ ...parseHdlc(second), control: { type: "rr", receive: 1, isFinal: true } })),
    );
    alone(said(frame(0, fromHex("e6e700c401c10077"), true)), said(frame(1, fromHex("00"), false)));
  });

  it("count once if one comes again, also with the same number in another message", () => {
    const again = joinParts([said(first), said(first), said(second)]);

    expect(codes(again[0] ?? [])).toContain("llc");
    expect(codes(again[1] ?? [])).toContain("message_part");
    expect(codes(again[2] ?? [])).toContain("value");
    const whole = frame(0, message, false);
    expect(
      joinParts([said(whole), said(whole), said(first), said(second)]).map((each) =>
        codes(each).includes("llc"),
      ),
    ).toEqual([...[true, true, true, false]]);
  });

  it("of a sign-on begin with a slash or an acknowledgement", () => {
    expect(["2f", "af", "06", "7e", "00", ""].map((hex) => isOfSignOn(fromHex(hex)))).toEqual([
      ...[true, true, true, false, false, false],
    ]);
    const { sent, received } = dlms(options()).explain(
      first,
      encodeWrapper({ source: 1, destination: 32, payload: fromHex("d80101") }),
    );
    expect([sent[0]?.name, received[0]?.name]).toEqual(["flag", "wrapper_version"]);
    expect(hdlcControlName(parseHdlc(first).control)).toBe("I N(S)=0 N(R)=1 F");
    expect(dlms(wrapped()).explainDialogue?.([{ sent: fromHex(""), received: fromHex("00") }])).toMatchObject(
      [{ sent: [], received: [{ bytes: 1 }] }],
    );
  });
});
