import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./passwords.ts";

test("registrations wait behind sign-ins, one at a time, and only so many of them", async () => {
  const stored = await hashPassword("Right!2026");
  const ended: string[] = [];
  const note = (what: string) => (): void => void ended.push(what);
  const registrations = Array.from({ length: 30 }, () => hashPassword("Other!2026", "registration"));
  const outcomes = registrations.map((each) => each.then(note("registration"), note("refused")));

  const signIns = Array.from({ length: 6 }, () => isPassword("Right!2026", stored).then(note("sign-in")));
  await Promise.all([...outcomes, ...signIns]);

  // One hash of a registration runs, twenty wait, further ones are refused before any work.
  expect(ended.filter((each) => each === "refused")).toHaveLength(9);
  expect(ended.filter((each) => each === "registration")).toHaveLength(21);
  const before = ended.slice(0, ended.lastIndexOf("sign-in"));
  expect(before.filter((each) => each === "registration").length).toBeLessThanOrEqual(6);
});
