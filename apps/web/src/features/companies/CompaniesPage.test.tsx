// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { aCompany, anAccess, asUser } from "#testing/session.ts";
import { CompaniesPage } from "./CompaniesPage.tsx";

useScreen("companies", "freeze", "grid");
beforeEach(() => startSession("token"));

const { company } = aCompany();
const inTree = (id: number, children_count: number) => ({
  ...company,
  id,
  name: `Company ${String(id)}`,
  depth: 0,
  children_count,
  device_count: 0,
  user_count: 0,
  last_sign_in_at: null,
  deleted_at: null,
});

it("CTRL-109 staff see which company is stopped, stop one with a reason, and others have no such action", async () => {
  const answers = (is_platform: boolean) => ({
    ...asUser(anAccess("admin", { is_platform }), { company: { ...company, is_dealer: true } }),
    "company/list": () =>
      answer({
        companies: { ...pageOf([inTree(4, 0), inTree(5, 0)]), per_page: 100 },
        parent: inTree(3, 2),
        states: { all: 3, ending: 0, expired: 0, off: 0, demo: 0, deleted: 0 },
      }),
    "admin/control/freezes": () =>
      answer({
        freezes: [{ company_id: 4, company_name: "Company 4", reason: "Flood", since: 1, user_name: "Bold" }],
      }),
    "admin/control/freeze": () => answer({ freezes: [] }, 200, { msg: "Stopped it" }),
  });
  const requests = stubServer(answers(true));
  await loadSession();
  await draw(<CompaniesPage />);
  await found(() => says("no commands"));
  expect(document.querySelectorAll("[data-frozen]")).toHaveLength(1);

  await click(button("Actions: Company 4"));
  await found(() => button("Allow control"));
  await press("Escape");
  await click(button("Actions: Company 5"));
  await click(await found(() => button("Stop control")));
  await found(() => says("Stop control of the devices of Company 5?"));
  await type(field("Reason"), "Court order");
  await press("Enter");

  await found(() => says("Stopped it"));
  const sent = requests.find(({ url }) => url.endsWith("admin/control/freeze"));
  expect(await sent?.json()).toEqual({ company_id: 5, is_frozen: true, reason: "Court order" });
});

it("CTRL-109 only staff of the provider ask what is stopped", async () => {
  const requests = stubServer({
    ...asUser(anAccess("admin"), { company: { ...company, is_dealer: true } }),
    "company/list": () =>
      answer({
        companies: { ...pageOf([inTree(4, 0)]), per_page: 100 },
        parent: inTree(3, 1),
        states: { all: 2, ending: 0, expired: 0, off: 0, demo: 0, deleted: 0 },
      }),
  });
  await loadSession();
  await draw(<CompaniesPage />);
  await click(await found(() => button("Actions: Company 4")));

  expect(says("Stop control")).toBe(false);
  expect(requests.some(({ url }) => url.includes("control/freezes"))).toBe(false);
});

it("SERV-023: the footer counts the own company, the root of the tree", async () => {
  stubServer({
    ...asUser(anAccess("admin"), { company: { ...company, is_dealer: true } }),
    "company/list": () =>
      answer({
        companies: {
          data: [inTree(4, 0), inTree(5, 0)],
          current_page: 1,
          last_page: 1,
          per_page: 100,
          total: 2,
        },
        parent: inTree(3, 2),
        states: { all: 3, ending: 0, expired: 0, off: 0, demo: 0, deleted: 0 },
      }),
  });
  await loadSession();
  await draw(<CompaniesPage />);

  const foot = await found(() => document.querySelector(".grid-pages"));
  expect(foot.textContent).toContain("1 – 3 of 3");
});
