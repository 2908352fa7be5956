import { createHash, hash } from "node:crypto";
import { captcha } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { refusalOfCaptcha } from "./index.ts";
import { removeOld } from "./store.ts";
import { isWorkDone, work } from "./work.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const system = () => api.services.database.system;
const now = () => api.services.clock.nowMs();
const fresh = async () => (await api.ask(captcha.get)).data;

async function answerOf(key: string): Promise<string> {
  const keyHash = createHash("sha256").update(key).digest();
  const { rows } = await sql<{
    answer: string;
  }>`select answer from captcha where key_hash = ${keyHash}`.execute(system());
  return rows[0]?.answer ?? "";
}
const codeOf = async (captcha: string, captcha_key: string, at = now()) =>
  (await refusalOfCaptcha(system(), { captcha, captcha_key }, at))?.code;

/** The work of a browser, hash by hash. */
function worked(salt: string): string {
  const nonceOf = (part: number): number => {
    for (let nonce = 0; ; nonce += 1) {
      const found = hash("sha256", `${salt}:${String(part)}:${String(nonce)}`, "hex");
      if (found.startsWith("0000")) return nonce;
    }
  };
  return `pow:${Array.from({ length: work.parts }, (_, part) => nonceOf(part)).join(",")}`;
}

test("LOGIN-006 every request gives a new image as a data URL, and its answer stays on the server", async () => {
  const [first, second] = [await fresh(), await fresh()];

  expect(first.image).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(second.image).not.toBe(first.image);
  expect(second.key).not.toBe(first.key);
  const drawn = Buffer.from(first.image.split(",")[1] ?? "", "base64").toString();
  expect(drawn).toContain("<path");
  expect(drawn).not.toContain("<text");
  expect(JSON.stringify(first)).not.toContain(await answerOf(first.key));
});

test("case and spaces are ignored; a key is used once, right or wrong", async () => {
  const [right, wrong] = [await fresh(), await fresh()];
  const [answer, missed] = [await answerOf(right.key), await answerOf(wrong.key)];

  const codes = [
    await codeOf(` ${answer.toUpperCase()} `, right.key),
    await codeOf(answer, right.key),
    await codeOf("nope!", wrong.key),
    await codeOf(missed, wrong.key),
  ];

  expect(codes).toEqual([undefined, "captcha_wrong", "captcha_wrong", "captcha_wrong"]);
});

test("of 20 concurrent answers one counts", async () => {
  const { key } = await fresh();
  const answer = await answerOf(key);

  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(answer, key)));

  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
});

test("a key is valid for 5 minutes", async () => {
  const [young, old] = [await fresh(), await fresh()];
  const [first, second] = [await answerOf(young.key), await answerOf(old.key)];

  expect(await codeOf(first, young.key, now() + 299_000)).toBeUndefined();
  expect(await codeOf(second, old.key, now() + 301_000)).toBe("captcha_wrong");
});

test("LOGIN-031 a proof of work replaces the image, once and for its own salt only", async () => {
  const [mine, other] = [await fresh(), await fresh()];
  const { salt } = mine.challenge;
  const done = worked(salt);
  const nonces = done.slice("pow:".length).split(",");

  expect(mine.challenge).toMatchObject(work);
  expect(isWorkDone(done, salt)).toBe(true);
  const isEnough = (each: readonly string[]) => isWorkDone(`pow:${each.join(",")}`, salt);
  const oneMissing = nonces.map((_, part) => nonces.with(part, ""));
  expect(oneMissing.map(isEnough)).toEqual(nonces.map(() => false));
  const tooFew = [nonces.slice(1), nonces.slice(0, -1), nonces.slice(0, 1), [...nonces, "0"]];
  expect(tooFew.map(isEnough)).toEqual([false, false, false, false]);
  const first = nonces[0] ?? "";
  expect([nonces.map(() => first), nonces.map(() => "")].map(isEnough)).toEqual([false, false]);
  expect(isWorkDone(nonces.join(","), salt)).toBe(false);
  expect(await codeOf(done, other.key)).toBe("captcha_wrong");
  expect(await codeOf(done, mine.key)).toBeUndefined();
  expect(await codeOf(done, mine.key)).toBe("captcha_wrong");
});

test("a request without an answer is refused; unanswered captchas are deleted", async () => {
  await fresh();
  expect((await refusalOfCaptcha(system(), {}, now()))?.code).toBe("captcha_needed");

  await removeOld(system(), now() + 301_000);

  expect(await system().selectFrom("captcha").selectAll().execute()).toEqual([]);
});

test("an address gets 60 captchas per minute", async () => {
  const ask = () => api.fastify.inject({ url: "/api/captcha", remoteAddress: "192.0.2.50" });
  const statuses = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await ask()).statusCode);

  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.at(-1)).toBe(429);
});
