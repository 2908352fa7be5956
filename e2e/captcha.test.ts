import { request } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import {
  address,
  answersOf,
  ask,
  eventually,
  hashOf,
  password,
  people,
  stored,
  useBrowser,
} from "./journey.ts";

const { visit, tokenOf } = useBrowser();

/** The second demo account: not used by other tests, so its failures disturb none. */
const email = "demo2@metrum.example";

const captcha = (page: Page) => page.getByRole("textbox", { name: "Characters in the picture" });
const image = (page: Page) => page.getByRole("img", { name: "Picture with characters" });
const enter = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });
const shell = (page: Page) => page.getByRole("navigation", { name: "Sections" });

async function fill(page: Page, given: { readonly email?: string; readonly password?: string } = {}) {
  await page.locator("[name=email]").fill(given.email ?? people.engineer);
  await page.locator("[name=password]").fill(given.password ?? password);
}

/** Answers sign-ins with these refusals in turn; further ones reach the server. */
async function refuse(
  page: Page,
  ...refusals: readonly { readonly status?: number; readonly field?: string; readonly msg?: string }[]
) {
  const left = [...refusals];
  await page.route("**/api/auth/login", async (route) => {
    const next = left.shift();
    if (next === undefined) return route.continue();
    const { status = 422, field, msg = "no" } = next;
    const attributes = field === undefined ? {} : { [field]: ["no"] };
    return route.fulfill({ status, json: { msg, data: { msg }, attributes, code: "no" } });
  });
}

/** Site properties that differ from the demonstration's. */
async function offer(page: Page, path: string, change: object): Promise<void> {
  const { data } = await ask(path, { method: "GET" });
  await page.route(`**/api/${path}`, (route) =>
    route.fulfill({ json: { data: { ...data, ...change }, msg: "" } }),
  );
}

/**
 * A wrong password from a separate address, because ten from one address require a captcha from everyone
 * there.
 */
async function failElsewhere(): Promise<void> {
  const options = {
    method: "POST",
    headers: { "content-type": "application/json" },
    // On Linux the whole of 127/8 is this machine.
    ...(process.platform === "linux" ? { localAddress: "127.0.77.1" } : {}),
  };
  await new Promise<void>((resolve, reject) => {
    const attempt = request(`${address}/api/auth/login`, options, (answer) =>
      answer.resume().on("end", resolve),
    );
    attempt.on("error", reject).end(JSON.stringify({ email, password: "wrong" }));
  });
}

const sentBy = (page: Page) => {
  const answers = answersOf(page, "auth/login");
  return (at: number) => answers.at(at)?.request().postDataJSON() as Record<string, unknown>;
};

describe("the captcha", () => {
  it("LOGIN-005 LOGIN-006 LOGIN-022 LOGIN-031: it is required after three wrong passwords, renewed without losing input, and solved without sight", async () => {
    for (let n = 0; n < 3; n += 1) await failElsewhere();
    const page = await visit({ at: "/auth/login" });
    const sent = sentBy(page);
    await fill(page, { email });
    expect(await captcha(page).count()).toBe(0);

    await enter(page).click();
    const first = await image(page).getAttribute("src");
    await page.getByRole("button", { name: "New picture" }).first().click();
    await eventually(() => image(page).getAttribute("src")).not.toBe(first);
    expect(first).toMatch(/^data:image\/svg/);

    await captcha(page).fill("no");
    await enter(page).click();
    await page.getByRole("alert").filter({ hasText: "new picture" }).waitFor();
    // Its field takes the focus when it comes, and with it a key that is pressed at that moment.
    await image(page).waitFor();
    await eventually(() => captcha(page).inputValue()).toBe("");
    expect(await page.locator("[name=email]").inputValue()).toBe(email);
    expect(await page.locator("[name=password]").inputValue()).toBe(password);
    expect(sent(1)).toMatchObject({ email, captcha: "no" });

    await page.getByRole("button", { name: "Without picture" }).press("Enter");
    await page.getByRole("status").filter({ hasText: "you can sign in" }).waitFor({ state: "attached" });
    await enter(page).click();

    await shell(page).waitFor();
    expect(sent(2)["captcha"]).toMatch(/^pow:\d+(,\d+){15}$/);
  });
});

