import { it } from "vitest";
import { useBrowser } from "./journey.ts";

const { visit } = useBrowser();

it("SHELL-014: the line at the top stands while a screen is on its way, and goes once it is there", async () => {
  const page = await visit({ as: "admin", at: "/cloud/devices" });
  const line = page.getByRole("progressbar", { name: "Loading" });
  await page.getByRole("grid").first().waitFor();
  await line.waitFor({ state: "detached" });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/UsersPage-*.js", async (route) => {
    await held;
    await route.continue();
  });

  await page.evaluate(() => (location.hash = "#/cloud/users"));
  await line.waitFor();
  release();

  await page.getByRole("tab", { name: "Users" }).waitFor();
  await line.waitFor({ state: "detached" });
});
