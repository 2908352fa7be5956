import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const apps = join(import.meta.dirname, "../apps");

const testsOf = (app: string) =>
  readdirSync(join(apps, app, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => join(apps, app, "src", path));

const replacing = (files: readonly string[], what: RegExp) =>
  files.filter((path) => what.test(readFileSync(path, "utf8")) && !/\.alone\.test\.tsx?$/.test(path));

it("tests of the server that replace modules, globals or timers run alone", () => {
  const tests = testsOf("server");

  expect(tests.length).toBeGreaterThan(50);
  expect(replacing(tests, /\bvi\.(mock|doMock|hoisted|stub\w+|spyOn|useFakeTimers)\(/)).toEqual([]);
});

it("tests of the web that replace modules run alone", () => {
  const tests = testsOf("web");

  expect(tests.length).toBeGreaterThan(50);
  expect(replacing(tests, /\bvi\.(mock|doMock|hoisted)\(/)).toEqual([]);
});
