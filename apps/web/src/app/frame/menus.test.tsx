// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { loadSession, menuOf } from "#lib/session";
import { startSession } from "#lib/token";
import { stubServer } from "#testing/browser.ts";
import { click, draw, found, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser, everyModule } from "#testing/session.ts";
import { MainMenu } from "./MainMenu.tsx";
import { UserMenu } from "./UserMenu.tsx";

useScreen("shell");
beforeEach(() => startSession("token"));

describe("the menu of the user", () => {
  async function pagesOf(access: object): Promise<(string | null)[]> {
    stubServer(asUser(access));
    await loadSession();
    await draw(<UserMenu />);
    await click(document.querySelector<HTMLElement>(".shell-user") ?? document.body);
    await found(() => document.querySelector("a.menu-item"));
    return [...document.querySelectorAll("a.menu-item")].map((each) => each.getAttribute("href"));
  }
  const profile = "#/cloud/profile";
  const settings = "#/cloud/company-settings";
  const administration = "#/cloud/administration";
  const signOut = "#/auth/logout";

  it("SHELL-012 SHELL-032 SHELL-033: an administrator of a company gets to its settings and to the administration", async () => {
    const pages = await pagesOf(anAccess("admin", { rules_belong_to_company_id: 3 }));
    expect(pages).toEqual([profile, settings, administration, signOut]);
  });

  it("an administrator whose rules are of no company has no settings of one", async () => {
    expect(await pagesOf(anAccess("admin"))).toEqual([profile, administration, signOut]);
  });

  it("other users get to their profile only", async () => {
    const pages = await pagesOf(anAccess(everyModule, { rules_belong_to_company_id: 3 }));
    expect(pages).toEqual([profile, signOut]);
  });
});

describe("the main menu", () => {
  const nothing = () => undefined;
  const sections = () =>
    [...document.querySelectorAll(".shell-menu section")].map((section) => [
      section.getAttribute("aria-label"),
      ...[...section.querySelectorAll("a")].map((each) => each.textContent),
    ]);
  const open = (read: readonly number[], pathname = "/cloud/devices") =>
    draw(
      <MainMenu
        items={menuOf(anAccess(read), true)}
        pathname={pathname}
        isOpen={false}
        onClose={nothing}
        isFolded={false}
        onFold={nothing}
      />,
    );

  it("SHELL-009 SHELL-029: every screen stands in its group, and the current one is marked", async () => {
    await open([4, 2, 1]);

    expect(sections()).toEqual([
      ["Work", "Devices"],
      ["Company", "Users", "Companies"],
    ]);
    expect(document.querySelector("[aria-current=page]")?.textContent).toBe("Devices");
  });

  it("a group without screens is not shown", async () => {
    await open([4]);

    expect(sections()).toEqual([["Work", "Devices"]]);
  });
});
