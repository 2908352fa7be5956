import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { ask, eventually, hashOf, listDevices, useBrowser } from "./journey.ts";
import { lettersTo, letterTo } from "./letters.ts";
import { codeOf } from "./oneTimeCode.ts";

const { visit, tokenOf } = useBrowser();

const rows = (page: Page) => page.locator(".users .grid tbody tr[data-index]");
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const dialog = (page: Page) => page.locator("dialog[open]");
const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });

let count = 0;
/** Every run of a test has its own users: the platform keeps them. */
const aName = (what: string): string => `${what} ${String(Date.now())}${String((count += 1))}`;
const addressOf = (name: string): string => `${name.toLowerCase().replaceAll(" ", ".")}@metrum.example`;

let token: string;
beforeAll(async () => {
  token = await tokenOf("engineer");
});

async function aGroup(access_rules: object): Promise<{ id: number; name: string }> {
  const name = aName("Group");
  const { data } = await ask("access/group/create", { token, body: { name, access_rules } });
  return { id: (data["access_group"] as { id: number }).id, name };
}

async function aUser(access_group_id?: number): Promise<{ id: number; name: string }> {
  const name = aName("Shift");
  const { data } = await ask("user/create", {
    token,
    body: { name, email: addressOf(name), ...(access_group_id === undefined ? {} : { access_group_id }) },
  });
  return { id: (data["user"] as { id: number }).id, name };
}

