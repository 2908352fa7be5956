import { beforeEach, expect, it } from "vitest";
import { stubBrowser } from "#testing/browser.ts";
import { dropDraft, keepDraft, readDraft, type SwapDraft } from "./replaceDraft.ts";

beforeEach(() => void stubBrowser());

const draft: SwapDraft = {
  step: "readings",
  closing: { at: 1_793_000_000, readings: { tariff0: 30_112.95, tariff1: null } },
  opening: { at: null, readings: {} },
  device: { id: "7", title: "Mercury 236" },
  field: "tariff0",
  act: "231/26",
  note: "",
  gap: "none",
};

it("TRUST-018 the draft of a swap is kept by user and point until it is sent", () => {
  keepDraft(1, 231, { draft, at: 1_793_000_100 });

  expect(readDraft(1, 231)).toEqual({ draft, at: 1_793_000_100 });
  // Another user of the same phone, and another point, have none.
  expect([readDraft(2, 231), readDraft(1, 232)]).toEqual([null, null]);
  dropDraft(1, 231);
  expect(readDraft(1, 231)).toBeNull();
});

it("a draft of another version, or damaged, is no draft", () => {
  localStorage.setItem("metrum.replacement.1.231", '{"at":1,"draft":{"step":"other"}}');
  expect(readDraft(1, 231)).toBeNull();
  localStorage.setItem("metrum.replacement.1.231", "{");
  expect(readDraft(1, 231)).toBeNull();
});

it("a browser without space says so instead of losing the draft silently", () => {
  Object.assign(localStorage, {
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(keepDraft(1, 231, { draft, at: 1 })).toBe(false);
});
