import type { Locator, Page } from "playwright-core";

/** Longer than any way over one of our screens. */
const mostStops = 60;

/** What has the focus, and whether a person sees that it has. */
const stopOf = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return { name: "the page", isSeen: true };
    const isOutlined = [at, at.closest("label"), at.parentElement].some((each) => {
      if (!each) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
    });
    // A row of a table is framed cell by cell.
    const cell = at.querySelector("td");
    const isFramed = isOutlined || (cell !== null && getComputedStyle(cell).boxShadow !== "none");
    const { width, height } = at.getBoundingClientRect();
    const name = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
    return { name: `${at.tagName.toLowerCase()} ${name}`, isSeen: isFramed && width * height > 0 };
  });

const hasFocus = (target: Locator) => target.evaluate((each) => each === document.activeElement);

/**
 * Goes on with Tab until the target has the focus. Answers the stops at which nobody could see where the focus is.
 * Errors: the target is not on the way.
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
