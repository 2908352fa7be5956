// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "../../testing/browser.ts";
import { draw, found, useScreen } from "../../testing/dom.tsx";
import { aCompany, anAccess, asUser } from "../../testing/session.ts";
import { CompaniesPage } from "./CompaniesPage.tsx";

useScreen("companies", "grid");
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
