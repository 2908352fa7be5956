import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, fitAccent, isColour, leastContrast } from "./brandAccent.ts";

const surfaces = {
  light: ["#f2f5f4", "#ffffff", "#f7f9f8"],
  dark: ["#0d1312", "#141c1a", "#101716"],
} as const;

test("any accent of a brand, and text on it, has enough contrast on every surface of both themes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const fitted = fitAccent(`#${number.toString(16).padStart(6, "0")}`);
      for (const theme of ["light", "dark"] as const) {
        const { accent, on_accent, selected } = fitted[theme];
        for (const each of [...surfaces[theme], selected, on_accent])
          expect(contrast(accent, each)).toBeGreaterThanOrEqual(leastContrast);
      }
    }),
  );
});

test("a readable accent is unchanged, an unreadable one is shifted only as far as needed", () => {
  expect(fitAccent("#0B6E69").light.accent).toBe("#0b6e69");
  expect(fitAccent("#4FC1B6").dark.accent).toBe("#4fc1b6");

  const yellow = fitAccent("#ffd400");
  expect(yellow.is_moved).toBe(true);
  expect(yellow.dark.accent).toBe("#ffd400");
  expect(contrast(yellow.light.accent, "#f2f5f4")).toBeLessThan(leastContrast + 0.6);
});

test("only six hexadecimal digits are accepted as a colour", () => {
  expect(["#0b6e69", "#FFF", "red", "#0b6e69;}", ""].map(isColour)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
