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

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

interface Looks extends Look {
  readonly widths?: readonly number[];
  readonly inThemes?: readonly Theme[];
}

/** A phone is lower than a desk's window. */
const heightOf = (width: number) => (width < 640 ? 844 : 900);

/** As the app does when its user takes another theme. */
async function takeTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(async (wanted) => {
    localStorage.setItem("metrum.theme", wanted);
    document.documentElement.dataset["theme"] = wanted;
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await drawn();
    await drawn();
    await Promise.all(document.getAnimations().map((each) => each.finished));
  }, theme);
}

/**
 * Violations of one page load in the themes and at the widths, by theme and width; empty where axe finds
 * nothing. Loading the page for each would cost more than all of that.
 */
export async function violationsOfLooks(
  page: Page,
  { widths = [1440, 360], inThemes = themes, ...look }: Looks = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const width of widths) {
    await page.setViewportSize({ width, height: heightOf(width) });
    for (const theme of inThemes) {
      await takeTheme(page, theme);
      const each = await violations(page, look);
      if (each.length > 0) found[`${theme} at ${String(width)} px`] = each;
    }
  }
  return found;
}

/**
 * Violations of WCAG 2.2 A and AA found by axe, in short, and whether the page is wider than its window.
 * Evaluated by the test tool, which the content security policy does not restrict.
 */
export async function violations(
  page: Page,
  { root, isStrict = false }: Look = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found: readonly Violation[] = await page.evaluate(
    async ({ on, tags }) => {
      const tool = (globalThis as unknown as { axe: { run: (on: unknown, options: object) => unknown } }).axe;
      return (
        (await tool.run(on ?? document, { runOnly: tags, resultTypes: ["violations"] })) as {
          violations: Violation[];
        }
      ).violations;
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
