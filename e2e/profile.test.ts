import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { violations, violationsOfLooks } from "./axe.ts";
import { ask, eventually, hashOf, openSection, password, stored, useBrowser, type Visit } from "./journey.ts";
import { codeOf } from "./oneTimeCode.ts";

const { visit } = useBrowser();

/** An account that no other test signs in with. */
const email = "engineer2@metrum.example";
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0";

async function newToken(more: object = {}): Promise<string> {
  const { data } = await ask("auth/login", { body: { email, password, ...more } });
  return String(data["access_token"]);
}
const open = async (section: string, wish: Visit = {}) =>
  visit({ at: `/cloud/profile${section}`, token: await newToken(), ...wish });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 2, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("SERV-026 the profile", () => {
  it("SHELL-012 name and phone are saved by their own button, and the shell shows them at once", async () => {
    const token = await newToken();
    await ask("user/profile", { method: "PUT", token, body: { name: "Engineer", phone_number: null } });
    const page = await open("", { token });
    await page.getByLabel("Name").fill("Shift engineer");
    await page.getByLabel("Phone").fill("+97699112233");
    await page.getByText("Not saved").waitFor();

    await press(page, "Save");

    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "User: Shift engineer" }).waitFor();
    await page.reload();
    await eventually(() => page.getByLabel("Phone").inputValue()).toBe("+97699112233");
    expect(await page.getByText("Not saved").count()).toBe(0);
  });

  it("unsaved changes are not lost without confirmation, by a link or by Back", async () => {
    const page = await open("/personal");
    await page.getByLabel("Name").fill("Somebody else");

    await page.getByRole("link", { name: "Sessions" }).click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByText("Leave without saving?")
      .waitFor();
    await press(page, "Cancel");
    await eventually(() => hashOf(page)).toBe("/cloud/profile/personal");
    expect(await page.getByLabel("Name").inputValue()).toBe("Somebody else");

    await page.getByRole("link", { name: "Sessions" }).click();
    await press(page, "Leave");
    await heading(page, "Sessions").waitFor();
  });

  it("language and zone are chosen, the zone by typing a part of its name", async () => {
    const token = await newToken();
    await ask("user/profile", { method: "PUT", token, body: { language: "ru", timezone_name: null } });
    const page = await open("/view", { token });
    await page.getByRole("button", { name: "Time zone: As the company" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("Hovd");
    await page.getByText("Asia/Hovd").click();
    await press(page, "Choose");
    await page.getByText("Asia/Hovd, UTC+7").waitFor();
    await page.getByRole("combobox", { name: "Language" }).selectOption("mn");

    await press(page, "Save");

    await heading(page, "Хэл ба цагийн бүс").waitFor();
    await page.getByText("UTC+7", { exact: true }).waitFor();
    await ask("user/profile", {
      method: "PUT",
      token: await newToken(),
      body: { language: "ru", timezone_name: null },
    });
  });

  it("theme and density change at once and persist", async () => {
    const page = await open("/view");
    const look = () =>
      page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)));
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    await page.getByRole("radio", { name: "Compact" }).check({ force: true });

    await page.reload();

    await eventually(look).toMatchObject({ theme: "dark", density: "compact" });
    await page.getByRole("radio", { name: "As in the system" }).check({ force: true });
    await page.getByRole("radio", { name: "Normal" }).check({ force: true });
    expect(await look()).not.toHaveProperty("density");
  });
});

describe("SESS-043 sessions", () => {
  it("they are described, the current one is marked, another one is ended and signed out", async () => {
    const { data } = await ask("auth/login", { body: { email, password }, agent: firefox });
    const other = String(data["access_token"]);
    const page = await open("/sessions");
    const rows = page.locator(".profile-list li");
    await page.getByText("Firefox, Windows").waitFor();
    const before = await rows.count();
    expect(await rows.filter({ hasText: "This browser" }).count()).toBe(1);

    await press(page, "End all others");
    await press(page, "End them");

    await page.getByText("All other sessions have ended").waitFor();
    await eventually(() => rows.count()).toBe(1);
    expect(before).toBeGreaterThan(1);
    expect((await ask("user/access", { method: "GET", token: other })).status).toBe(401);
  });

  it("an API token is shown once, works, and is revoked", async () => {
    const page = await open("/tokens");
    await press(page, "New token");
    const name = `Accounting ${String(Date.now())}`;
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Current password").fill(password);
    await press(page, "Make the token");
    const token = (await page.locator(".shown-once code").textContent()) ?? "";
    expect((await ask("user/access", { method: "GET", token })).status).toBe(200);
    await press(page, "I have saved it");
    expect(await page.getByText(token).count()).toBe(0);

    expect(await violations(page)).toEqual([]);
    await press(page, `Revoke: ${name}`);
    await press(page, "Revoke");

    await page.getByText(name, { exact: true }).waitFor({ state: "detached" });
    expect((await ask("user/access", { method: "GET", token })).status).toBe(401);
  });
});

