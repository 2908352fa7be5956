// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { UsersPage } from "./UsersPage.tsx";

useScreen("users", "grid");
beforeEach(() => startSession("token"));

const tabs = () => [...document.querySelectorAll("[role=tab]")].map(({ textContent }) => textContent);

it("SERV-024: the tab of the groups counts the administrators, who are one of them", async () => {
  stubServer({
    ...asUser(anAccess("admin")),
    "company/users": () => answer({ users: [], total: 3 }),
    "access/group/list": () => answer({ access_groups: [], total: 2 }),
  });
  await loadSession();
  await draw(<UsersPage />);

  await found(() => tabs()[1]?.includes("3"));
  expect(tabs()).toEqual([expect.stringContaining("3"), expect.stringContaining("3")]);
});
