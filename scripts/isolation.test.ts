import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const server = join(import.meta.dirname, "../apps/server/src");

it("tests of the server that replace modules, globals or timers run alone", () => {
  const tests = readdirSync(server, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".test.ts"),
  );
  const replacing = tests.filter((path) =>
    /\bvi\.(mock|doMock|hoisted|stub\w+|spyOn|useFakeTimers)\(/.test(
      readFileSync(join(server, path), "utf8"),
    ),
  );

  expect(tests.length).toBeGreaterThan(50);
  expect(replacing.filter((path) => !path.endsWith(".alone.test.ts"))).toEqual([]);
});
