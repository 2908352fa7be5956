import { meterModels } from "@metrum/catalogue";
import { converse, fromHex, toHex, type LineDriver, type Step } from "@metrum/protocols/core";
import { expect, test } from "vitest";
import { termOf } from "@metrum/vocabulary";
import { LineLost } from "#headend/channels";
import { systemClock } from "#core";
import { maskSecrets, recordExchange } from "./exchange.ts";
import { explainRow } from "./explain.ts";
import { bytesToMask, factorySecrets } from "./secrets.ts";

test("password and keys are masked in the log, in each form in which they are sent", () => {
  const key = "000102030405060708090a0b0c0d0e0f";
  const exchange = recordExchange(
    systemClock,
    bytesToMask({ password: "111111", keys: { encryption: key, authentication: "d0".repeat(16) } }, 101),
  );
  const sent = Buffer.from(`ff313131313131ff010101010101ff${key}ff${"d0".repeat(16)}ff`, "hex");

  exchange
    .begin(
      {
        label: "associate",
        send: sent,
        match: undefined,
        firstByteMs: 1,
        interByteMs: 1,
        tries: 1,
      },
      1,
    )
    .end(new TextEncoder().encode(key));

  const [step] = exchange.steps();
  const stars = (count: number) => "2a".repeat(count);
  expect(step?.sent).toBe(`ff${stars(6)}ff${stars(6)}ff${stars(16)}ff${stars(16)}ff`);
  expect(step?.received).toBe(toHex(new Uint8Array(32).fill(0x2a)));
});

test("every byte of a password is masked even if it could begin at several places", () => {
  const frame = fromHex("17010101010101010101a3b4");
  const password = fromHex("010101010101");

  expect(toHex(maskSecrets(frame, [password]))).toBe(`17${"2a".repeat(9)}a3b4`);
  expect(toHex(maskSecrets(frame, [fromHex("0101a3"), password]))).toBe(`17${"2a".repeat(10)}b4`);
});

/** Every byte string that a poll of a simulated meter sends. */
function sentBy(driver: LineDriver): string[] {
  const device = { insideAddr: driver.protocol === "iec62056-21" ? "" : "17", deviceID: "12345678" };
  const meter = driver.respond(
    device,
    () => 5,
    () => systemClock.now(),
  );
  const sent: string[] = [];
  converse(driver.poll({ kind: "now" }, device), {
    receive(bytes) {
      sent.push(toHex(bytes));
      return meter.receive(bytes);
    },
  });
  return sent;
}

const withFactoryPassword = meterModels.filter(({ driver }) => factorySecrets(driver).length > 0);

test("the log has the reason why a line was lost, but not the text of an unexpected exception", () => {
  const errorOf = (error: Error) => {
    const exchange = recordExchange(systemClock);
    const step: Step = {
      label: "associate",
      send: Uint8Array.of(1),
      match: undefined,
      firstByteMs: 1,
      interByteMs: 1,
      tries: 1,
    };
    exchange.begin(step, 1).end(new Uint8Array(), error);
    return exchange.steps()[0]?.error;
  };

  expect(errorOf(new LineLost("the line is closed"))).toEqual({
    kind: "no_line",
    message: "the line is closed",
  });
  expect(errorOf(new Error("connect ECONNREFUSED 10.0.0.5:5432"))).toEqual({
    kind: "internal",
    message: "a fault of the server",
  });
});

test.each([
  ["dlms", "313131313131"],
  ["iec62056-21", "373737373737"],
  ["mercury230", "010101010101"],
])("the factory password of %s is masked in the log, also in rows stored with it", (protocol, password) => {
  const model = withFactoryPassword.find(
    ({ driver }) => driver.protocol === protocol && toHex(factorySecrets(driver)[0] ?? []) === password,
  );
  if (model?.driver.kind !== "line") throw new Error(`no model asks with ${password}`);
  const { driver } = model;
  const opening = sentBy(driver).find((hex) => hex.includes(password)) ?? "";
  const step = { label: "Open", try: 1, tries: 1, at: 0, answered: null, ended: 0, received: "" };
  const row = {
    id: 1,
    device_task_id: null,
    repeats: 0,
    last_at: 0,
    device_id: 1,
    type_id: 1,
    result_code: 0,
    message: "",
    created_at: 0,
    received_at: null,
    duration_ms: 1,
    tries: 1,
    readings: 1,
    line: "",
  };

  const written = maskSecrets(fromHex(opening), bytesToMask({}, model.id));
  const withEmpty = maskSecrets(fromHex(opening), bytesToMask({ password: "" }, model.id));
  const shown = explainRow({ ...row, steps: [{ ...step, sent: opening }] }, { driver }).steps?.[0];

  expect(opening).toContain(password);
  // The password is at the end of its frame; a similar sequence before it is masked as well.
  const [first, last] = [opening.indexOf(password), opening.lastIndexOf(password) + password.length];
  const stars = "2a".repeat((last - first) / 2);
  expect(toHex(written)).toBe(opening.slice(0, first) + stars + opening.slice(last));
  expect(withEmpty).toEqual(written);
  expect(shown?.sent).toBe(toHex(written));
  const names = (shown?.sent_spans ?? []).map(({ name }) => termOf(name));
  expect(names.map(({ code }) => code)).not.toContain("undecoded");
  expect(names.some(({ isUnchecked }) => isUnchecked)).toBe(true);
  expect(JSON.stringify(shown)).not.toMatch(/1{6}|7{6}/);
});

test("the default password of the model is not masked for a device with its own, since it may occur in answers", () => {
  const [model] = withFactoryPassword;

  const masked = bytesToMask({ password: "secret" }, model?.id ?? 0).map((bytes) => toHex(bytes));

  expect(masked).toEqual([toHex(new TextEncoder().encode("secret"))]);
});