describe("buttons and links of the form", () => {
  const register = (page: Page) => page.getByRole("link", { name: "Register" });
  const demo = (page: Page) => page.getByRole("button", { name: "Demo" });
  const forgot = (page: Page) => page.getByRole("link", { name: "Forgot password?" });

  it("LOGIN-010 LOGIN-011: Enter and Forgot always, Register and Demo in the cloud", async () => {
    const page = await visit({ at: "/auth/login" });
    await enter(page).waitFor();

    expect(await forgot(page).getAttribute("href")).toBe("#/auth/forget");
    expect(await register(page).getAttribute("href")).toBe("#/auth/registration");
    expect(await demo(page).count()).toBe(1);
  });

  it("LOGIN-010 LOGIN-011: the server build has Enter and Forgot only", async () => {
    const page = await visit({
      at: "/auth/login",
      before: (opened) => offer(opened, "site_properties", { build_type: "server" }),
    });
    await enter(page).waitFor();

    expect(await forgot(page).count()).toBe(1);
    expect([await register(page).count(), await demo(page).count()]).toEqual([0, 0]);
  });

  it("LOGIN-014: the app is offered under its own name only, with instructions for installing it", async () => {
    const app = (page: Page) => page.getByRole("button", { name: "Metrum app" });
    const plain = await visit({ at: "/auth/login" });
    const branded = await visit({
      at: "/auth/login",
      before: (opened) => offer(opened, "personal_design", { is_default: false }),
    });
    await enter(branded).waitFor();

    await app(plain).click();

    await plain.getByRole("alertdialog").getByText("Install app").waitFor();
    expect(await app(branded).count()).toBe(0);
  });

  it("LOGIN-009: the consent links to its text next to the form", async () => {
    const page = await visit({ at: "/auth/login" });
    await fill(page);
    await refuse(page, { status: 449, field: "personal_data_access" });
    await enter(page).click();
    const opened = page.waitForEvent("popup");

    await page.getByRole("link", { name: "How personal data are processed" }).click();

    await (await opened).getByRole("heading", { name: "Processing of personal data" }).waitFor();
    expect(await page.locator("[name=password]").inputValue()).toBe(password);
  });
});

