import { afterEach, expect, it, vi } from "vitest";
import { expiryOf } from "#lib/session";
import { startI18n } from "#lib/i18n";
import { startSession } from "#lib/token";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { answerNews } from "./answerNews.ts";
import { greetingsOf, wasAskedForNews, type ArrivalState } from "./arrival.ts";

afterEach(() => vi.unstubAllGlobals());

const first: ArrivalState = {
  hasArrived: true,
  isFirstLogin: true,
  wasAsked: false,
  maySubscribe: true,
  hasExpiryDialog: false,
};

it("SHELL-016 SHELL-017 the newsletter is offered at the first login, once per browser", () => {
  expect(greetingsOf(first)).toEqual(["newsletter"]);
  expect(greetingsOf({ ...first, wasAsked: true })).toEqual([]);
  expect(greetingsOf({ ...first, isFirstLogin: false })).toEqual([]);
  expect(greetingsOf({ ...first, maySubscribe: false })).toEqual([]);
  expect(greetingsOf({ ...first, hasArrived: false })).toEqual([]);
});

it("SHELL-017 a lost answer does not count: the newsletter is offered again", async () => {
  stubBrowser();
  await startI18n();
  startSession("token");
  stubServer({ "user/newsletter_subscribe": () => refusal(503, "away", "Недоступно") });
  await answerNews(true);
  expect(wasAskedForNews()).toBe(false);

  stubServer({ "user/newsletter_subscribe": () => answer({}) });
  await answerNews(false);

  expect(wasAskedForNews()).toBe(true);
});

it("SHELL-018 SHELL-019 the expiry dialog is shown at login with 5 days or fewer, not before", () => {
  const at = (license_days_left: number | null) => {
    const { hasDialog } = expiryOf({ license_days_left }, { is_demo: false });
    return greetingsOf({ ...first, isFirstLogin: false, hasExpiryDialog: hasDialog });
  };

  expect([0, 1, 4, 5].map(at)).toEqual([["expiry"], ["expiry"], ["expiry"], ["expiry"]]);
  expect([at(6), at(100), at(null)]).toEqual([[], [], []]);
});
