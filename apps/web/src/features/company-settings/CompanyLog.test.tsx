// @vitest-environment happy-dom
import type { LogRow } from "@metrum/contract/access";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { CompanyLog } from "./CompanyLog.tsx";

useScreen("companySettings", "settings", "grid");
beforeEach(() => startSession("token"));

const row: LogRow = {
  id: 9,
  created_at: 1_790_000_000,
  user_id: 5,
  user_name: "Bat",
  user_company: null,
  entered_from_admin: false,
  staff_name: null,
  action: "user.update",
  action_title: "User changed",
  object_type: "user",
  object_id: "7",
  before: { name: "Old" },
  after: { name: "New" },
  ip_address: "192.0.2.7",
  api_token: null,
  result: "ok",
  result_text: "",
};

async function open(rows: readonly LogRow[]) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "company/log": () =>
      answer({
        log: rows,
        current_page: 1,
        last_page: 1,
        per_page: 25,
        total: rows.length,
        actions: [{ action: "user.update", title: "User changed" }],
        users: [{ id: 5, name: "Bat" }],
      }),
  });
  await loadSession();
  await draw(<CompanyLog />);
  await found(() => says("192.0.2.7"));
  return async (): Promise<unknown> => requests.findLast(({ url }) => url.endsWith("company/log"))?.json();
}
const choices = (label: string) =>
  [...field(label).querySelectorAll("option")].map(({ textContent }) => textContent);

it("SERV-027: filters offer the actions and users that the log contains, and are sent", async () => {
  const sent = await open([row]);

  expect(choices("What")).toEqual(["All actions", "User changed"]);
  expect(choices("Who")).toEqual(["Everybody", "Bat"]);
  await type(field("Who"), "5");
  await found(() => field("Who").value === "5");
  expect(await sent()).toMatchObject({ person_id: 5 });
});

it("a row expands to the values before and after the change", async () => {
  await open([row]);
  await click(document.querySelector<HTMLElement>("tbody tr[data-index]") ?? document.body);

  await found(() => document.querySelector(".log-details del")?.textContent === "Old");
  expect(document.querySelector(".log-details ins")?.textContent).toBe("New");
});

it("staff are named with the represented user, a refusal with its reason", async () => {
  await open([
    { ...row, staff_name: "Anna", entered_from_admin: true, result: "denied", result_text: "No right" },
  ]);

  expect(says("Anna as Bat")).toBe(true);
  expect(says("staff of the provider")).toBe(true);
  expect(says("User changed: No right")).toBe(true);
});
