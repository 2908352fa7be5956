import { createServer } from "node:http";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { companies, users } from "@metrum/contract/access";
import { problems } from "@metrum/contract/core";
import type { InjectOptions, LightMyRequestResponse as Response } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let web: string;
let token: string;
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), "metrum-web-"));
  await mkdir(join(web, "assets"));
  await writeFile(
    join(web, "index.html"),
    '<meta property="csp-nonce" nonce="__CSP_NONCE__"><meta name="build" content="__BUILD__"><title>Metrum</title>',
  );
  await writeFile(join(web, "assets", "index-abc123.js"), "export {}");
  await writeFile(join(web, "sw.js"), "self");
  api = await openTestApi({ webRoot: web, env: { METRUM_CORS_ORIGINS: "https://panel.example" } });
  token = await api.token("engineer@metrum.example");
});
afterAll(async () => {
  await api.close();
  await rm(web, { recursive: true });
});

const inject = (request: string | InjectOptions): Promise<Response> => api.fastify.inject(request);
const bearer = () => ({ authorization: `Bearer ${token}` });

test("every answer carries the content security policy, nosniff, no referrer and its own request id", async () => {
  const [first, second] = [await inject("/healthz"), await inject("/api/nothing")];

  for (const { headers } of [first, second]) {
    expect(headers["content-security-policy"]).toContain(
      "default-src 'self'; script-src 'self'; style-src 'self';",
    );
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  }
  expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
});

test("API-004 paths work with and without a trailing slash", async () => {
  const answers = await Promise.all(
    ["/api/user/access", "/api/user/access/"].map((url) => inject({ url, headers: bearer() })),
  );

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(answers[0]?.body).toBe(answers[1]?.body);
});

test("aliases are served but not described twice", async () => {
  const document = (await inject("/api/openapi.json")).json<{ paths: Record<string, object> }>();

  for (const { aliases = [] } of api.calls)
    for (const alias of aliases) {
      const [method = "", path = ""] = alias.split(" ");
      const url = `/api/${path.replaceAll(/:\w+/g, "1")}`;
      expect((await inject({ method: method as "GET", url })).statusCode, alias).not.toBe(404);
    }
  const described = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  expect(described).toHaveLength(api.calls.length);
});

test("API-018 answers are {data, msg}; refusals are {msg, data {msg}, attributes, code}, and equal refusals identical", async () => {
  const good = await inject({ url: "/api/user/company", headers: bearer() });
  const [bad, again] = [await inject("/api/user/company"), await inject("/api/user/info")];

  expect(Object.keys(good.json<object>())).toEqual(["data", "msg"]);
  const msg = problems.not_signed_in.text.ru;
  expect(bad.json()).toEqual({ msg, data: { msg }, attributes: {}, code: "not_signed_in" });
  expect(again.body).toBe(bad.body);
  expect(bad.headers["cache-control"]).toBe("no-store");
});

test("an unknown address is answered with the app for a browser, and an API refusal for other clients", async () => {
  const html = "text/html,application/xhtml+xml,*/*;q=0.8";
  const ask = (url: string, accept: string, method: "GET" | "POST" = "GET") =>
    inject({ url, method, headers: { accept } });

  const page = await ask("/no-such-page", html);
  const refused = await Promise.all([
    ask("/no-such-page", "*/*"),
    ask("/no-such-page", html, "POST"),
    ask("/api/no-such-call", html),
    ask("/assets/gone.js", "*/*"),
  ]);

  expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.body).toContain("<title>Metrum</title>");
  expect(page.body).not.toContain("__CSP_NONCE__");
  expect(page.headers["content-security-policy"]).toContain("'nonce-");
  for (const { statusCode, headers, body } of refused) {
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
    expect(JSON.parse(body)).toMatchObject({ code: "not_found" });
  }
});

