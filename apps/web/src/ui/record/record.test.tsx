// @vitest-environment happy-dom
import { users } from "@metrum/contract/access";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { defineRecord, filled, RecordDialog, rowsOf } from "./index.ts";

useScreen("settings");
beforeEach(() => startSession("token"));

const fresh = { name: "", kind: 1, login: "", host: "", pause: null as number | null, every: 60 };
type Values = typeof fresh;
type Stored = Partial<Values> & { readonly id: number };

const { text, number, select, period, where } = rowsOf<Values, { readonly kinds: readonly number[] }>();
const signsIn = ({ kind }: Values) => kind === 2;
const permits = vi.fn(() => true);

const sample = defineRecord<Stored, Values, object, { readonly kinds: readonly number[] }>()({
  texts: ["settings"],
  titles: "sample",
  size: 450,
  title: (of) => (of ? `Edit ${String(of.id)}` : "New"),
  action: ["Add it", "Save it"],
  values: (of) => filled(fresh, of),
  useAsked: () => ({ kinds: [1, 2] }),
  required: (values) => (signsIn(values) ? ["name", "login"] : ["name"]),
  rows: [
    text("name", { most: 20, title: "Name" }),
    select("kind", ({ kinds }) => kinds.map((of) => ({ of, title: `Kind ${String(of)}` })), {
      title: "Kind",
      sets: (kind) => ({ pause: kind }),
    }),
    ...where(
      signsIn,
      text("login", { most: 20, title: "Login" }),
      ...where(({ name }) => name === "", text("host", { most: 20, title: "Host" })),
    ),
    number("pause", { title: "Pause" }),
    period("every", [60, 3600], { title: "Every" }),
  ],
  isPermitted: permits,
  body: (values) => values,
  add: (body, ask) => ask(users.settings, { body: { settings: { ...body } } }),
  change: (of, changed, ask) => ask(users.settings, { body: { settings: { id: of.id, ...changed } } }),
  refresh: () => Promise.resolve(),
});

const stored: Stored = { id: 7, name: "Bat", every: 90 };
const sentIn = async (request: Request | undefined) =>
  ((await request?.clone().json()) as { settings: object } | undefined)?.settings;
const nothing = () => undefined;

it("a field that others make necessary is asked for and sent; a choice sets other fields", async () => {
  const requests = stubServer({ "user/settings": () => answer({ settings: {} }) });
  await draw(<RecordDialog form={sample} record={null} given={{}} onClose={nothing} />);
  expect(says("Login")).toBe(false);
  await type(field("Kind"), "2");
  expect([says("Login"), says("Host")]).toEqual([true, true]);
  await type(field("Name"), "Bold");
  expect([says("Login"), says("Host")]).toEqual([true, false]);
  await click(button("Add it"));
  expect(faultAt(field("Login"))).toBe("Fill in this field");

  await type(field("Login"), "reader");
  await click(button("Add it"));

  await found(() => requests.length > 0);
  expect(await sentIn(requests[0])).toEqual({
    ...{ name: "Bold", kind: 2, login: "reader", host: "", pause: 2, every: 60 },
  });
});

it("of a change only the fields that differ are sent, and the present period is offered", async () => {
  const requests = stubServer({ "user/settings": () => answer({ settings: {} }) });
  await draw(<RecordDialog form={sample} record={stored} given={{}} onClose={nothing} />);
  const periods = [...field("Every").querySelectorAll("option")].map(({ value }) => value);
  await type(field("Name"), "Bold");
  await click(button("Save it"));

  await found(() => requests.length > 0);
  expect(periods).toEqual(["60", "90", "3600"]);
  expect(await sentIn(requests[0])).toEqual({ id: 7, name: "Bold" });
});

it("without the right nothing is sent and the dialog stays", async () => {
  permits.mockReturnValueOnce(false);
  const requests = stubServer({});
  await draw(<RecordDialog form={sample} record={stored} given={{}} onClose={nothing} />);
  await type(field("Name"), "Bold");
  await click(button("Save it"));

  expect([requests, field("Name").value]).toEqual([[], "Bold"]);
});

function Reloaded() {
  const [record, setRecord] = useState(stored);
  const reload = () => {
    setRecord({ ...stored, name: "Dorj", every: 3600 });
    return Promise.resolve();
  };
  return <RecordDialog form={sample} record={record} given={{}} reload={reload} onClose={nothing} />;
}

it("when another user was faster both versions are shown, and only the own change is sent again", async () => {
  let isLate = true;
  const requests = stubServer({
    "user/settings": () => (isLate ? refusal(409, "conflict", "Late") : answer({ settings: {} })),
  });
  await draw(<Reloaded />);
  await type(field("Name"), "Bold");
  await click(button("Save it"));

  await found(() => says("Another user has changed this meanwhile"));
  expect([faultAt(field("Name")), field("Every").value]).toEqual(["Stored value: Dorj", "3600"]);
  isLate = false;
  await click(button("Save it"));
  await found(() => requests.length > 1);
  expect(await sentIn(requests[1])).toEqual({ id: 7, name: "Bold" });
});
