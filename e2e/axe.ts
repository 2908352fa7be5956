import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2, levels A and AA: axe skips the rules added in 2.2 unless they are named. */
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Look {
  /** Checks only below this selector. */
  readonly root?: string;
  /** Includes axe's best practices beyond WCAG. */
  readonly isStrict?: boolean;
}

/**
 * Violations of WCAG 2.2 A and AA found by axe, in short, and whether the page is wider than its window.
 * Evaluated by the test tool, which the content security policy does not restrict.
 */
export async function violations(
  page: Page,
  { root, isStrict = false }: Look = {},
): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found: readonly Violation[] = await page.evaluate(
    async ({ on, tags }) => {
      const tool = (globalThis as unknown as { axe: { run: (on: unknown, options: object) => unknown } }).axe;
      return ((await tool.run(on ?? document, { runOnly: tags })) as { violations: Violation[] }).violations;
    },
    { on: root, tags: isStrict ? [...wcag, "best-practice"] : wcag },
  );
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [
    ...(excess > 0 ? [`wider than the window by ${String(excess)} px`] : []),
    ...found.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    ),
  ];
}