/** A user who has accepted the invitation and needs a code at every sign-in. */
async function aUserWithCodes(): Promise<{ name: string; email: string; password: string; token: string }> {
  const group = await aGroup({ read: [4] });
  const { name } = await aUser(group.id);
  const email = addressOf(name);
  const password = "Rn4&wYtz-shift";
  const { link } = await letterTo(email, "auth/forget/reset");
  const letter = link.replace(/^.*\//, "");
  await ask("auth/password/reset", {
    body: { email, token: letter, password, password_confirmation: password },
  });
  const { data } = await ask("auth/login", { body: { email, password, personal_data_access: true } });
  const own = String(data["access_token"]);
  const offer = await ask("user/2FA/init", { method: "GET", token: own });
  const one_t_p = codeOf(String(offer.data["secret"]));
  const on = await ask("user/2FA/enable", { token: own, body: { one_t_p, current_password: password } });
  expect(on.status).toBe(200);
  return { name, email, password, token: own };
}

async function openList(at = "/cloud/users"): Promise<Page> {
  const page = await visit({ as: "engineer", at });
  await rows(page).first().waitFor();
  return page;
}

describe("the list of users", () => {
  it("SERV-024: a user is invited by keyboard alone, and is then in the list as invited", async () => {
    const group = await aGroup({ read: [4] });
    const page = await openList();
    const name = aName("Keyboard");
    const tabTo = async (wanted: string) => {
      for (let step = 0; step < 40; step += 1) {
        const at = await page.evaluate(() => document.activeElement?.textContent ?? "");
        if (at === wanted) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`no way to ${wanted} by Tab`);
    };

    await tabTo("Invite");
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("option", { name: group.name }).waitFor({ state: "attached" });
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(addressOf(name));
    // Country, number, rights.
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press("Tab");
    await page.keyboard.type(group.name);
    await page.keyboard.press("Control+Enter");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByText(addressOf(name)).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(name);

    await eventually(() => rows(page).count()).toBe(1);
    const text = await row(page, name).innerText();
    expect(text).toContain("Invited");
    expect(text).toContain(group.name);
    expect(new URLSearchParams(hashOf(page).split("?")[1]).get("q")).toBe(name);
  });

  it("SERV-007: the switch asks before ending sessions, looks pending, and reverts on a refusal", async () => {
    const { name } = await aUser();
    const page = await openList(`/cloud/users?q=${encodeURIComponent(name)}`);
    const toggle = row(page, name).getByRole("switch");
    await page.route("**/api/user/switch/*", (route) => route.fulfill({ status: 503, body: "{}" }), {
      times: 1,
    });

    const refused = page.waitForResponse("**/api/user/switch/*");
    await toggle.click();
    await dialog(page).getByRole("button", { name: "Switch off" }).click();
    await refused;
    await eventually(() => toggle.isChecked()).toBe(true);
    await toggle.click();
    await dialog(page).getByRole("button", { name: "Switch off" }).click();

    await row(page, name).getByText("Switched off").waitFor();
    await toggle.click();
    await row(page, name).getByText("Invited").waitFor();
  });

  it("SERV-007: on a phone the switch is in the menu of the row", async () => {
    const { name } = await aUser();
    const page = await visit({
      as: "engineer",
      at: `/cloud/users?q=${encodeURIComponent(name)}`,
      width: 360,
    });
    const one = page.locator(".users .grid [data-index]").filter({ hasText: name });
    const choose = async (title: string) => {
      await one.getByRole("button", { name: /^Actions/ }).click();
      await page.getByRole("menuitem", { name: title, exact: true }).click();
    };

    await choose("Switch off");
    await dialog(page).getByRole("button", { name: "Switch off" }).click();
    await one.getByText("Switched off").waitFor();
    await choose("Switch on");

    await one.getByText("Invited").waitFor();
  });

  it("TFA-004: the menu of the row turns off a lost second factor, ends the sessions and sends a letter", async () => {
    const { name, email, password, token: own } = await aUserWithCodes();
    const credentials = { email, password };
    expect((await ask("auth/login", { body: credentials })).status).toBe(422);
    const page = await openList(`/cloud/users?q=${encodeURIComponent(name)}`);
    const open = async () => {
      await row(page, name)
        .getByRole("button", { name: /^Actions/ })
        .click();
      await page.getByRole("menuitem", { name: "Turn off 2FA" }).click();
    };

    await open();
    await dialog(page).getByText("lost the phone").waitFor();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect((await ask("auth/login", { body: credentials })).status).toBe(422);
    await open();
    await dialog(page).getByRole("button", { name: "Turn off 2FA" }).click();

    await dialog(page).waitFor({ state: "detached" });
    await eventually(async () => (await ask("auth/login", { body: credentials })).status).toBe(200);
    expect((await ask("user/access", { method: "GET", token: own })).status).toBe(401);
    await row(page, name)
      .getByRole("button", { name: /^Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Edit" }).waitFor();
    await eventually(() => page.getByRole("menuitem", { name: "Turn off 2FA" }).count()).toBe(0);
    await eventually(async () => (await lettersTo(email)).length).toBeGreaterThan(1);
  });

  it("SERV-024: one's own account cannot be switched off or removed, and removing another one requires typing its id", async () => {
    const { id, name } = await aUser();
    const page = await openList("/cloud/users?q=engineer@");
    expect(await rows(page).first().getByRole("switch").isDisabled()).toBe(true);
    await rows(page)
      .first()
      .getByRole("button", { name: /^Actions/ })
      .click();
    const own = page.getByRole("menuitem", { name: /^Remove/ });
    expect(await own.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");

    await page.getByRole("searchbox").fill(name);
    await row(page, name)
      .getByRole("button", { name: /^Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog(page).getByLabel("Number").fill("0");
    await dialog(page).getByRole("button", { name: "Remove the user" }).click();
    await dialog(page).getByText("This is not the number").waitFor();
    await dialog(page).getByLabel("Number").fill(String(id));
    await dialog(page).getByRole("button", { name: "Remove the user" }).click();

    await eventually(() => rows(page).count()).toBe(0);
  });
});

describe("access groups", () => {
  it("SERV-025: rights are navigated by arrow keys, described before they are saved, and effective afterwards", async () => {
    const group = await aGroup({ read: [4, 6], delete: [6] });
    const page = await visit({ as: "engineer", at: `/cloud/users?tab=groups&group=${String(group.id)}` });
    const preview = page.getByRole("complementary", { name: "What this user sees" });
    await box(page, "Devices: Read").focus();

    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");

    await page.getByText("2 changes, not saved").waitFor();
    await preview.getByText("After saving, compared with now").waitFor();
    expect(await page.locator(".matrix-cell[data-changed]").count()).toBe(2);
    const changes = await preview.locator(".is-changed li").allInnerTexts();
    expect(changes.join()).toContain("Send commands, including power cut-off and valve");
    expect(changes.join()).toContain("Delete objects, points and consumers");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(() => page.locator(".matrix-cell[data-changed]").count()).toBe(0);
    const { data } = await ask("access/group/list", { token, body: { search_string: group.name } });
    expect((data["access_groups"] as { access_rules: object }[])[0]?.access_rules).toMatchObject({
      read: [4, 6],
      update: [4],
      delete: [],
    });
  });

  it("SERV-025: leaving with unsaved rights asks for confirmation, and discarding restores the stored ones", async () => {
    const group = await aGroup({ read: [4] });
    const page = await visit({ as: "engineer", at: `/cloud/users?tab=groups&group=${String(group.id)}` });
    await box(page, "Events: Read").check();

    await page.locator(".shell-menu, nav").getByRole("link", { name: "Devices" }).first().click();
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(hashOf(page)).toContain(`group=${String(group.id)}`);
    await page.getByRole("button", { name: "Discard" }).click();

    expect(await box(page, "Events: Read").isChecked()).toBe(false);
  });

  it("SERV-025: with the right to read users only the groups are visible, but cannot be changed", async () => {
    const group = await aGroup({ read: [1, 4] });
    const user = await aUser(group.id);
    const page = await visit({
      as: "engineer",
      at: `/cloud/users?tab=groups&group=${String(group.id)}`,
      // The same answers, with the rights of that group.
      before: async (opened) => {
        await opened.route("**/api/user/access", async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as { data: object };
          const access_rules = { create: [], read: [1, 4], update: [], delete: [], access_all: [] };
          const data = { ...answer.data, is_admin: false, access_group: { ...group, access_rules } };
          await route.fulfill({ response, json: { ...answer, data } });
        });
      },
    });

    await page.getByText(user.name).first().waitFor();
    expect(await box(page, "Devices: Read").isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New group" }).count()).toBe(0);
  });
});

describe("tying users to a device", () => {
  it("ACL-024: exactly the chosen users are tied", async () => {
    const group = await aGroup({ read: [4] });
    const user = await aUser(group.id);
    const [device] = (await listDevices(token)).data;
    const page = await visit({
      as: "engineer",
      at: `/cloud/devices?q=${encodeURIComponent(device?.name ?? "")}`,
    });
    const list = page.locator(".devices .grid tbody tr[data-index]");
    await eventually(() => list.count()).toBe(1);

    await list.first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "Tie users" }).click();
    await dialog(page).getByRole("searchbox").fill(user.name);
    await dialog(page)
      .getByRole("checkbox", { name: new RegExp(user.name) })
      .check();
    await dialog(page).getByText("1 chosen").waitFor();
    await dialog(page).getByRole("button", { name: "Tie" }).click();
    await dialog(page).waitFor({ state: "detached" });

    const { data } = await ask("device/get_ties_user", { token, body: { device_id: device?.id } });
    expect((data["users"] as { id: number }[]).map(({ id }) => id)).toEqual([user.id]);
    await ask("device/tie_user", { token, body: { device_id: device?.id, user_ids: [] } });
  });
});

describe("states", () => {
  it("10,000 users: one page is requested and drawn, and the next one is one click away", async () => {
    const page = await visit({
      as: "engineer",
      at: "/cloud/users?size=100",
      before: async (opened) => {
        let model: object | undefined;
        await opened.route("**/api/company/users", async (route) => {
          const { page: at = 1, per_page = 25 } = route.request().postDataJSON() as {
            page?: number;
            per_page?: number;
          };
          const response = await route.fetch();
          const answer = (await response.json()) as { data: { users: object[] } };
          model ??= answer.data.users[0];
          const users = Array.from({ length: per_page }, (_, index) => ({
            ...model,
            id: at * 100_000 + index,
            name: `User ${String((at - 1) * per_page + index + 1)}`,
          }));
          await route.fulfill({ response, json: { ...answer, data: { users, total: 10_000 } } });
        });
      },
    });
    await page.getByText("User 1", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Next page" }).click();

    await page.getByText("User 101", { exact: true }).waitFor();
    await page.getByText("101 – 200 of 10 000").waitFor();
  });

  it("an empty result offers to reset, and a failure shows the server's message and a retry", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/users?q=nobody-at-all" });
    await page.getByRole("button", { name: "Reset filter" }).click();
    await rows(page).first().waitFor();

    const failing = await visit({
      as: "engineer",
      at: "/cloud/users",
      before: (opened) =>
        opened.route("**/api/company/users", (route) =>
          route.fulfill({ status: 500, json: { msg: "Broken" } }),
        ),
    });
    await failing.getByText("Broken").first().waitFor();
    await failing.unroute("**/api/company/users");
    await failing.getByRole("button", { name: "Retry" }).click();
    await rows(failing).first().waitFor();
  });

  it("without read on 1 the address leads to the page without access", async () => {
    const page = await visit({ as: "operator", at: "/cloud/users" });

    await eventually(() => hashOf(page)).toBe("/withoutAccess");
  });
});

describe("axe finds nothing in both themes", () => {
  it.each([
    ["the list, wide and on a phone", "/cloud/users", [1440, 360], "tbody tr[data-index]"],
    ["the groups", "/cloud/users?tab=groups", [1440], ".matrix"],
    ["the groups on a phone", "/cloud/users?tab=groups", [360], ".groups-list"],
  ] as const)("on %s", async (_, at, widths, ready) => {
    const page = await visit({ as: "engineer", at, width: widths[0], language: "ru" });
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState("networkidle");

    expect(await violationsOfLooks(page, { widths })).toEqual({});
  });

  it("on the form of a user", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/users" });
    await page.getByRole("button", { name: "Invite" }).click();
    await dialog(page).waitFor();

    expect(await violationsOfLooks(page, { widths: [1440] })).toEqual({});
  });
});
