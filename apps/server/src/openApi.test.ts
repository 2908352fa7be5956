import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { buildSync } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

const root = join(import.meta.dirname, "../../..");
const compiler = join(root, "node_modules/@typescript/native/bin/tsc");

let api: TestApi;
let folder: string;
let document: string;
beforeAll(async () => {
  api = await openTestApi();
  // Below the packages, so that a program there finds them.
  await mkdir(join(root, "node_modules/.cache"), { recursive: true });
  folder = await mkdtemp(join(root, "node_modules/.cache/openapi-"));
  document = (await api.fastify.inject("/api/openapi.json")).body;
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Runs the compiler; the text is what it finds wrong. */
const compile = (given: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...given], { cwd: folder }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}` : "");
    });
  });

/** A program of a customer: it may use what the document promises, and nothing else. */
const client = `
import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

export async function callsOf(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const list = await client.POST("/api/device/gateways", { body: { per_page: 1 } });
  if (list.error) throw new Error(list.error.msg);
  const page = list.data.data.gateways;
  const total: number = page.total;
  const first: number | undefined = page.data[0]?.id;

  const made = await client.POST("/api/device/gateway/create", { body: { name: "", device_id: "1", model_id: 601 } });
  const code: "wrong_input" | "not_found" | undefined =
    made.error?.code === "wrong_input" || made.error?.code === "not_found" ? made.error.code : undefined;
  const faults: readonly string[] | undefined = made.error?.attributes?.["name"];

  const unknown = await client.GET("/api/device/gateway/{id}", { params: { path: { id: 999_999 } } });

  // @ts-expect-error -- an id is a number
  void (() => client.GET("/api/device/gateway/{id}", { params: { path: { id: "x" } } }));
  // @ts-expect-error -- a size is a number
  void (() => client.POST("/api/device/gateways", { body: { per_page: "many" } }));
  // @ts-expect-error -- there is no such code
  void (() => made.error?.code === "no_such_code");
  return { total, first, code, faults, status: unknown.response.status, unknown: unknown.error?.code };
}
`;

/** Paths follow the list of calls, and a refusal of any status is the answer named default. */
const rules = { "no-ambiguous-paths": "off", "operation-4xx-response": "off" } as const;

describe("API-023 the OpenAPI document", () => {
  test("passes the linter of Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });

    const named = problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
    expect(named.slice(0, 20)).toEqual([]);
  });

  test("makes a typed client that compiles, errors included, and calls the running server", async () => {
    await writeFile(join(folder, "api.d.ts"), astToString(await openapiTS(document)));
    await writeFile(join(folder, "client.ts"), client);
    const modules = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--allowImportingTsExtensions",
      ...modules,
    ];
    expect(await compile([...options, "client.ts"])).toBe("");

    const bundle = join(folder, "client.mjs");
    buildSync({ entryPoints: [join(folder, "client.ts")], outfile: bundle, bundle: true, format: "esm" });
    const { callsOf } = (await import(pathToFileURL(bundle).href)) as {
      callsOf: (url: string, token: string) => Promise<unknown>;
    };
    const url = await api.fastify.listen({ host: "127.0.0.1", port: 0 });
    expect(await callsOf(url, await api.token("engineer@metrum.example"))).toEqual({
      ...{ total: 0, first: undefined, code: "wrong_input", faults: [expect.any(String)] },
      ...{ status: 404, unknown: "not_found" },
    });
  });
});
