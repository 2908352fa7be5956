import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

function themeOf(selector: string): Readonly<Record<string, string>> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = "", colour = ""]) => [name, colour] as const,
    ),
  );
}

const themes = { light: themeOf('[data-theme="light"]'), dark: themeOf('[data-theme="dark"]') };

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["bg", "panel", "sunken", "selected"];
const texts = [
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "electricity",
  "water",
  "heat",
  "gas",
  "ok",
  "warn",
  "alarm",
  "pending",
];

/** Minimum contrast of a text over all backgrounds, as stated in the design's table. */
const stated = {
  light: {
    ink: 14.2,
    "ink-2": 6.7,
    "ink-3": 4.9,
    accent: 5.2,
    electricity: 4.8,
    water: 5.2,
    heat: 4.8,
    gas: 5.5,
  },
  dark: {
    ink: 11.5,
    "ink-2": 7.0,
    "ink-3": 4.6,
    accent: 6.3,
    electricity: 6.4,
    water: 5.7,
    heat: 5.7,
    gas: 6.1,
  },
};

describe.each(["light", "dark"] as const)("UI-070: colours of the %s theme", (name) => {
  const theme = themes[name];
  const colour = (token: string) => theme[token] ?? "#000000";
  const least = (token: string) => Math.min(...grounds.map((each) => contrast(colour(token), colour(each))));

  it.each(texts)("text in %s has enough contrast on every background", (token) => {
    expect(theme[token]).toBeDefined();
    expect(least(token)).toBeGreaterThanOrEqual(4.5);
  });

  it("edges of controls on panels, and text on the accent, have enough contrast", () => {
    expect(contrast(colour("field"), colour("panel"))).toBeGreaterThanOrEqual(3);
    expect(contrast(colour("on-accent"), colour("accent"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour("on-inverse"), colour("inverse"))).toBeGreaterThanOrEqual(4.5);
  });

  it("keeps the contrast ratios of the design", () => {
    const measured = Object.fromEntries(
      Object.keys(stated[name]).map((token) => [token, Math.round(least(token) * 10) / 10]),
    );
    expect(measured).toEqual(stated[name]);
  });
});
