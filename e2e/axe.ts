import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds against WCAG 2.1 A and AA, in short. Evaluated by the test tool, which no content policy stops. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found: readonly Violation[] = await page.evaluate(async () => {
    const tool = (globalThis as unknown as { axe: { run: (root: Document, options: object) => unknown } })
      .axe;
    const wanted = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
    return ((await tool.run(document, wanted)) as { violations: Violation[] }).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
  );
}