test("LOGIN-026 messages are in the language of the interface, else of the user, else in Russian", async () => {
  const ask = async (language?: string) =>
    (await api.ask(users.info, { ...(language ? { language } : {}) })).msg;

  expect(await ask("mn-MN,ru;q=0.5")).toBe(problems.not_signed_in.text.mn);
  expect(await ask("en-GB")).toBe(problems.not_signed_in.text.en);
  expect(await ask("de")).toBe(problems.not_signed_in.text.ru);
  expect(await ask()).toBe(problems.not_signed_in.text.ru);
});

test("API-012 a body that is not JSON is 400; invalid fields are 422 with the name of each", async () => {
  const send = (payload: string, url = "/api/company/list") =>
    inject({ method: "POST", url, headers: { ...bearer(), "content-type": "application/json" }, payload });

  const broken = await send('{"page": ');
  const poisoned = await send('{"__proto__": {"is_admin": true}}');
  const wrong = await send('{"page": 0, "sort_field": "password_hash", "search_string": 5}');
  const list = await send(
    '{"device_ids": [1, "x"], "is_active": true}',
    "/api/device/metering_device/switch",
  );

  expect([broken.statusCode, poisoned.statusCode]).toEqual([400, 400]);
  expect(wrong.statusCode).toBe(422);
  const { attributes, code } = wrong.json<{ attributes: object; code: string }>();
  expect(code).toBe("wrong_input");
  expect(Object.keys(attributes).toSorted()).toEqual(["page", "search_string", "sort_field"]);
  expect(list.statusCode).toBe(404);
});

test.each([
  ["en", "at least 1", "a text is needed"],
  ["ru", "не меньше 1", "нужен текст"],
  ["mn", "1-аас багагүй", "текст хэрэгтэй"],
])("API-018 a wrong field is reported in the language of the user: %s", async (language, page, text) => {
  const { body } = await inject({
    method: "POST",
    url: "/api/company/list",
    headers: { ...bearer(), "accept-language": language },
    payload: { page: 0, search_string: 5 },
  });

  expect(JSON.parse(body)).toMatchObject({ attributes: { page: [page], search_string: [text] } });
});

