import { afterAll, expect, test } from "vitest";
import type { CodecCall, Outcome } from "./order.ts";
import { CodecPool } from "./pool.ts";

const pool = new CodecPool();
afterAll(() => pool.close());

const recvTimeMs = Date.UTC(2026, 10, 21, 4);
let names = 0;

async function run(
  source: string,
  more: {
    bytes?: readonly number[];
    fPort?: number;
    call?: CodecCall;
    data?: unknown;
    codec?: string;
    company?: number;
  } = {},
): Promise<Outcome> {
  const {
    bytes = [1, 2],
    fPort = 3,
    call = "decodeUplink",
    data,
    codec = `c${String(++names)}`,
    company = 1,
  } = more;
  return pool.run({ company, codec }, { source, bytes, fPort, call, data, recvTimeMs });
}

async function answerOf(source: string, more: Parameters<typeof run>[1] = {}): Promise<unknown> {
  const outcome = await run(source, more);
  if (outcome.kind === "failed") throw new Error(`${outcome.failure}: ${outcome.message}`);
  return JSON.parse(outcome.text);
}

const good = "function decodeUplink(input) { return { data: { in1: input.bytes[0] + input.fPort } }; }";
const decoder = (expression: string) =>
  `function decodeUplink(input) { return { data: { value: ${expression} } }; }`;
const valueOf = async (expression: string) => answerOf(decoder(expression));

test("DEV-055: decodeUplink gets bytes, port and time of receipt", async () => {
  expect(await answerOf(good)).toEqual({ data: { in1: 4 } });
  expect(await valueOf("input.recvTime.toISOString()")).toEqual({
    data: { value: "2026-11-21T04:00:00.000Z" },
  });
});

test("older forms of codecs are called like in ChirpStack v3 and The Things Network v2", async () => {
  expect(await answerOf("function Decode(fPort, bytes) { return { sum: fPort + bytes.length }; }")).toEqual({
    data: { sum: 5 },
  });
  expect(await answerOf("const Decoder = (bytes, port) => ({ sum: port * bytes.length });")).toEqual({
    data: { sum: 6 },
  });
  expect(await answerOf("exports.decodeUplink = () => ({ data: { a: 1 } });")).toEqual({ data: { a: 1 } });
});

test("downlinks are encoded and decoded by the same codec", async () => {
  const source = `function encodeDownlink({ data }) { return { bytes: [data.value], fPort: 9 }; }
    function decodeDownlink({ bytes }) { return { data: { value: bytes[0] } }; }`;

  expect(await answerOf(source, { call: "encodeDownlink", data: { value: 7 } })).toEqual({
    bytes: [7],
    fPort: 9,
  });
  expect(await answerOf(source, { call: "decodeDownlink", bytes: [7] })).toEqual({ data: { value: 7 } });
});

test("DEV-055: a codec has no network, files, process, timers or escape from the interpreter", async () => {
  for (const name of [
    "process",
    "require",
    "fetch",
    "XMLHttpRequest",
    "setTimeout",
    "setInterval",
    "WebAssembly",
    "global",
    "std",
    "os",
    "performance",
  ])
    expect(await valueOf(`typeof ${name}`), name).toEqual({ data: { value: "undefined" } });
  const escapes = [
    'this.constructor.constructor("return process")()',
    '(function(){}).constructor("return process")()',
    'Buffer.constructor("return process")()',
    'input.constructor.constructor("return globalThis.process.env")()',
  ];
  for (const escape of escapes) expect((await run(decoder(escape))).kind, escape).toBe("failed");
  expect((await run('import fs from "node:fs"; function decodeUplink() {}')).kind).toBe("failed");
});

test("DEV-055: a codec has no clock except the time of receipt, and no randomness", async () => {
  expect(
    await valueOf("[Date.now(), new Date().getTime(), new (new Date(0).constructor)().getTime()]"),
  ).toEqual({
    data: { value: [recvTimeMs, recvTimeMs, recvTimeMs] },
  });
  expect(await valueOf("[new Date(2026, 0, 2, 3).toISOString(), new Date(0).getHours(), Date()]")).toEqual({
    data: { value: ["2026-01-02T03:00:00.000Z", 0, "Sat, 21 Nov 2026 04:00:00 GMT"] },
  });
  expect(await valueOf("Object.getPrototypeOf(Date) === Function.prototype")).toEqual({
    data: { value: true },
  });
  expect(await run(decoder("Math.random()"))).toMatchObject({ kind: "failed", failure: "error" });
});

test("console is silent and harmless", async () => {
  expect(await answerOf(`${good} console.log("x", globalThis); console.error(1);`)).toEqual({
    data: { in1: 4 },
  });
});

test("Buffer supports the reads that codecs use", async () => {
  expect(
    await valueOf(`(() => { const b = Buffer.from([1, 2, 0xff, 0xfe]);
      return [b.readUInt16BE(0), b.readInt16LE(2), b.toString("hex"), Buffer.from("0a0b", "hex")[1],
        Buffer.from("AQI=", "base64").length, b.slice(1, 3).toString("base64"), Buffer.from("é").length,
        Buffer.from("é").toString(), b.readUIntBE(0, 3), Buffer.concat([b, b]).length, b.readUint8(0)]; })()`),
  ).toEqual({ data: { value: [258, -257, "0102fffe", 11, 2, "Av8=", 2, "é", 66303, 8, 1] } });
});

