import { auth, users } from "@metrum/contract/access";
import { call } from "@metrum/contract/core";
import { z } from "zod/mini";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startI18n } from "#lib/i18n";
import { onSessionEnd, startSession, storedToken } from "#lib/token";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { ApiError, errorOf, reasonOf } from "./apiError.ts";
import { onceKeyOf } from "./onceKeys.ts";
import { queryClient } from "./queryClient.ts";
import { addressOf, request } from "./request.ts";
import { onApiError, send } from "./send.ts";
import { keyOf } from "./useCall.ts";

const rename = call({
  id: "test.rename",
  method: "PUT",
  path: "thing/:id",
  right: null,
  reach: "branch",
  summary: "for this test",
  params: z.object({ id: z.number() }),
  query: z.object({ page: z.optional(z.number()), tag: z.optional(z.array(z.string())) }),
  body: z.object({ name: z.string() }),
  reply: z.object({ name: z.string() }),
});

const credentials = { email: "a@metrum.example", password: "x" };

beforeEach(async () => {
  stubBrowser();
  localStorage.setItem("metrum.language", "mn");
  await startI18n();
});
afterEach(() => {
  onApiError(() => undefined);
  vi.unstubAllGlobals();
});

describe("a call on the wire", () => {
  it("SESS-018 SESS-008: carries the stored bearer token and the language of the interface", async () => {
    startSession("secret");
    const requests = stubServer({ "thing/7": () => answer({ name: "b" }) });

    const reply = await send(rename, { params: { id: 7 }, body: { name: "b" } });

    expect(reply).toEqual({ name: "b" });
    const [sent] = requests;
    expect(sent?.method).toBe("PUT");
    expect(sent?.headers.get("authorization")).toBe("Bearer secret");
    expect(sent?.headers.get("accept-language")).toBe("mn");
    expect(await sent?.json()).toEqual({ name: "b" });
  });

  it("a public call carries no token", async () => {
    startSession("secret");
    const requests = stubServer({ "auth/login": () => answer({ access_token: "t" }) });

    await send(auth.login, { body: credentials });

    expect(requests[0]?.headers.get("authorization")).toBeNull();
  });

  it("fills the path and omits undefined arguments", () => {
    expect(addressOf(rename, { params: { id: 7 } })).toBe("/api/thing/7");
    expect(addressOf(rename, { params: { id: 7 }, query: { page: undefined, tag: ["a b", "c"] } })).toBe(
      "/api/thing/7?tag=a+b&tag=c",
    );
  });

  it("returns the server's messages with the data", async () => {
    startSession("secret");
    stubServer({ "thing/7": () => answer({ name: "b" }, 200, { msg: "Сохранено" }) });

    const { msg } = await request(rename, { params: { id: 7 }, body: { name: "b" } });

    expect(msg).toBe("Сохранено");
  });

  it("is kept in memory by method, path and input", () => {
    const input = { params: { id: 7 } };

    expect(keyOf(rename, input)).toEqual(["PUT", "thing/:id", input]);
    expect(keyOf(rename)).toEqual(["PUT", "thing/:id"]);
  });
});

