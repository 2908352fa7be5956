import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { hashPassword, isPassword, registerInTurn } from "./passwords.ts";

test("registrations wait behind sign-ins, one at a time, and their number is limited", async () => {
  const stored = await hashPassword("Right!2026");
  const ended: string[] = [];
  const note = (what: string) => (): void => void ended.push(what);
  const registrations = Array.from({ length: 30 }, () =>
    registerInTurn("Other!2026", () => Promise.resolve()),
  );
  const outcomes = registrations.map((each) => each.then(note("registration"), note("refused")));

  const signIns = Array.from({ length: 6 }, () => isPassword("Right!2026", stored).then(note("sign-in")));
  await Promise.all([...outcomes, ...signIns]);

  // One hash of a registration runs, twenty wait, further ones are refused before any work.
  expect(ended.filter((each) => each === "refused")).toHaveLength(9);
  expect(ended.filter((each) => each === "registration")).toHaveLength(21);
  const before = ended.slice(0, ended.lastIndexOf("sign-in"));
  expect(before.filter((each) => each === "registration").length).toBeLessThanOrEqual(6);
});

test("a registration begins after the previous one has been stored, and twice its time has passed", async () => {
  const order: string[] = [];
  const storingMs = 100;
  const register = (name: string) =>
    registerInTurn("Other!2026", async () => {
      order.push(`${name} begins`);
      await setTimeout(storingMs);
      order.push(`${name} stored`);
    });

  const first = register("first").then(() => setTimeout(2 * storingMs));
  await Promise.all([first.then(() => order.push("time has passed")), register("second")]);

  expect(order).toEqual([
    "first begins",
    "first stored",
    "time has passed",
    "second begins",
    "second stored",
  ]);
});

test("a registration that is refused by the store frees its place", async () => {
  const refused = () => Promise.reject(new Error("refused"));
  const all = Array.from({ length: 21 }, () => registerInTurn("Other!2026", refused));
  await Promise.allSettled(all);
  await expect(registerInTurn("Other!2026", () => Promise.resolve())).resolves.toBeUndefined();
});
