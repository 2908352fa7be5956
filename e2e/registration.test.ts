import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { violationsOfLooks } from "./axe.ts";
import { answersOf, ask, eventually, hashOf, useBrowser } from "./journey.ts";
import { lettersTo, letterTo } from "./letters.ts";

const { visit, leave } = useBrowser();

const secret = "Kx7!mPqw";
const field = (page: Page, name: string) => page.locator(`form [name=${name}]`);
const submit = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const shell = (page: Page) => page.getByRole("navigation", { name: "Sections" });
const note = (page: Page, name: string) =>
  page.locator(".field", { has: page.locator(`[name=${name}]`) }).locator(".field-error");
const routeOf = (link: string) => new URL(link).hash.slice(1);

let count = 0;
const freshAddress = () => `dispatch${String(Date.now())}.${String((count += 1))}@valley.example`;

const filled = {
  name: "Dispatcher",
  email: "",
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "97699112233",
  password: secret,
  password_confirmation: secret,
};
async function fill(page: Page, given: Partial<typeof filled> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...filled, ...given })) await field(page, name).fill(value);
}

/** Stubs the properties of the site, for other kinds of installations. */
async function otherSite(page: Page, change: object): Promise<void> {
  const { data } = await ask("site_properties", { method: "GET" });
  await page.route("**/api/site_properties", (route) =>
    route.fulfill({ json: { data: { ...data, ...change }, msg: "" } }),
  );
}

async function okay(page: Page, title: string | RegExp): Promise<string> {
  const dialog = page.getByRole("alertdialog", { name: title });
  await dialog.waitFor();
  const text = await dialog.locator(".dialog-body").innerText();
  await dialog.locator("footer button").last().click();
  await dialog.waitFor({ state: "detached" });
  return text;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await submit(page, "Sign in").click();
}

/** An account that has registered and confirmed it, without the browser. */
async function account(): Promise<string> {
  const email = freshAddress();
  await ask("auth/signup", { body: { ...filled, email } });
  const { link } = await letterTo(email, "auth/activate");
  await ask(`auth/signup/activate/${link.replace(/^.*\//, "")}`, { method: "GET" });
  return email;
}

describe("registration", () => {
  it("ROUTE-006 ROUTE-007 REG-001 REG-014 REG-015 REG-016 REG-026: from the sign-in page through the letter into the shell", async () => {
    const email = freshAddress();
    const page = await visit({ at: "/auth/login" });
    await page.getByRole("link", { name: "Register" }).click();
    await page.getByRole("heading", { name: "Registration" }).waitFor();
    expect(hashOf(page)).toBe("/auth/registration");
    await fill(page, { email });
    const answers = answersOf(page, "auth/signup");
    await field(page, "password_confirmation").press("Enter");

    expect(await okay(page, "Check your mailbox")).toMatch(/letter/);
    await eventually(() => hashOf(page)).toBe("/auth/login");
    expect(answers).toHaveLength(1);
    const { link } = await letterTo(email, "auth/activate");
    const activated = page.waitForResponse("**/api/auth/signup/activate");
    await page.goto(link);
    expect((await activated).status()).toBe(200);
    expect(await okay(page, "The registration is confirmed")).toMatch(/confirmed/);
    await eventually(() => hashOf(page)).toBe("/auth/login");
    await signIn(page, email, secret);
    await page.getByRole("checkbox").check();
    await submit(page, "Sign in").click();
    await shell(page).waitFor();
    await page.getByText("Valley Heat Networks").first().waitFor();
  });

  it("REG-029: a known address gets the same answer, and a letter about the existing account", async () => {
    const email = await account();
    const page = await visit({ at: "/auth/registration" });
    await fill(page, { email });

    await submit(page, "Register").click();

    const known = await okay(page, "Check your mailbox");
    await page.goto(`${page.url().split("#")[0] ?? ""}#/auth/registration`);
    await fill(page, { email: freshAddress() });
    await submit(page, "Register").click();
    expect(await okay(page, "Check your mailbox")).toBe(known);
    expect((await letterTo(email, "auth/forget")).subject).toBe("У вас уже есть учётная запись");
  });

  it("PROD-019: the server build has no button, and the address redirects to sign-in", async () => {
    const page = await visit({
      at: "/auth/login",
      before: (each) => otherSite(each, { build_type: "server", self_registration: false }),
    });
    await page.getByRole("textbox", { name: "E-mail" }).waitFor();
    expect(await page.getByRole("link", { name: "Register" }).count()).toBe(0);

    await page.evaluate(() => (location.hash = "#/auth/registration"));

    await page.locator(".snackbar", { hasText: "Registration is closed here" }).waitFor();
    await eventually(() => hashOf(page)).toBe("/auth/login");
  });
});