test("no body, an empty body and an empty form are the same as {}", async () => {
  const ask = (headers: object, payload?: string) =>
    inject({
      method: "POST",
      url: "/api/company/list",
      headers: { ...bearer(), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  const answers = [
    await ask({}),
    await ask({ "content-type": "application/json" }, ""),
    await ask({ "content-type": "application/x-www-form-urlencoded" }, ""),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});

test("a body over 1 MiB is 413; hostile ids and deep bodies are refused without a 5xx", async () => {
  const big = await inject({
    method: "POST",
    url: "/api/company/list",
    headers: bearer(),
    payload: { search_string: "x".repeat(1_100_000) },
  });
  const ids = ["abc", "-1", "0", "1.5", "1e9", "99999999999999", "%00", "../1", "1;drop", "a".repeat(400)];
  const hostile = await Promise.all(
    ids.map((id) =>
      inject({
        method: "PUT",
        url: `/api/company/${encodeURIComponent(id)}`,
        headers: bearer(),
        payload: {},
      }),
    ),
  );
  const deep = await inject({
    method: "PUT",
    url: "/api/user/settings",
    headers: { ...bearer(), "content-type": "application/json" },
    payload: `{"settings": ${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
  });

  expect(big.statusCode).toBe(413);
  for (const { statusCode } of hostile) expect([404, 422]).toContain(statusCode);
  expect(deep.statusCode).toBe(422);
});

test("an unexpected error is answered 500 without details", async () => {
  const broken = await openTestApi();
  await broken.services.database.system.schema.dropTable("users").cascade().execute();

  const answer = await broken.ask(users.info, { token: "a".repeat(43) });

  expect(answer).toMatchObject({ status: 500, code: "internal" });
  expect(answer.text).not.toMatch(/users|select|relation/);
  await broken.close();
});

test("API-003 CORS is refused except for configured origins, which may send credentials", async () => {
  const preflight = (origin: string) =>
    inject({
      method: "OPTIONS",
      url: "/api/auth/login",
      headers: { origin, "access-control-request-method": "POST" },
    });

  const [own, foreign] = [await preflight("https://panel.example"), await preflight("https://evil.example")];

  expect(own.statusCode).toBe(204);
  expect(own.headers).toMatchObject({
    "access-control-allow-origin": "https://panel.example",
    "access-control-allow-credentials": "true",
  });
  expect(own.headers["access-control-allow-headers"]).toContain("if-none-match");
  expect(foreign.headers["access-control-allow-origin"]).toBeUndefined();
  const site = await inject({ url: "/api/site_properties", headers: { origin: "https://panel.example" } });
  expect(site.statusCode).toBe(200);
  expect(site.headers["access-control-allow-credentials"]).toBe("true");
  expect(site.headers["access-control-expose-headers"]).toContain("etag");
});

test("the process reports liveness, readiness and health", async () => {
  const [health, ready, metrics] = [
    await inject("/healthz"),
    await inject("/readyz"),
    await inject("/metrics"),
  ];

  expect([health.statusCode, ready.statusCode, metrics.statusCode]).toEqual([200, 200, 200]);
  expect(metrics.body).toContain("metrum_http_request_seconds_bucket");
  expect(metrics.body).not.toContain("engineer");
});

test("metrics are served to the local machine only, and not through a proxy on it", async () => {
  const [remote, mapped] = [
    await inject({ url: "/metrics", remoteAddress: "198.51.100.7" }),
    await inject({ url: "/metrics", remoteAddress: "::ffff:127.0.0.1" }),
  ];

  expect([remote.statusCode, mapped.statusCode]).toEqual([404, 200]);
  for (const name of ["x-forwarded-for", "x-real-ip", "x-forwarded-host", "forwarded", "via"]) {
    const { statusCode } = await inject({ url: "/metrics", headers: { [name]: "198.51.100.7" } });
    expect([name, statusCode]).toEqual([name, 404]);
  }
  expect(remote.body).not.toContain("metrum_http");
});

test("with a token of the configuration only who sends it reads the metrics, from anywhere", async () => {
  const guarded = await openTestApi({ env: { METRUM_METRICS_TOKEN: "a-token-of-the-collector" } });
  const read = async (authorization?: string) => {
    const { statusCode } = await guarded.fastify.inject({
      url: "/metrics",
      remoteAddress: "198.51.100.7",
      headers: { "x-real-ip": "198.51.100.7", ...(authorization === undefined ? {} : { authorization }) },
    });
    return statusCode;
  };

  const answers = [await read(), await read("Bearer other"), await read("Bearer a-token-of-the-collector")];
  const local = await guarded.fastify.inject("/metrics");
  await guarded.close();

  expect([...answers, local.statusCode]).toEqual([404, 404, 200, 404]);
});

test.each(["/", "/cloud/devices", "/api/docs/", "/nowhere"])(
  "the page %s keeps other windows away and names the abilities that no page needs",
  async (url) => {
    const { headers } = await inject(url);

    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["permissions-policy"]).toContain("camera=(), ");
    expect(headers["permissions-policy"]).toContain("usb=()");
  },
);

test("an answer that is no page has the headers that concern data", async () => {
  const { headers } = await inject("/api/site_properties");

  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toContain("default-src");
  expect(headers["permissions-policy"]).toBeUndefined();
});

test("without the database the process is alive but not ready; calls answer 503 with Retry-After within 5 s", async () => {
  const away = await openTestApi();
  const alive = await away.token("engineer@metrum.example");
  // New connections are refused from now on; existing ones are cut.
  away.services.database.pool.options.port = 1;
  await away.database.drop();

  const answers = await Promise.all([
    away.fastify.inject("/healthz"),
    away.fastify.inject("/readyz"),
    away.fastify.inject({ url: "/api/user/info", headers: { authorization: `Bearer ${alive}` } }),
  ]);

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 503, 503]);
  expect(answers[2].headers["retry-after"]).toBeDefined();
  await away.close();
});

test("API-011 the OpenAPI 3.1 document describes every call with its id, right, input and answers", async () => {
  const response = await inject("/api/openapi.json");
  const document = response.json<{
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; security?: object[]; responses: object }>>;
  }>();

  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    api.calls.map(({ id }) => id).toSorted(),
  );
  const open = new Set(api.calls.filter(({ auth }) => auth === "none").map(({ id }) => id));
  for (const { operationId, security, responses } of operations) {
    expect(responses, operationId).toHaveProperty("200");
    expect(security, operationId).toEqual(open.has(operationId) ? [] : undefined);
  }
  expect(document.paths["/api/company/{id}"]?.["put"]).toMatchObject({
    requestBody: {},
    parameters: [{ name: "id" }],
  });
});

test("API-023 the document declares the parameters that a path has, ids as numbers, and the type of a refusal", async () => {
  interface Parameter {
    readonly in: string;
    readonly name: string;
    readonly schema: object;
  }
  interface Operation {
    readonly parameters?: readonly Parameter[];
    readonly responses: Readonly<Record<string, object>>;
  }
  const document = (await inject("/api/openapi.json")).json<{
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  }>();

  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters = [], responses } of Object.values(methods)) {
      const named = parameters.filter((each) => each.in === "path").map(({ name }) => name);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(named.toSorted(), path).toEqual(inPath.toSorted());
      expect(JSON.stringify(responses["default"]), path).toContain('"attributes"');
    }
  expect(document.paths["/api/company/{id}"]?.["put"]?.parameters).toMatchObject([
    { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
  ]);
});

test("API-011 the page that shows the document runs no inline script and loads nothing from other hosts", async () => {
  const page = await inject("/api/docs/");

  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>/);
  for (const [, source = ""] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(source).not.toMatch(/^(https?:)?\/\//);
    expect((await inject(new URL(source, "http://x/api/docs/").pathname)).statusCode, source).toBe(200);
  }
});

test("the web app is served: hashed files cached for ever, the page never cached and with its own nonce", async () => {
  const [page, other] = [await inject("/"), await inject("/")];
  const asset = await inject("/assets/index-abc123.js");
  const worker = await inject("/sw.js");

  const nonceOf = (body: string) => /nonce="([^"]+)"/.exec(body)?.[1];
  expect(page.headers["cache-control"]).toBe("no-cache");
  expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonceOf(page.body) ?? "none"}'`);
  expect(nonceOf(other.body)).not.toBe(nonceOf(page.body));
  expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(worker.headers["cache-control"]).toBe("no-cache");
});

test("PROD-035 PROD-023 a page names its build, and /version the one currently served", async () => {
  const { body } = await inject("/");
  const version = await inject("/version");

  expect(version.headers["cache-control"]).toBe("no-store");
  expect(version.json()).toEqual({
    version: "2025.4.63",
    build: /name="build" content="([\da-f]{12})"/.exec(body)?.[1],
  });
});

test("the server accepts at most 64 KiB of headers and closes connections that send none within 15 s", async () => {
  const { server } = api.fastify;
  await api.fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  const send = (bytes: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          `GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-long: ${"x".repeat(bytes)}\r\n\r\n`,
        );
      });
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text.slice(9, 12)));
      socket.on("error", reject);
    });

  expect(await send(30_000)).toBe("200");
  expect(await send(70_000)).toBe("431");
  expect(server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 75_000 });
  expect(createServer().headersTimeout).not.toBe(15_000);
});

test("API-007 lists are requested by POST, with either spelling of paging and search", async () => {
  const ask = async (body: object) =>
    (await api.ask(companies.list, { token, input: { body } })).data.companies;

  expect(await ask({ perPage: 3, search: "Darkhan" })).toEqual(
    await ask({ per_page: 3, search_string: "Darkhan" }),
  );
});
