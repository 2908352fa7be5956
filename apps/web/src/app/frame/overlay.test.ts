// @vitest-environment happy-dom
import { act, createElement } from "react";
import { describe, expect, it } from "vitest";
import { draw, useScreen } from "#testing/dom.tsx";
import { overlayOf, useOverlay } from "./overlay.ts";

useScreen();

const press = (key: string, code: string, more: KeyboardEventInit = {}, target: Element = document.body) => {
  let found: ReturnType<typeof overlayOf> | undefined;
  const read = (event: KeyboardEvent) => {
    found = overlayOf(event);
  };
  target.addEventListener("keydown", read as EventListener, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, code, ...more }));
  return found;
};

describe("keys that open overlays", () => {
  it("Ctrl K and the question mark work on every layout", () => {
    expect(press("k", "KeyK", { ctrlKey: true })).toBe("palette");
    expect(press("л", "KeyK", { metaKey: true })).toBe("palette");
    expect(press("?", "Slash", { shiftKey: true })).toBe("shortcuts");
    expect(press(",", "Slash", { shiftKey: true })).toBe("shortcuts");
    expect(press("?", "Digit7", { shiftKey: true })).toBe("shortcuts");
  });

  it("a question mark typed in a field is text", () => {
    expect(press("?", "Slash", { shiftKey: true }, document.createElement("input"))).toBeNull();
    expect(press("k", "KeyK")).toBeNull();
    expect(press("/", "Slash")).toBeNull();
  });
});

describe("the overlay that is shown", () => {
  const strike = (key: string, code: string, more: KeyboardEventInit = {}) =>
    act(() => void dispatchEvent(new KeyboardEvent("keydown", { key, code, ...more })));
  const shown = () => document.querySelector("output")?.textContent;
  function Probe() {
    return createElement("output", {}, useOverlay()[0]);
  }

  it("opens by its key and closes by the same key or that of another overlay", async () => {
    await draw(createElement(Probe));
    strike("k", "KeyK", { ctrlKey: true });
    expect(shown()).toBe("palette");
    strike("k", "KeyK", { ctrlKey: true });
    expect(shown()).toBe("");
    strike("?", "Slash", { shiftKey: true });
    strike("k", "KeyK", { ctrlKey: true });
    expect(shown()).toBe("");
  });

  it("TRUST-015 leaves the question mark to a screen that has its own list of keys", async () => {
    await draw(createElement(Probe));
    const answer = (event: Event) => event.preventDefault();
    document.addEventListener("keydown", answer);
    act(() => {
      const keys = { key: "?", code: "Slash", shiftKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", keys));
    });
    expect(shown()).toBe("");
    document.removeEventListener("keydown", answer);
  });

  it("does not open over a dialog that waits for an answer", async () => {
    await draw(createElement(Probe));
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.setAttribute("open", "");
    strike("k", "KeyK", { ctrlKey: true });
    expect(shown()).toBe("");
    dialog.remove();
  });
});
