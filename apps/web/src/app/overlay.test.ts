// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { overlayOf } from "./overlay.ts";

const press = (key: string, code: string, more: KeyboardEventInit = {}, target: Element = document.body) => {
  let found: ReturnType<typeof overlayOf> | undefined;
  const read = (event: KeyboardEvent) => {
    found = overlayOf(event);
  };
  target.addEventListener("keydown", read as EventListener, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, code, ...more }));
  return found;
};

describe("keys that open something over the screen", () => {
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
