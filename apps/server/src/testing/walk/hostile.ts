import type { Call } from "@metrum/contract/core";
import { fieldsOf, withField } from "./schemaFields.ts";

/** A request as bytes, which the contract's own client would never send. */
export interface Hostile {
  readonly what: string;
  readonly contentType: string;
  readonly payload: string;
  readonly url: string;
}

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/** Values for any field, as JSON text, including JSON that `JSON.stringify` cannot produce. */
const values: Readonly<Record<string, string>> = {
  null: "null",
  true: "true",
  "an empty text": '""',
  "a NUL": '"a\\u0000b"',
  "half a surrogate": '"\\ud800"',
  "right to left": '"\\u202eexe.txt"',
  SQL: `"' or 1=1; drop table users; --"`,
  "a LIKE pattern": '"%_\\\\%"',
  "a regular expression": '"(a+)+$"',
  HTML: '"<img src=x onerror=alert(1)>"',
  "a template": '"{{7*7}}${7*7}"',
  "a header": '"a\\r\\nSet-Cookie: x=1"',
  "a path": '"../../../etc/passwd"',
  "a long text": JSON.stringify("ы".repeat(20_000)),
  "an address": '"javascript:alert(1)"',
  "a date": '"0000-00-00T99:99:99Z"',
  zero: "0",
  "minus one": "-1",
  "minus zero": "-0",
  "half of one": "0.5",
  "above int4": "2147483648",
  "above int8": "9223372036854775808",
  "unsafe integer": "9007199254740993",
  "a huge number": "1e308",
  infinity: "1e400",
  "a tiny number": "5e-324",
  "a number as text": '"1"',
  "hexadecimal text": '"0x10"',
  "not a number": '"NaN"',
  "an empty list": "[]",
  "a list of null": "[null]",
  "a list in a list": "[[[1]]]",
  "a long list": `[${"1,".repeat(20_000)}1]`,
  "an empty object": "{}",
  "a prototype": '{"__proto__":{"is_admin":true},"constructor":{"prototype":{"is_admin":true}}}',
  "a length": '{"length":1000000000}',
  "a toString": '{"toString":"x","valueOf":"y","toJSON":"z"}',
  deep: nested(2_000, "[", "]"),
};

/** Large bodies, which take longer to build than to send. */
const large = {
  deepObject: nested(100_000, '{"a":', "}").replace("}", "1}"),
  deepList: nested(200_000, "[", "]"),
  long: JSON.stringify({ name: "x".repeat(3 * 1024 * 1024) }),
};

const marker = "\u2063hostile\u2063";

/**
 * Each field of a call with each value, one at a time, the rest of the request as in the example; and
 * malformed bodies. `step` thins them out: every `step`-th is taken, with a different offset for each field.
 */
export function* hostileRequests(call: Call, example: object, step = 1): Generator<Hostile> {
  const input = example as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const json = "application/json";
  let turn = call.id.length;
  for (const { path } of fieldsOf(call)) {
    for (const [name, value] of Object.entries(values)) {
      if (turn++ % step !== 0) continue;
      const what = `${path.join(".")} = ${name}`;
      const changed = withField(input, path, marker) as typeof input;
      const payload = JSON.stringify(changed.body ?? {}).replace(JSON.stringify(marker), () => value);
      const text = textOf(value);
      yield { what, contentType: json, payload, url: urlOf(call, changed, text) };
    }
    turn += 1;
  }
  const url = urlOf(call, input, "");
  const body = JSON.stringify(input.body ?? {});
  const bodies: readonly [string, string, string][] = [
    ["no JSON", json, "{"],
    ["a JSON number", json, "5"],
    ["JSON null", json, "null"],
    ["a JSON list", json, "[]"],
    ["a prototype", json, '{"__proto__":{"is_admin":true}}'],
    ["very deep", json, large.deepObject],
    ["very deep list", json, large.deepList],
    ["very long", json, large.long],
    ["as XML", "application/xml", "<a/>"],
    ["as text", "text/plain", body],
    ["as a form", "application/x-www-form-urlencoded", "a=1&a=2&__proto__[x]=1"],
    [
      "as several parts",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n',
    ],
    ["as several parts without a boundary", "multipart/form-data", "x"],
    ["of an unknown type", "nonsense", body],
    ["of an unknown charset", "application/json; charset=utf-7", body],
  ];
  for (const [what, contentType, payload] of bodies) {
    if (step > 1 && turn++ % 3 !== 0) continue;
    yield { what: `a body ${what}`, contentType, payload, url };
  }
}

/** A value as part of a URL: texts without their quotes. */
function textOf(value: string): string {
  const parsed: unknown = JSON.parse(value);
  return typeof parsed === "string" ? parsed : value.slice(0, 8_000);
}

function urlOf(
  call: Call,
  { params = {}, query = {} }: { params?: Record<string, unknown>; query?: Record<string, unknown> },
  value: string,
): string {
  const filled = (given: unknown): string => {
    const text = String(given).replace(marker, () => value);
    // A URL cannot contain a lone surrogate.
    return encodeURIComponent(Buffer.from(text).toString()).slice(0, 12_000);
  };
  const path = call.path.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) => filled(params[name]));
  const parameters = Object.entries(query).map(
    ([name, given]) => `${encodeURIComponent(name)}=${filled(given)}`,
  );
  return `/api/${path}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}
