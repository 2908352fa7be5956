import { expect, test } from "vitest";
import { createParts } from "./parts.ts";

test("parts stop in reverse order and once, also when a signal arrives while a failed start stops them", async () => {
  const stopped: string[] = [];
  const parts = createParts();
  for (const name of ["database", "pool", "http"]) parts.add({ name, stop: () => Promise.resolve() });
  const stop = ({ name }: { readonly name: string }): Promise<void> => {
    stopped.push(name);
    return Promise.resolve();
  };

  await Promise.all([parts.stopAll(stop), parts.stopAll(stop)]);
  await parts.stopAll(stop);

  expect(stopped).toEqual(["http", "pool", "database"]);
});

test("a part that is started while the others stop is stopped too, and ends the start", async () => {
  const stopped: string[] = [];
  const parts = createParts();
  const part = (name: string) => ({
    name,
    stop: () => {
      stopped.push(name);
      return Promise.resolve();
    },
  });
  parts.add(part("database"));
  await parts.stopAll(({ stop }) => stop());

  expect(() => parts.add(part("http"))).toThrow("the process is stopping");

  expect(stopped).toEqual(["database", "http"]);
});
