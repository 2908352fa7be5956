import { deflateSync } from "node:zlib";
import { auth } from "@metrum/contract/access";
import { contrast, shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let admin: string;
let engineer: string;
beforeAll(async () => {
  api = await openTestApi({ env: { METRUM_TRUSTED_PROXIES: "10.1.1.1" } });
  admin = await api.token("admin@metrum.example");
  engineer = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

/** A PNG of one colour; only its header counts here. */
function png(width: number, height: number, size = 0): Buffer {
  const header = Buffer.alloc(33);
  header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  header.writeUInt32BE(13, 8);
  header.write("IHDR", 12, "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, deflateSync(Buffer.alloc(8)), Buffer.alloc(size)]);
}
const jpeg = Buffer.from("ffd8ffe000044a46ffc0000b080190025803012200ffd9", "hex");
const webp = Buffer.concat([
  Buffer.from("RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
  Buffer.from([0x8f, 0x01, 0, 0x63, 0, 0]),
]);

interface Form {
  readonly token?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Buffer>>;
}

async function upload({ token = engineer, fields = {}, files = {} }: Form) {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.append(name, text);
  for (const [name, bytes] of Object.entries(files))
    form.append(name, new Blob([new Uint8Array(bytes)]), `${name}.svg`);
  const packed = new Response(form);
  const response = await api.fastify.inject({
    method: "PUT",
    url: "/api/personal_design",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": packed.headers.get("content-type") ?? "",
    },
    payload: Buffer.from(await packed.arrayBuffer()),
  });
  return {
    status: response.statusCode,
    ...response.json<{ attributes?: unknown; code?: string; data: Saved }>(),
  };
}
interface Saved {
  readonly design: { readonly [name: string]: string | null };
}

const save = (token: string, body: object) => api.ask(shell.saveDesign, { token, input: { body } });
async function designAt(host: string, headers: object = {}, remoteAddress = "127.0.0.1") {
  const response = await api.fastify.inject({
    url: "/api/personal_design",
    headers: { host, ...headers },
    remoteAddress,
  });
  expect(response.statusCode).toBe(200);
  return response.json<{ data: Record<string, string | null> }>().data;
}
const first = () => api.companies.first;

test("PROD-011 PROD-012 PROD-016 PROD-017 PROD-031 PROD-032 PROD-033 the host determines title, logos, favicon and help", async () => {
  await upload({
    fields: { title: "Дулаан хангамж", linkToHelp: "https://help.example/mn" },
    files: { logo_cloud: png(300, 60), logo_cloud_en: jpeg, logo_auth: webp, favicon: png(32, 32) },
  });
  await save(admin, { company_id: first(), hosts: ["Meters.Heat.example"] });

  const design = await designAt("meters.heat.example:8443");

  expect(design).toMatchObject({
    title: "Дулаан хангамж",
    linkToHelp: "https://help.example/mn",
    is_default: false,
  });
  expect([design["logo_cloud"], design["logo_cloud_en"], design["logo_auth"], design["favicon"]]).toEqual([
    expect.stringMatching(/^\/design\/[\da-f]{32}\.png$/),
    expect.stringMatching(/^\/design\/[\da-f]{32}\.jpg$/),
    expect.stringMatching(/^\/design\/[\da-f]{32}\.webp$/),
    expect.stringMatching(/^\/design\/[\da-f]{32}\.png$/),
  ]);
  expect(await designAt("other.example")).toMatchObject({ title: "Metrum", logo_cloud: null });
});

test("PROD-011 a forwarded host is accepted from a trusted proxy only", async () => {
  await save(admin, { company_id: first(), title: "Heat", hosts: ["meters.heat.example"] });
  const forwarded = { "x-forwarded-host": "meters.heat.example" };

  expect((await designAt("inner:8080", forwarded, "10.1.1.1"))["title"]).toBe("Heat");
  expect((await designAt("inner:8080", forwarded, "10.9.9.9"))["title"]).toBe("Metrum");
});

test.each(["", "unknown.example", "a".repeat(300), "xn--80ak6aa92e.example", "127.0.0.1", "[::1]"])(
  "PROD-029 LOGIN-014 an unknown host (%j) gets the default design without an error",
  async (host) => {
    expect(await designAt(host)).toMatchObject({ title: "Metrum", is_default: true, script: null });
  },
);

test("PROD-033 images are cached for ever, with their own content type only", async () => {
  const bytes = png(48, 48);
  const { data } = await upload({ files: { favicon: bytes } });

  const served = await api.fastify.inject({ url: data.design["favicon"] ?? "" });

  expect(served.rawPayload.equals(bytes)).toBe(true);
  expect(served.headers).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  for (const name of ["0".repeat(32) + ".png", "..%2f..%2fetc%2fpasswd", "a.png"])
    expect((await api.fastify.inject({ url: `/design/${name}` })).statusCode).toBe(404);
});

test.each([
  [
    "an SVG",
    { logo_cloud: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
    "logo_cloud",
    "picture_type",
  ],
  ["a GIF", { favicon: Buffer.from("GIF89a\x01\0\x01\0") }, "favicon", "picture_type"],
  ["an empty file", { favicon: Buffer.alloc(0) }, "favicon", "picture_type"],
  ["a cut PNG", { favicon: png(10, 10).subarray(0, 20) }, "favicon", "picture_type"],
  ["a PNG without a size", { favicon: png(0, 10) }, "favicon", "picture_type"],
  ["too many pixels", { logo_auth: png(2001, 2000) }, "logo_auth", "picture_pixels"],
  ["too many bytes", { logo_auth: png(10, 10, 1024 * 1024) }, "logo_auth", "picture_bytes"],
  ["another name", { passwd: png(10, 10) }, "passwd", "unknown_file"],
])("PROD-012 %s is refused by its field, and nothing is changed", async (_, files, field, code) => {
  const before = (
    await api.ask(shell.ownDesign, { token: engineer, input: { params: { id: String(first()) } } })
  ).text;

  const answer = await upload({ fields: { title: "Not this" }, files });

  expect([answer.status, answer.attributes]).toEqual([422, { [field]: [code] }]);
  expect(
    (await api.ask(shell.ownDesign, { token: engineer, input: { params: { id: String(first()) } } })).text,
  ).toBe(before);
});

test("PROD-013 PROD-014 PROD-015 PROD-030 style sheet, script and demo account are for platform staff alone, from the own origin", async () => {
  const files = { stylesheet: Buffer.from(":root{--radius-panel:0}"), script: Buffer.from("void 0;") };

  const refused = await upload({ files });
  expect([refused.status, refused.code]).toEqual([403, "platform_only"]);
  const demo = { email: "demo@metrum.example", password: "Metrum!2026" };
  expect((await save(engineer, { demo })).attributes).toEqual({ demo: ["platform_only"] });
  expect((await save(engineer, { script: null })).status).toBe(403);

  await upload({ token: admin, fields: { company_id: String(first()), hosts: "brand.example" }, files });
  await save(admin, { company_id: first(), demo });
  const design = await designAt("brand.example");
  expect(design["script"]).toMatch(/^\/design\/[\da-f]{32}\.js$/);
  const script = await api.fastify.inject({ url: design["script"] ?? "" });
  expect([script.body, script.headers["content-type"]]).toEqual([
    "void 0;",
    "text/javascript; charset=utf-8",
  ]);
  const sheet = await api.fastify.inject({ url: design["stylesheet"] ?? "" });
  expect(sheet.headers["content-type"]).toBe("text/css; charset=utf-8");
  const policy = (await api.fastify.inject({ url: "/api/site_properties" })).headers[
    "content-security-policy"
  ];
  expect(policy).toContain("script-src 'self';");
  expect((await api.ask(auth.login, { input: { body: demo } })).status).toBe(200);
  expect(design["demo"]).toEqual(demo);
});

test("PROD-011 hosts are assigned by platform staff, and never two designs to one host", async () => {
  await save(admin, { company_id: first(), hosts: ["one.example"] });

  expect((await save(engineer, { hosts: ["two.example"] })).attributes).toEqual({ hosts: ["platform_only"] });
  expect((await save(engineer, { title: "T", hosts: ["one.example"] })).status).toBe(200);
  const taken = await save(admin, {
    company_id: api.companies.second,
    hosts: ["three.example", "ONE.example"],
  });
  expect([taken.status, taken.attributes]).toEqual([409, { hosts: ["host_taken"] }]);
  expect(await designAt("three.example")).toMatchObject({ is_default: true });
});

test("a company's administrator can change their own design only; a foreign company is not found, a child is for platform staff", async () => {
  const dealer = await api.token("dealer@metrum.example");

  expect((await save(engineer, { company_id: api.companies.second, title: "Mine" })).status).toBe(404);
  expect((await save(dealer, { company_id: first(), title: "Mine" })).code).toBe("platform_only");
  expect((await save(admin, { company_id: first(), title: "Theirs" })).data.design.title).toBe("Theirs");
  expect(
    (await api.ask(shell.ownDesign, { token: admin, input: { params: { id: String(first()) } } })).data.design
      .title,
  ).toBe("Theirs");
});

test("an unreadable accent is returned in readable tones", async () => {
  await save(admin, { company_id: first(), accent: "#ffd400", hosts: ["accent.example"] });

  const accent = (await designAt("accent.example"))["accent"] as unknown as {
    light: { accent: string; on_accent: string };
    is_moved: boolean;
  };

  expect(accent.is_moved).toBe(true);
  expect(contrast(accent.light.accent, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  expect((await save(engineer, { accent: "red;}" })).status).toBe(422);
});

test("an empty part removes the stored value and its file; links must be web addresses", async () => {
  const { data } = await upload({ fields: { title: "A" }, files: { logo_auth: png(7, 7) } });
  const address = data.design["logo_auth"] ?? "";

  const after = await upload({ fields: { title: "", logo_auth: "" } });

  expect(after.data.design).toMatchObject({ title: null, logo_auth: null });
  expect((await api.fastify.inject({ url: address })).statusCode).toBe(404);
  expect((await save(engineer, { linkToHelp: "javascript:alert(1)" })).status).toBe(422);
});

test("changes of a design are in the log, without the password of the demo account", async () => {
  await save(admin, { company_id: first(), demo: { email: "d@metrum.example", password: "Secret!2026" } });

  const { rows } = await sql<{ after: unknown; action: string }>`
    select action, after from audit where action = 'design.save' order by id desc limit 1
  `.execute(api.services.database.system);

  expect(JSON.stringify(rows)).toContain("d@metrum.example");
  expect(JSON.stringify(rows)).not.toContain("Secret");
});

test("a multipart form is read only with the right, and only by its call", async () => {
  const form = new Response(new FormData());
  const type = form.headers.get("content-type") ?? "";
  const statusOf = async (url: string, method: "PUT" | "POST") =>
    (await api.fastify.inject({ url, method, headers: { "content-type": type } })).statusCode;

  expect(await statusOf("/api/personal_design", "PUT")).toBe(401);
  expect(await statusOf("/api/auth/login", "POST")).toBe(400);
});
