import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { address, answersOf, ask, eventually, hashOf, newToken, stored, useBrowser } from "./journey.ts";

const { visit } = useBrowser();

const loginForm = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });
const menu = (page: Page) => page.getByRole("navigation", { name: "Sections" });

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^User:/ }).click();
  await page.getByRole("link", { name: "Sign out" }).click();
  await loginForm(page).waitFor();
}

describe("the end of a session", () => {
  it("SESS-014 SESS-015 SESS-016 ROUTE-010: signing out calls the server, deletes the session and keeps the language", async () => {
    const token = await newToken("engineer");
    const page = await visit({ token, at: "/cloud/devices" });
    await menu(page).waitFor();
    await page.evaluate(() => {
      localStorage.setItem("metrum.appData", "{}");
      localStorage.setItem("metrum.phone", "+97600000000");
      localStorage.setItem("metrum.subscriberName", "Subscriber");
    });
    const answers = answersOf(page, "auth/logout");

    await signOut(page);

    expect(answers.map((each) => [each.request().method(), each.status()])).toEqual([["GET", 200]]);
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(["metrum.language"]);
    expect(await stored(page, "language")).toBe("en");
    expect((await ask("user/access", { method: "GET", token })).status).toBe(401);
  });

  it("SESS-034: an expired token redirects to login once, with a message, without a loop of requests", async () => {
    const refused: string[] = [];
    const page = await visit({
      token: "long-forgotten",
      at: "/cloud/devices",
      before: (fresh) =>
        Promise.resolve(
          fresh.on("response", (response) => {
            if (response.status() === 401) refused.push(response.url());
          }),
        ),
    });

    await loginForm(page).waitFor();

    await page.getByRole("status").getByText("The session has ended").waitFor();
    expect(hashOf(page)).toBe("/auth/login");
    expect(await stored(page, "token")).toBeNull();
    await page.waitForLoadState("networkidle");
    expect(refused.length).toBeLessThanOrEqual(2);
  });

  it("SESS-034: a session that expires while the shell is open ends at the next call, and sign-in returns to the same page", async () => {
    const token = await newToken("engineer");
    const page = await visit({ token, at: "/cloud/devices" });
    await page.getByRole("link", { name: /№/ }).first().waitFor();
    await ask("auth/logout", { method: "GET", token });

    // A call of the page itself may end the session first, and takes the box away.
    const searched = page.getByRole("searchbox").fill("EM24", { timeout: 5_000 });
    searched.catch(() => undefined);

    await page.getByRole("status").getByText("The session has ended").waitFor();
    expect(hashOf(page)).toBe("/auth/login");
    expect(await page.locator(".snackbar").count()).toBeLessThanOrEqual(1);
    await page.getByRole("textbox", { name: "E-mail" }).fill("engineer@metrum.example");
    await page.getByLabel("Password", { exact: true }).fill("Metrum!2026");
    await page.keyboard.press("Enter");
    await eventually(() => hashOf(page)).toMatch(/^\/cloud\/devices/);
  });

  it("SESS-036: signing out in one tab signs out the other", async () => {
    const token = await newToken("engineer");
    const page = await visit({ token, at: "/cloud/devices" });
    await menu(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${address}/#/cloud/devices`);
    await menu(other).waitFor();

    await signOut(other);

    await loginForm(page).waitFor();
    expect(hashOf(page)).toBe("/auth/login");
  });
});