describe("activation", () => {
  it("REG-017: an expired token shows the server's message in a dialog, then the sign-in", async () => {
    const page = await visit({ at: `/auth/activate/${"x".repeat(43)}` });

    expect(await okay(page, "The registration is not confirmed")).toMatch(/used or has expired/);
    await eventually(() => hashOf(page)).toBe("/auth/login");
  });

  it("REG-027: opening the letter a second time does no harm", async () => {
    const email = await account();
    const { link } = await letterTo(email, "auth/activate");
    const page = await visit({ at: routeOf(link) });

    await okay(page, "The registration is confirmed");
    await eventually(() => hashOf(page)).toBe("/auth/login");
  });
});

describe("forgotten password", () => {
  it("ROUTE-008 ROUTE-009 REG-018 REG-019 REG-021 REG-022 REG-025 REG-027 REG-031: from the sign-in page through the letter to a new password", async () => {
    const email = await account();
    const page = await visit({ at: "/auth/login" });
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByRole("heading", { name: "Forgot password?" }).waitFor();
    expect(hashOf(page)).toBe("/auth/forget");
    const answers = answersOf(page, "auth/password/create");
    await field(page, "email").fill("nobody");
    await submit(page, "Send the letter").click();
    await eventually(() => note(page, "email").innerText()).toBe("Enter a valid e-mail address");
    await field(page, "email").fill(email);
    await submit(page, "Send the letter").click();
    await okay(page, "Check your mailbox");
    await eventually(() => hashOf(page)).toBe("/auth/login");
    expect(answers).toHaveLength(1);

    const { link } = await letterTo(email, "auth/forget/reset");
    await page.goto(link);
    await page.locator(".entry-text", { hasText: email }).waitFor();
    await field(page, "password").fill("Rn4&wYtz");
    await field(page, "password_confirmation").fill("Rn4&wYtz");
    const request = page.waitForRequest("**/api/auth/password/reset");
    await submit(page, "Save the password").click();
    expect(Object.keys((await request).postDataJSON() as object).toSorted()).toEqual([
      "email",
      "password",
      "password_confirmation",
      "token",
    ]);
    await okay(page, "The password has been changed");
    await eventually(() => hashOf(page)).toBe("/auth/login");
    await signIn(page, email, "Rn4&wYtz");
    await page.getByRole("checkbox").check();
    await submit(page, "Sign in").click();
    await shell(page).waitFor();
    await eventually(async () => (await lettersTo(email)).at(-1)?.subject).toBe("Пароль изменён");
  });

  it("REG-023: an expired token leads to sign-in, with the reason", async () => {
    const page = await visit({ at: `/auth/forget/reset/${"x".repeat(43)}` });

    await page.locator(".snackbar", { hasText: "used or has expired" }).waitFor();
    await eventually(() => hashOf(page)).toBe("/auth/login");
  });
});

it("axe finds nothing on the screens in both themes, wide and narrow, and none is wider than the window", async () => {
  const email = await account();
  await ask("auth/password/create", { body: { email } });
  const reset = routeOf((await letterTo(email, "auth/forget/reset")).link);
  for (const at of ["/auth/registration", "/auth/forget", reset, `/auth/activate/${"x".repeat(43)}`]) {
    const page = await visit({ at, language: "ru" });
    await page.getByRole("heading").first().waitFor();
    if (at.includes("registration")) await page.getByRole("button", { name: "Зарегистрироваться" }).click();

    expect([at, await violationsOfLooks(page)]).toEqual([at, {}]);
    await leave(page);
  }
});

it("the keyboard alone registers: every field in order, countries before the phone, then the button", async () => {
  const page = await visit({ at: "/auth/registration" });
  await field(page, "name").waitFor();
  const order: string[] = [];
  for (let step = 0; step < 11; step += 1) {
    order.push(
      await page.evaluate(() => {
        const { activeElement: each } = document;
        return each?.getAttribute("name") ?? each?.getAttribute("type") ?? "";
      }),
    );
    await page.keyboard.press("Tab");
  }

  expect(order).toEqual([
    "name",
    "email",
    "company_name",
    "inn",
    "button",
    "phone_number",
    "password",
    "button",
    "password_confirmation",
    "button",
    "submit",
  ]);
});
