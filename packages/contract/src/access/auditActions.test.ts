import { expect, test } from "vitest";
import { auditActions, auditTitle } from "./auditActions.ts";

test("ACL-044 every action of the log has its own title in each language", () => {
  const titles = Object.values(auditActions);

  for (const language of ["ru", "en", "mn"] as const) {
    const texts = titles.map((title) => title[language].trim());
    expect(texts).not.toContain("");
    expect(new Set(texts).size).toBe(texts.length);
  }
});

test("an action without a title is shown by its code", () => {
  expect(auditTitle("company.enter").en).toBe("Entering a company");
  expect(auditTitle("pump.start")).toEqual({ ru: "pump.start", en: "pump.start", mn: "pump.start" });
});
