import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { eventually, hashOf, password, people, stored, useBrowser } from "./journey.ts";

const { visit } = useBrowser();

const email = (page: Page) => page.getByRole("textbox", { name: "E-mail" });
const secret = (page: Page) => page.getByLabel("Password", { exact: true });
const enter = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });
const shell = (page: Page) => page.getByRole("navigation", { name: "Sections" });

async function fill(page: Page, given: { readonly email?: string; readonly password?: string } = {}) {
  await email(page).fill(given.email ?? people.engineer);
  await secret(page).fill(given.password ?? password);
}

describe("signing in", () => {
  it("LOGIN-001 LOGIN-018 LOGIN-030 SESS-008: the form takes e-mail and password, Enter opens the shell and keeps the token", async () => {
    const page = await visit({ at: "/auth/login" });
    await fill(page);
    const answer = page.waitForResponse("**/api/auth/login");

    await secret(page).press("Enter");

    await shell(page).waitFor();
    const { data } = (await (await answer).json()) as { data: { access_token: string } };
    expect(await stored(page, "token")).toBe(data.access_token);
    expect(hashOf(page)).toMatch(/^\/cloud\//);
  });

  it("LOGIN-015: during sign-in a spinner dialog is shown, which Escape does not close", async () => {
    const page = await visit({ at: "/auth/login" });
    await fill(page);
    let letGo = () => undefined as unknown;
    const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
    await page.route("**/api/auth/login", async (route) => {
      await held;
      await route.continue();
    });
    await enter(page).click();

    const dialog = page.getByRole("dialog", { name: "Signing in" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);

    expect(await dialog.isVisible()).toBe(true);
    letGo();
    await shell(page).waitFor();
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("LOGIN-012: the Demo button signs in with the credentials of the design", async () => {
    const page = await visit({ at: "/auth/login" });

    await page.getByRole("button", { name: "Demo" }).click();

    await shell(page).waitFor();
    await page.getByText("Greenhouse South").first().waitFor();
  });

  it("LOGIN-016: with a stored token the login address goes straight to the shell", async () => {
    const page = await visit({ as: "engineer", at: "/auth/login" });

    await shell(page).waitFor();

    expect(hashOf(page)).toMatch(/^\/cloud\//);
  });
});

describe("language", () => {
  it("SHELL-020: without a choice the language is Russian", async () => {
    const page = await visit({ at: "/auth/login", language: null });

    await page.getByRole("heading", { name: "Вход" }).waitFor();

    expect(await page.locator("html").getAttribute("lang")).toBe("ru");
  });

  it("LOGIN-013 SHELL-021: a choice on the login page reloads it and persists", async () => {
    const page = await visit({ at: "/auth/login", language: null });
    const choices = page.getByRole("navigation", { name: "Язык интерфейса" }).getByRole("button");
    await choices.first().waitFor();
    expect(await choices.allInnerTexts()).toEqual(["Русский", "English", "Монгол"]);
    await page.evaluate(() => (document.body.dataset["before"] = "reload"));

    await choices.nth(2).click();

    await eventually(() => page.locator("html").getAttribute("lang")).toBe("mn");
    expect(await page.locator("body").getAttribute("data-before")).toBeNull();
    expect(await stored(page, "language")).toBe("mn");
    await page.reload();
    await page.getByRole("button", { name: "Монгол", pressed: true }).waitFor();
  });

  it("SHELL-022: any other stored language becomes English", async () => {
    const page = await visit({ at: "/auth/login", language: "de" });

    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("SHELL-003 SHELL-021: the menu of the shell changes the language in place and for the next load", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.getByRole("button", { name: "Language" }).click();
    const choices = page.getByRole("menuitemradio");
    expect(await choices.allInnerTexts()).toEqual(["Русский", "English", "Монгол"]);

    await choices.filter({ hasText: "Русский" }).click();

    await page.getByRole("heading", { name: "Устройства" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Устройства" }).waitFor();
    expect(await stored(page, "language")).toBe("ru");
  });
});
