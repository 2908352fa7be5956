import type { Locator, Page } from "playwright-core";

/** More Tab stops than any screen has. */
const mostStops = 60;

/** The focused element, and whether its focus is visible. */
const stopOf = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return { name: "the page", isSeen: true };
    const isOutlined = [at, at.closest("label"), at.parentElement].some((each) => {
      if (!each) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
    });
    // A row of a table shows its focus cell by cell.
    const cell = at.querySelector("td");
    const isFramed = isOutlined || (cell !== null && getComputedStyle(cell).boxShadow !== "none");
    const { width, height } = at.getBoundingClientRect();
    const name = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
    return { name: `${at.tagName.toLowerCase()} ${name}`, isSeen: isFramed && width * height > 0 };
  });

const hasFocus = (target: Locator) => target.evaluate((each) => each === document.activeElement);

/**
 * Presses Tab until the target has the focus. Returns the stops without a visible focus. Errors: the target
 * is not reached.
 */
export async function tabTo(page: Page, target: Locator): Promise<readonly string[]> {
  const unseen: string[] = [];
  const passed: string[] = [];
  for (let stop = 0; stop < mostStops; stop++) {
    if (await hasFocus(target)) return unseen;
    await page.keyboard.press("Tab");
    const { name, isSeen } = await stopOf(page);
    passed.push(name);
    if (!isSeen) unseen.push(name);
  }
  throw new Error(`not reached by Tab: ${passed.join(" > ")}`);
}
