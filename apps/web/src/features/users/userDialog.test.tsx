// @vitest-environment happy-dom
import { members, users, type Member } from "@metrum/contract/access";
import { beforeEach, expect, it, vi } from "vitest";
import { callOptions, queryClient } from "#lib/call";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { UserDialog } from "./UserDialog.tsx";

useScreen("users");
const onClose = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  startSession("token");
});

const member: Member = {
  id: 7,
  name: "Bat",
  email: "bat@metrum.example",
  phone_number: null,
  user_time_zone: null,
  timezone: null,
  timezone_name: null,
  language: "mn",
  first_login: false,
  "2fa_enabled": false,
  is_admin: false,
  is_active: true,
  access_group_id: 4,
  access_group_name: "Dispatch",
  is_invited: false,
  last_sign_in_at: null,
  version: 3,
  is_manageable: true,
};
const nothing = { create: [], read: [], update: [], delete: [], access_all: [] };
const groups = [{ id: 4, name: "Dispatch", access_rules: nothing, users_count: 1, version: 1 }];

async function open(given: Member | null, answers: Readonly<Record<string, () => Response>>) {
  const requests = stubServer({ ...asUser(anAccess("admin")), ...answers });
  await loadSession();
  await draw(<UserDialog member={given} groups={groups} onClose={onClose} />);
  return async (path: string): Promise<unknown> => requests.findLast(({ url }) => url.endsWith(path))?.json();
}

it("SERV-024: the input becomes a valid invitation; Ctrl+Enter sends it", async () => {
  const sent = await open(null, { "user/create": () => answer({ user: member }, 200, { msg: "Invited" }) });
  expect(document.activeElement).toBe(field("Name"));
  await type(field("Name"), " Bat ");
  await type(field("E-mail"), "bat@metrum.example");
  await type(field("Rights"), "4");
  await press("Enter", { ctrlKey: true });

  await found(() => onClose.mock.calls.length === 1);
  const body = await sent("user/create");
  expect(body).toMatchObject({
    name: " Bat ",
    email: "bat@metrum.example",
    phone_number: null,
    is_admin: false,
    access_group_id: 4,
    language: "ru",
    timezone_name: null,
  });
  expect(members.create.body?.safeParse(body).success).toBe(true);
  expect(says("Invited")).toBe(true);
});

it("SERV-024: a refusal is shown at its field and the input is kept", async () => {
  const words = "This address cannot be used, enter another one";
  await open(null, {
    "user/create": () => refusal(422, "email_unavailable", words, { email: ["email_unavailable"] }),
  });
  await type(field("Name"), "Somebody");
  await type(field("E-mail"), "viewer@metrum.example");
  await click(button("Send the invitation"));

  await found(() => faultAt(field("E-mail")) === words);
  expect(document.activeElement).toBe(field("E-mail"));
  expect([field("Name").value, onClose.mock.calls.length]).toEqual(["Somebody", 0]);
});

it("SERV-024: without a name or an address nothing is sent", async () => {
  const sent = await open(null, {});
  await type(field("E-mail"), "nobody");
  await click(button("Send the invitation"));

  expect(faultAt(field("Name"))).toBe("Fill in this field");
  expect(faultAt(field("E-mail"))).toBe("Enter an address such as name@example.com");
  expect(await sent("user/create")).toBeUndefined();
});

it("rights that the caller lacks are refused at the choice of the group", async () => {
  const attributes = { access_group_id: ["admin_group"] };
  await open(member, { "user/update": () => refusal(422, "wrong_input", "Not these rights", attributes) });
  await type(field("Rights"), "admin");
  await click(button("Save"));

  await found(() => faultAt(field("Rights")) === "Not these rights");
});

it("on a conflict both versions of a user are shown, and the stored one can be overwritten", async () => {
  const theirs = { ...member, name: "Bat-Erdene", phone_number: "+976", version: 4 };
  let isLate = true;
  const list = { users: [member], total: 1 };
  const sent = await open(member, {
    "user/update": () => (isLate ? refusal(409, "conflict", "Late") : answer({ user: theirs })),
    "company/users": () => answer(list),
  });
  // The list from which the dialog was opened.
  const query = { body: { page: 1 } };
  await queryClient.query(callOptions(users.list, query));
  list.users = [theirs];
  queryClient.setQueryData(callOptions(users.list, query).queryKey, list);
  await type(field("Name"), "Bold");
  await click(button("Save"));

  await found(() => says("Another user has changed this meanwhile"));
  expect([field("Name").value, faultAt(field("Name"))]).toEqual(["Bold", "Stored value: Bat-Erdene"]);
  expect(field("Phone").value).toBe("+976");
  isLate = false;
  await click(button("Save"));

  await found(() => onClose.mock.calls.length === 1);
  expect(await sent("user/update")).toMatchObject({ id: 7, version: 4, name: "Bold", phone_number: "+976" });
});