test("a codec that replaces built-in functions affects only itself", async () => {
  const tricks = `JSON.stringify = () => "[]"; JSON.parse = () => ({}); Object.prototype.toJSON = function () { return 5; };
    Reflect.construct = null; Object.defineProperty(Object.prototype, "call", { get() { throw 1; }, set() {} });`;
  expect((await run(`${tricks} ${good}`)).kind).toBeDefined();
  expect(await answerOf(good)).toEqual({ data: { in1: 4 } });
  expect(await valueOf('JSON.parse(\'{"__proto__": {"polluted": 1}}\')')).toBeDefined();
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("a call does not see the state of the previous one", async () => {
  const source = "var n = (globalThis.n || 0) + 1; function decodeUplink() { return { data: { n } }; }";

  expect(await answerOf(source, { codec: "same" })).toEqual({ data: { n: 1 } });
  expect(await answerOf(source, { codec: "same" })).toEqual({ data: { n: 1 } });
});

test("errors of a codec are returned as text, including that of a missing function", async () => {
  expect(await run('function decodeUplink() { throw new Error("port 9 only"); }')).toMatchObject({
    failure: "error",
    message: "Error: port 9 only",
  });
  expect(await run("function decodeUplink( {")).toMatchObject({ failure: "error" });
  expect(await run("const a = 1;")).toMatchObject({
    message: "Error: the codec has no function decodeUplink",
  });
  expect(await run(decoder('"x".repeat(100000)'))).toMatchObject({
    message: "Error: the answer of the codec is too long",
  });
});

test("DEV-055: an endless loop, also at the top level or in a regular expression, is ended by the time limit", async () => {
  const loops = [
    "function decodeUplink() { for (;;); }",
    "for (;;);",
    'function decodeUplink() { return /(a+)+$/.test("a".repeat(40) + "b"); }',
  ];
  for (const source of loops)
    expect(await run(source), source).toMatchObject({ kind: "failed", failure: "time" });
  expect(await answerOf(good)).toEqual({ data: { in1: 4 } });
});

test("endless recursion is ended, and the next codec runs", async () => {
  expect(await run("function decodeUplink(input) { return decodeUplink(input); }")).toMatchObject({
    kind: "failed",
  });
  expect(await run("const f = (n) => [n].map(f); function decodeUplink() { return f(1); }")).toMatchObject({
    kind: "failed",
  });
  expect(await answerOf(good)).toEqual({ data: { in1: 4 } });
});

test("DEV-055: a codec that exhausts its memory is stopped, the host stays small and the next codec runs", async () => {
  const before = process.memoryUsage().rss;
  const bombs = [
    "function decodeUplink() { const all = []; for (;;) all.push(new Array(100000).fill(1)); }",
    'function decodeUplink() { let text = "x"; for (;;) text += text; }',
    "function decodeUplink() { return new Uint8Array(2 ** 30); }",
    "function decodeUplink() { return new Array(2 ** 31).fill(1); }",
    "const a = []; for (let i = 0; ; i++) a[i] = { i };",
  ];
  for (const source of bombs) {
    expect(await run(source), source).toMatchObject({ kind: "failed" });
    expect(await answerOf(good)).toEqual({ data: { in1: 4 } });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("DEV-056: while one company's codec loops, another company's payloads are decoded", async () => {
  const loop = "function decodeUplink() { for (;;); }";
  await Promise.all([run(good, { company: 8 }), run(good, { company: 9 })]);
  let ended = 0;
  const bad = Array.from({ length: 12 }, (_, at) =>
    run(loop, { company: 2, codec: `loop${String(at)}` }).then(() => (ended += 1)),
  );
  const fine = Array.from({ length: 4 }, () => run(good, { company: 3, codec: "good" }));

  expect((await Promise.all(fine)).map(({ kind }) => kind)).toEqual(["answer", "answer", "answer", "answer"]);

  expect(ended).toBeLessThan(12);
  await Promise.all(bad);
});

test("DEV-056: within a company a codec that loops does not delay another, and is suspended after some overruns", async () => {
  const loop = "function decodeUplink() { for (;;); }";
  const bad = Array.from({ length: 50 }, () => run(loop, { company: 4, codec: "loop" }));
  const ended: string[] = [];
  for (const each of bad) void each.then(() => ended.push("bad"));

  await run(good, { company: 4, codec: "good" });
  expect(ended.length).toBeLessThan(3);
  const outcomes = await Promise.all(bad);

  expect(outcomes.filter((each) => each.kind === "failed" && each.failure === "time")).toHaveLength(3);
  expect(outcomes.at(-1)).toMatchObject({ failure: "busy" });
});

test("only the company whose queue is full is refused", async () => {
  const small = new CodecPool({ mostWaiting: 5 });
  const order = { source: good, bytes: [1], fPort: 1, call: "decodeUplink", recvTimeMs } as const;
  const many = Array.from({ length: 10 }, () => small.run({ company: 5, codec: "many" }, order));
  const other = small.run({ company: 6, codec: "other" }, order);

  expect((await other).kind).toBe("answer");
  const refused = (await Promise.all(many)).filter((each) => each.kind === "failed");
  expect(refused).toHaveLength(4);
  expect(refused.map(({ failure }) => failure)).toEqual(["busy", "busy", "busy", "busy"]);
  await small.close();
});