describe("two-factor sign-in", () => {
  const signIn = async (code: string): Promise<Page> => {
    const page = await visit({ at: "/auth/login" });
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press(page, "Sign in");
    await page.locator("input[autocomplete=one-time-code]").fill(code);
    return page;
  };

  it("TFA-001 TFA-002 TFA-003 TFA-005 TFA-006 TFA-007 set up, sign in by code, no code twice, recovery code, off", async () => {
    const page = await open("/two-factor");
    await press(page, "Set up");
    const qr = page.getByRole("img", { name: "QR code" });
    await qr.waitFor();
    expect(await qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    const key = (await page.locator(".profile-key").textContent()) ?? "";
    await page.getByLabel("Current password").fill(password);
    await page.locator("input[autocomplete=one-time-code]").fill(codeOf(key));
    await press(page, "Turn on");
    await page.getByText("The codes are shown only once").waitFor();
    const codes = await page.locator(".profile-codes li").allTextContents();
    expect(codes).toHaveLength(10);
    await press(page, "I have saved them");
    await page.getByText("10 recovery codes left").waitFor();

    // Each code counts once, and the next one is accepted as well; its last digit signs in.
    const code = codeOf(key, 1);
    const signedIn = await signIn(code);
    await eventually(() => hashOf(signedIn)).toMatch(/^\/cloud/);
    const again = await ask("auth/login", { body: { email, password, one_t_p: code } });
    const [recovery = ""] = codes;
    const byRecovery = await ask("auth/login", { body: { email, password, one_t_p: recovery } });
    const recoveryAgain = await ask("auth/login", { body: { email, password, one_t_p: recovery } });
    expect([again.status, byRecovery.status, recoveryAgain.status]).toEqual([422, 200, 422]);

    await page.reload();
    await page.getByText("9 recovery codes left").waitFor();
    await press(page, "Turn off");
    await page.getByLabel("Code from the app, or a recovery code").fill(codes[1] ?? "");
    await page.getByLabel("Current password").fill(password);
    await press(page, "Turn off");
    await page.getByText("Off", { exact: true }).waitFor();
    expect((await ask("auth/login", { body: { email, password } })).status).toBe(200);
  });
});

describe("duties", () => {
  const require = async (is: boolean) =>
    ask("company", {
      method: "PUT",
      token: await newToken(),
      body: { options: { two_factor_required: is } },
    });
  afterAll(async () => {
    await ask("company", {
      method: "PUT",
      token: await newToken(),
      body: { options: { two_factor_required: false } },
    });
  });

  it("a required second factor leads to its set-up, and then on to the requested page", async () => {
    await require(true);
    const page = await visit({ at: "/cloud/profile/sessions", token: await newToken() });
    await page.getByRole("heading", { name: "Set up two-factor sign-in", level: 1 }).waitFor();
    expect(hashOf(page)).toBe("/duty");
    expect(await violations(page)).toEqual([]);
    await page.locator(".profile-key").waitFor();
    const key = (await page.locator(".profile-key").textContent()) ?? "";
    await page.locator("input[autocomplete=one-time-code]").fill(codeOf(key));
    await page.getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The codes are shown only once").waitFor();
    const [recovery = ""] = await page.locator(".profile-codes li").allTextContents();

    await press(page, "I have saved them");

    await heading(page, "Sessions").waitFor();
    expect(hashOf(page)).toBe("/cloud/profile/sessions");
    const token = await stored(page, "token");
    await ask("company", {
      method: "PUT",
      token: token ?? "",
      body: { options: { two_factor_required: false } },
    });
    const off = await ask("user/2FA/disable", {
      method: "DELETE",
      token: token ?? "",
      body: { one_t_p: recovery, current_password: password },
    });
    expect(off.status).toBe(200);
  });
});

describe("all sections", () => {
  const sections = ["personal", "view", "news", "sign-in", "two-factor", "sessions", "tokens"];

  it.each([
    ["ru", "light", "dark"],
    ["en", "dark", "light"],
    ["mn", "light", "dark"],
  ] as const)(
    "axe finds nothing in %s, %s at 1440 px and %s at 360 px, and nothing is wider than the window",
    async (language, wide, narrow) => {
      const page = await open("", { language });
      await page.locator(".settings-list").waitFor();
      for (const section of ["", ...sections]) {
        await openSection(page, "/cloud/profile", section);
        const found = [
          await violationsOfLooks(page, { widths: [1440], inThemes: [wide] }),
          await violationsOfLooks(page, { widths: [360], inThemes: [narrow] }),
        ];
        expect([section, ...found]).toEqual([section, {}, {}]);
      }
    },
  );

  it("a phone shows the list, then the section with a way back", async () => {
    const page = await open("", { width: 360 });
    await page.getByRole("link", { name: "Sessions" }).click();
    await heading(page, "Sessions").waitFor();
    expect(await page.getByRole("link", { name: "API tokens" }).isVisible()).toBe(false);

    await page.getByRole("link", { name: "Profile", exact: true }).click();

    await page.getByRole("link", { name: "API tokens" }).waitFor();
    expect(hashOf(page)).toBe("/cloud/profile");
  });
});
