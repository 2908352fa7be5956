import { listViews, viewBounds, type ListViewRow } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
const tokens = { engineer: "", operator: "", viewer: "" };
beforeAll(async () => {
  api = await openTestApi();
  await sql`update access_group set access_rules = '{"read": [4]}' where name = 'No rights'`.execute(
    api.services.database.system,
  );
  for (const name of ["engineer", "operator", "viewer"] as const)
    tokens[name] = await api.token(`${name === "viewer" ? "norights" : name}@metrum.example`);
});
afterAll(() => api.close());

type Who = keyof typeof tokens;
const state = {
  q: "water",
  sort: { field: "last_data", desc: false },
  filters: { state: ["silent", "never"] },
  cols: ["name", "state", "last_data"],
};
const read = async (who: Who, list: "devices" | "gateways" = "devices") =>
  (await api.ask(listViews.list, { token: tokens[who], input: { body: { list } } })).data;
const add = (who: Who, name: string, is_shared = false) =>
  api.ask(listViews.create, {
    token: tokens[who],
    input: { body: { list: "devices", name, state, is_shared } },
  });
const change = (who: Who, id: number, fields: Partial<Pick<ListViewRow, "name" | "is_shared">>) =>
  api.ask(listViews.update, { token: tokens[who], input: { body: { id, ...fields } } });
const remove = (who: Who, id: number) =>
  api.ask(listViews.delete, { token: tokens[who], input: { body: { id } } });
const namesOf = (views: readonly ListViewRow[]) => views.map(({ name }) => name);

it("a view keeps search, filters, sort and columns of its list, for its user alone", async () => {
  const { data, msg } = await add("viewer", " Silent water ");

  expect(msg).not.toBe("");
  expect(data.view).toMatchObject({ name: "Silent water", state, is_shared: false, may_change: true });
  expect((await read("viewer")).views).toEqual([data.view]);
  expect((await read("viewer", "gateways")).views).toEqual([]);
  expect((await read("engineer")).views).toEqual([]);
  expect((await remove("engineer", data.view.id)).code).toBe("not_found");
});

it("a view of the company is seen by all who read the list, and changed by those who may change the devices", async () => {
  expect((await add("viewer", "Ours", true)).code).toBe("right_missing");

  const { view } = (await add("engineer", "Ours", true)).data;

  const seen = await read("viewer");
  expect(namesOf(seen.views)).toEqual(["Silent water", "Ours"]);
  expect([seen.may_share, seen.views[1]?.may_change]).toEqual([false, false]);
  expect((await read("operator")).may_share).toBe(true);
  expect((await change("viewer", view.id, { name: "Mine" })).code).toBe("right_missing");
  expect((await remove("viewer", view.id)).code).toBe("right_missing");
  expect((await change("operator", view.id, { name: "Of all" })).data.view).toMatchObject({
    name: "Of all",
    state,
    is_shared: true,
  });
  const { rows } = await sql<{ action: string; before: object }>`
    select action, before from audit where action like 'listView.%' order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ action }) => action)).toEqual(["listView.save", "listView.save"]);
  expect(rows[1]?.before).toMatchObject({ name: "Ours", filters: state.filters });
});

it("a shared view taken back is of its user again; another of the same name is refused at its field", async () => {
  const { view } = (await add("operator", "Back")).data;
  await change("operator", view.id, { is_shared: true });
  expect(namesOf((await read("engineer")).views)).toContain("Back");

  await change("operator", view.id, { is_shared: false });

  expect(namesOf((await read("engineer")).views)).not.toContain("Back");
  const again = await add("operator", "back");
  expect([again.status, again.code, Object.keys(again.attributes)]).toEqual([
    409,
    "view_name_taken",
    ["name"],
  ]);
  const other = (await add("operator", "Other")).data.view;
  expect((await change("operator", other.id, { name: "BACK" })).code).toBe("view_name_taken");
  expect((await remove("operator", other.id)).status).toBe(200);
});

it("a user and a company have limits, each their own", async () => {
  const { system } = api.services.database;
  const fill = (user: string | null, n: number) => sql`
    insert into list_view (company_id, user_id, list, name, state)
    select company_id, case when ${user}::text is null then null else id end, 'tasks', 'n' || n, '{}'
    from users, generate_series(1, ${n}::int) n where email = coalesce(${user}::text, 'engineer@metrum.example')`;
  await fill("engineer@metrum.example", viewBounds.own).execute(system);

  const own = await add("engineer", "One more");
  const shared = await add("engineer", "One for all", true);
  await fill(null, viewBounds.shared - 2).execute(system);
  const full = await add("operator", "Full", true);

  expect([own.code, shared.status, full.code]).toEqual(["view_limit", 200, "view_limit"]);
  expect(full.msg).toContain(String(viewBounds.shared));
});

it("an unknown list and a misshapen state are refused by name; shared views need the right to the list", async () => {
  const token = tokens.engineer;
  const unknown = await api.ask(listViews.list, { token, input: { body: { list: "meters" as "devices" } } });
  const wrong = await api.ask(listViews.create, {
    token,
    input: {
      body: {
        list: "devices",
        name: "",
        state: { ...state, sort: "name" as unknown as null },
        is_shared: false,
      },
    },
  });
  const { system } = api.services.database;
  await sql`insert into list_view (company_id, list, name, state)
    values (${api.companies.first}, 'users', 'Fitters', '{"q": "", "sort": null, "filters": {}, "cols": null}')`.execute(
    system,
  );
  const ofUsers = async (who: Who) =>
    (await api.ask(listViews.list, { token: tokens[who], input: { body: { list: "users" } } })).data;

  expect(Object.keys(unknown.attributes)).toEqual(["list"]);
  expect(Object.keys(wrong.attributes).sort()).toEqual(["name", "state.sort"]);
  expect(namesOf((await ofUsers("engineer")).views)).toEqual(["Fitters"]);
  expect(await ofUsers("viewer")).toEqual({ views: [], may_share: false });
});
