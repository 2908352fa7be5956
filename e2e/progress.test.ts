import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { useBrowser } from "./journey.ts";

const { visit, provoked } = useBrowser();

const lineOf = (page: Page) => page.getByRole("progressbar", { name: "Loading" });

/** A page on the list of devices, and functions that release or fail a delayed file of the list of users. */
async function holding(file: string) {
  const page = await visit({ as: "admin", at: "/cloud/devices" });
  await page.getByRole("grid").first().waitFor();
  await lineOf(page).waitFor({ state: "detached" });
  let decide = (_: "comes" | "fails"): void => undefined;
  const decided = new Promise<"comes" | "fails">((resolve) => (decide = resolve));
  await page.route(file, async (route) => {
    await ((await decided) === "comes" ? route.continue() : route.abort());
  });
  await page.evaluate(() => (location.hash = "#/cloud/users"));
  await lineOf(page).waitFor();
  return { page, decide };
}

it("SHELL-014: the line at the top is shown while a screen loads, and disappears afterwards", async () => {
  const { page, decide } = await holding("**/assets/UsersPage-*.js");

  decide("comes");

  await page.getByRole("tab", { name: "Users" }).waitFor();
  await lineOf(page).waitFor({ state: "detached" });
});

it("SHELL-015: it is still shown 100 ms after the screen has loaded", async () => {
  const { page, decide } = await holding("**/assets/UsersPage-*.js");
  const stoodMs = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shownAt: number | undefined;
        const watch = () => {
          if (document.querySelector("[role=tab]")) shownAt ??= performance.now();
          const isGone = document.querySelector(".route-progress") === null;
          if (isGone && shownAt !== undefined) resolve(performance.now() - shownAt);
          else requestAnimationFrame(watch);
        };
        watch();
      }),
  );

  decide("comes");

  // Timers may be late, never early; the tolerance is one frame.
  expect(await stoodMs).toBeGreaterThan(60);
});

it("SHELL-015: it disappears when the navigation is replaced by another one", async () => {
  const { page, decide } = await holding("**/assets/UsersPage-*.js");

  await page.evaluate(() => (location.hash = "#/cloud/devices"));

  await lineOf(page).waitFor({ state: "detached" });
  await page.getByRole("grid").first().waitFor();
  decide("comes");
});

it("SHELL-015: it disappears when the screen fails to load", async () => {
  const { page, decide } = await holding("**/assets/UsersPage-*.js");

  decide("fails");

  await lineOf(page).waitFor({ state: "detached" });
  expect(await page.getByRole("tab", { name: "Users" }).count()).toBe(0);
  expect(await provoked()).toEqual([
    expect.stringContaining("Failed to fetch dynamically imported module") as string,
  ]);
});