describe("a failed call", () => {
  it("SNACK-005: has the text of data.msg, else of msg, and keeps code and attributes", () => {
    const inner = errorOf(422, {
      msg: "outer",
      data: { msg: "inner" },
      code: "c",
      attributes: { email: ["bad"], one: "x" },
    });
    expect([inner.msg, inner.code, inner.attributes]).toEqual(["inner", "c", { email: ["bad"], one: ["x"] }]);
    expect(errorOf(422, { msg: "outer" }).msg).toBe("outer");
    expect(errorOf(502, null)).toMatchObject({ status: 502, code: "unknown", msg: null });
  });

  it("shows the server's message, that it was not reached, or a code for support", () => {
    const reasons = [errorOf(409, { msg: "Занято" }), errorOf(0, null), errorOf(502, "<html>")].map(reasonOf);

    expect(reasons[0]).toBe("Занято");
    expect(reasons[1]).toMatch(/холбогдсонгүй/);
    expect(reasons[2]).toMatch(/502 unknown/);
    expect(reasonOf(null)).toBeUndefined();
    expect(reasonOf(new TypeError("x is undefined"))).toMatch(/TypeError/);
  });

  it("may be an answer without an envelope, with its own code", async () => {
    startSession("secret");
    stubServer({ "user/info": () => new Response("<html>Wi-Fi</html>", { status: 200 }) });

    const error = await request(users.info, {}).catch((cause: unknown) => cause);

    expect(error).toMatchObject({ status: 200, code: "unexpected_answer", msg: null });
  });

  it("SNACK-001: is shown once, by the common handler", async () => {
    startSession("secret");
    stubServer({ "user/info": () => refusal(503, "away", "Сервер недоступен") });
    const shown: (string | null)[] = [];
    onApiError((error) => shown.push(error.msg));

    await expect(send(users.info, {})).rejects.toBeInstanceOf(ApiError);

    expect(shown).toEqual(["Сервер недоступен"]);
  });

  it.each([400, 404, 409, 413, 422, 429, 500, 503])(
    "SNACK-009: %i is shown with the server's message and ends no session",
    async (status) => {
      startSession("secret");
      stubServer({ "user/info": () => refusal(status, "code", "Слова сервера") });
      const shown: (string | null)[] = [];
      onApiError((error) => shown.push(error.msg));

      await expect(send(users.info, {})).rejects.toMatchObject({ status });

      expect([shown, storedToken()]).toEqual([["Слова сервера"], "secret"]);
    },
  );

  it("is not shown again if the caller shows it", async () => {
    startSession("secret");
    stubServer({ "user/info": () => refusal(422, "wrong_input", "Нет") });
    const shown: ApiError[] = [];
    onApiError((error) => shown.push(error));

    await expect(send(users.info, {}, { isQuiet: true })).rejects.toThrow("Нет");
    await expect(send(users.info, {}, { isQuiet: (error) => error.status === 422 })).rejects.toThrow("Нет");

    expect(shown).toEqual([]);
  });

  it("has status 0 and no message without a server", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));

    await expect(send(auth.login, { body: credentials }, { isQuiet: true })).rejects.toMatchObject({
      status: 0,
      msg: null,
    });
  });
});

describe("401", () => {
  it("without a token is raised before anything is sent", async () => {
    const requests = stubServer({});

    await expect(send(users.info, {})).rejects.toMatchObject({ status: 401 });

    expect(requests).toEqual([]);
  });

  it("SESS-034: on any call ends the session once and shows no snackbar; the next one starts without its answers", async () => {
    startSession("dead");
    stubServer({
      "user/info": () => refusal(401, "not_signed_in", "Войдите"),
      "user/access": () => refusal(401, "not_signed_in", "Войдите"),
    });
    queryClient.setQueryData(["GET", "thing"], "of the session that ends");
    const ends: string[] = [];
    const shown: ApiError[] = [];
    onApiError((error) => shown.push(error));
    const stop = onSessionEnd((reason) => ends.push(reason));

    await Promise.allSettled([send(users.info, {}), send(users.access, {}), send(users.info, {})]);

    stop();
    expect(ends).toEqual(["expired"]);
    expect(storedToken()).toBeNull();
    expect(shown).toEqual([]);

    startSession("next");
    expect(queryClient.getQueryData(["GET", "thing"])).toBeUndefined();
  });

  it("that arrives late does not end a newer session", async () => {
    startSession("old");
    stubServer({
      "user/info": () => {
        startSession("new");
        return refusal(401, "not_signed_in", "Войдите");
      },
    });

    await expect(send(users.info, {})).rejects.toMatchObject({ status: 401 });

    expect(storedToken()).toBe("new");
  });
});

describe("a call with an idempotency key", () => {
  const pay = call({
    id: "test.once",
    method: "POST",
    path: "pay",
    right: null,
    reach: "branch",
    summary: "for this test",
    body: z.object({ n: z.number() }),
    reply: z.object({}),
    isOnce: true,
  });

  it("API-020 an unanswered request is repeated under its key; after any answer the next one is new", async () => {
    startSession("secret");
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("lost")));
    await expect(request(pay, { body: { n: 1 } })).rejects.toMatchObject({ code: "offline" });
    const lost = onceKeyOf('/api/pay {"n":1}');
    const answers = [answer({}), refusal(422, "wrong_input", "Нет"), answer({})];
    const requests = stubServer({ pay: () => answers.shift() ?? answer({}) });

    await request(pay, { body: { n: 1 } });
    await request(pay, { body: { n: 1 } }).catch(() => null);
    await request(pay, { body: { n: 1 } });

    const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toBe(lost);
    expect(new Set(keys).size).toBe(3);
  });
});