describe("sign-in by a directory", () => {
  const all = { ldap_support: true, is_kerberos: true, is_oidc: true };
  const offered = (page: Page) => offer(page, "site_properties", all);
  const fulfil = async (page: Page, path: string, data: object) => {
    await page.route(`**/api/${path}`, (route) => route.fulfill({ json: { data, msg: "" } }));
  };

  it("LOGIN-029: is not offered if the installation has none", async () => {
    const page = await visit({ at: "/auth/login" });
    await enter(page).waitFor();

    expect(await page.getByRole("button", { name: /directory|domain|SSO/ }).count()).toBe(0);
  });

  it("LOGIN-029: a domain account needs no password, but its code like any other", async () => {
    const access_token = await tokenOf("engineer");
    const page = await visit({ at: "/auth/login", before: offered });
    const answers = answersOf(page, "auth/kerberos");
    let turn = 0;
    await page.route("**/api/auth/kerberos", (route) => {
      turn += 1;
      if (turn > 1) return route.fulfill({ json: { data: { access_token }, msg: "" } });
      const attributes = { one_t_p: ["one_time_code_needed"] };
      return route.fulfill({ status: 422, json: { msg: "code", attributes, code: "one_time_code_needed" } });
    });

    await page.getByRole("button", { name: "Sign in with a domain account" }).click();
    await page.getByLabel("Verification code, 6 digits").first().waitFor();
    expect(await page.locator("[name=password]").count()).toBe(0);
    // The field takes the focus when the waiting dialog is gone.
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("one_t_p");
    await page.keyboard.type("407285");

    await shell(page).waitFor();
    expect(answers.at(-1)?.request().postDataJSON()).toEqual({ one_t_p: "407285" });
  });

  it("LOGIN-029: a sign-in at the provider ends in the shell, without traces in the address", async () => {
    const access_token = await tokenOf("engineer");
    const page = await visit({
      at: "/auth/login",
      before: async (opened) => {
        await offered(opened);
        await fulfil(opened, "auth/oidc/start", { url: `${address}/?code=c1&state=s1`, ticket: "t1" });
        await fulfil(opened, "auth/oidc/finish", { access_token });
      },
    });
    const answers = answersOf(page, "auth/oidc/finish");

    await page.getByRole("button", { name: "Single sign-on (SSO)" }).click();

    await shell(page).waitFor();
    expect(answers[0]?.request().postDataJSON()).toEqual({ ticket: "t1", state: "s1", code: "c1" });
    expect(new URL(page.url()).search).toBe("");
    expect(await stored(page, "token")).toBe(access_token);
  });

  it("LOGIN-029: a return link from another browser signs no one in", async () => {
    const page = await visit({ at: "/auth/login", before: offered });
    const answers = answersOf(page, "auth/oidc/finish");

    await page.goto(`${address}/?code=c1&state=s1`);

    await page.getByRole("alertdialog").getByText("refused the sign-in").waitFor();
    expect(answers).toHaveLength(0);
  });
});

it("LOGIN-017: the form of the admin page leads to the admin page, now and with a stored token", async () => {
  const page = await visit({ at: "/admin" });
  await fill(page, { email: people.admin });

  await enter(page).click();

  await page.locator("[name=password]").waitFor({ state: "detached" });
  expect(await stored(page, "token")).not.toBeNull();
  expect(hashOf(page)).toMatch(/^\/(admin|cloud\/administration)/);
  await page.goto(`${address}/#/admin`);
  await page.reload();
  await eventually(() => hashOf(page)).toMatch(/^\/(admin|cloud\/administration)/);
  expect(await page.locator("[name=password]").count()).toBe(0);
});

describe("axe finds nothing on the sign-in in both themes", () => {
  const wish = { at: "/auth/login", width: 360 } as const;
  const look = { widths: [360] };
  const showing = async (field: string, status = 422) => {
    const page = await visit({
      ...wish,
      before: (opened) =>
        offer(opened, "site_properties", { ldap_support: true, is_kerberos: true, is_oidc: true }),
    });
    await fill(page);
    await refuse(page, { status, field });
    await enter(page).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    return page;
  };

  it("with captcha, as image and as work", async () => {
    const page = await showing("captcha");
    await image(page).waitFor();
    expect(await violationsOfLooks(page, look)).toEqual({});

    await page.getByRole("button", { name: "Without picture" }).click();
    await page.getByRole("progressbar").waitFor();

    expect(await violationsOfLooks(page, look)).toEqual({});
  });

  it("with code and recovery code", async () => {
    const page = await showing("one_t_p");
    const recovery = page.getByRole("button", { name: "Use a recovery code" });
    await recovery.waitFor();
    expect(await violationsOfLooks(page, look)).toEqual({});

    await recovery.click();

    expect(await violationsOfLooks(page, look)).toEqual({});
  });

  it("with consent, and on its text", async () => {
    const page = await showing("personal_data_access", 449);
    await page.getByRole("checkbox").waitFor();
    const text = await visit({ ...wish, at: "/auth/privacy" });
    await text.getByRole("heading", { level: 1 }).waitFor();

    expect(await violationsOfLooks(page, look)).toEqual({});
    expect(await violationsOfLooks(text, look)).toEqual({});
  });
});
