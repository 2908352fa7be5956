import { expect, test } from "vitest";
import { runCommand } from "#testing/program";
import { decode } from "./decode.ts";
import { traceText } from "./traceText.ts";
import { UsageError } from "../usage.ts";

const metrum = (args: string[], input = "") => runCommand(args, { input });

/** A long frame of meter 12345678 with a volume of 2850427 l, put together here. */
function waterFrame(): string {
  const body = [0x08, 0x05, 0x72, 0x78, 0x56, 0x34, 0x12, 0x24, 0x40, 0x01, 0x07, 0x55, 0, 0, 0];
  const data = [...body, 0x0c, 0x13, 0x27, 0x04, 0x85, 0x02];
  const sum = data.reduce((total, byte) => (total + byte) & 0xff, 0);
  return Buffer.from([0x68, data.length, data.length, 0x68, ...data, sum, 0x16]).toString("hex");
}

test("a valid frame returns its readings, and with --explain every byte", () => {
  const plain = decode("mbus", waterFrame());
  const explained = decode("mbus", waterFrame().toUpperCase(), { explain: true });

  expect(plain).toMatchObject({
    protocol: "mbus",
    device: { id: "12345678" },
    readings: [{ value: 2850.427, unit: "m^3", storage: 0, tariff: 0, subunit: 0 }],
    warnings: [],
  });
  expect(plain).not.toHaveProperty("fields");
  expect(explained).toHaveProperty("fields.0", expect.objectContaining({ offset: 0, bytes: 1 }));
});

test("a DLMS message and an HDLC frame return their readings; a refusal is a reading", () => {
  expect(decode("dlms-apdu", "c401c1000600001391")).toMatchObject({
    readings: [{ name: "value", value: 5009 }],
  });
  expect(decode("dlms-apdu", "c401c10104")).toMatchObject({
    readings: [{ name: "result", value: 4, function: "object-undefined" }],
  });
  expect(decode("dlms-apdu", "c401c1")).toMatchObject({ error: { kind: "unexpected", offset: 3 } });
  expect(decode("dlms-hdlc", "7ea00703415356007e")).toMatchObject({ error: { kind: "checksum" } });
});

test("an invalid frame returns kind, offset and message", () => {
  const frame = waterFrame();

  expect(decode("mbus", `${frame.slice(0, -4)}0016`)).toEqual({
    error: { kind: "checksum", offset: expect.any(Number) as number, message: expect.any(String) as string },
  });
  expect(decode("mbus", "68zz")).toMatchObject({ error: { kind: "unexpected", offset: 1 } });
});

test("with --explain an invalid frame shows the decoded part", () => {
  const frame = waterFrame();

  const answer = decode("mbus", `${frame.slice(0, -16)}0016`, { explain: true });

  expect(answer).toHaveProperty("error");
  expect(answer.fields?.length).toBeGreaterThan(1);
  expect(answer.fields?.at(-1)?.name).toMatch(/^Not decoded: /);
  expect(answer.fields?.reduce((sum, { bytes }) => sum + bytes, 0)).toBe((frame.length - 12) / 2);
});

test("on a terminal every byte is shown beside its name", () => {
  const hex = "000100000006010300100001/000100000005010302002a";

  const text = traceText(decode("modbus-tcp", hex, { explain: true }), hex);

  expect(text).toMatch(/^ {4}7 {2}03 +function = 3 \(read holding registers\)$/m);
  expect(text).toMatch(/00 2a +register 0x0010 = 42$/m);
  expect(traceText(decode("mbus", "68", { explain: true }), "68")).toContain("unexpected");
});

test("Modbus accepts request and reply separated by a slash, or one of them", () => {
  const request = "000100000006010300100001";
  const response = "000100000005010302002a";

  expect(decode("modbus-tcp", `${request}/${response}`)).toMatchObject({
    readings: [{ name: "register 16", value: 42 }],
  });
  expect(decode("modbus-tcp", response)).toMatchObject({ readings: [{ value: 42 }] });
  expect(decode("modbus-tcp", `${request}/`)).toHaveProperty("readings");
  expect(decode("modbus-tcp", `${request}/${response}/00`)).toHaveProperty("error.kind", "unexpected");
});

test("a refusal by the device is a valid frame", () => {
  expect(decode("modbus-tcp", "000100000003018302")).toMatchObject({
    readings: [{ name: "exception", value: 2 }],
  });
});

test("an unknown protocol is refused with a list of the known ones", () => {
  expect(() => decode("toString", "00")).toThrow(UsageError);
  expect(() => decode("morse", "00")).toThrow(/\bmbus, .*\bmodbus-rtu, .*\bmodbus-tcp/);
});

test("the program prints nothing but the answer and exits 1 for an invalid frame, 2 for wrong usage", () => {
  const good = metrum(["decode", "mbus", waterFrame()]);
  expect(good).toMatchObject({ status: 0, err: "" });
  expect(JSON.parse(good.out)).toEqual(decode("mbus", waterFrame()));

  const bad = metrum(["decode", "mbus", "10"]);
  expect(bad).toMatchObject({ status: 1, err: "" });
  expect(JSON.parse(bad.out)).toHaveProperty("error.kind");

  expect(metrum(["decode", "mbus"]).status).toBe(2);
  expect(metrum(["decode", "mbus", "10", "--loud"]).status).toBe(2);
  expect(metrum(["conjure"])).toMatchObject({ status: 2, out: "" });
});

test("a dash reads a frame per line, answers in order and exits 0 whatever the frames are", () => {
  const { status, out, err } = metrum(["decode", "mbus", "-"], `${waterFrame()}\r\nff\n\n${waterFrame()}\n`);

  const answers = out
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(answers).toHaveLength(4);
  expect(answers[0]).toHaveProperty("readings");
  expect(answers[1]).toHaveProperty("error");
  expect(answers[2]).toHaveProperty("error");
  expect(answers[3]).toEqual(answers[0]);
});

test("decode wmbus decrypts the example of OMS vol. 2, annex N, with its key and with no other", () => {
  const telegram =
    "2E44931578563412330333637A2A0020255923C95AAA26D1B2E7493BC2AD013EC4A6F6D3529B520EDFF0EA6DEFC955B29D6D69EBF3EC8A";

  const answer = decode("wmbus", telegram, { key: "0102030405060708090A0B0C0D0E0F11", explain: true });

  expect(answer).toMatchObject({ device: { id: "12345678" }, readings: [{ value: 28_504.27 }, {}, {}] });
  expect(answer).toHaveProperty("fields");
  expect(decode("wmbus", telegram)).toMatchObject({ error: { kind: "bad_password" } });
});
