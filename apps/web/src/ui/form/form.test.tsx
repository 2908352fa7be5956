// @vitest-environment happy-dom
import { users } from "@metrum/contract/access";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { exchange } from "#lib/call";
import { startSession } from "#lib/token";
import { NumberField, SelectField, TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { FormDialog, useForm } from "./index.ts";

useScreen("settings");
beforeEach(() => startSession("token"));

const stored = { name: "Bat", phone: "+976", length: 8 as number | null, role: "viewer" };
const roles = ["viewer", "engineer"].map((value) => ({ value, title: `Role ${value}` }));
/** Values stored meanwhile by another user. */
let meanwhile = stored;
const saved = vi.fn();

function useSample() {
  const [now, setNow] = useState(stored);
  return useForm({
    stored: now,
    required: ["name"],
    check: ({ phone }) => ({ phone: phone.startsWith("+") ? undefined : "plus" }),
    words: (code) => (code === "plus" ? "Begins with a plus" : undefined),
    send: (values, options) => exchange(users.settings, { body: { settings: values } }, options),
    onSaved: () => {
      saved();
      setNow(meanwhile);
    },
    onConflict: () => {
      setNow(meanwhile);
      return Promise.resolve();
    },
  });
}

function Fields({ form }: { readonly form: ReturnType<typeof useSample> }) {
  return (
    <>
      <TextField label="Name" {...form.field("name")} />
      <TextField label="Phone" {...form.field("phone")} />
      <NumberField label="Length" min={8} max={64} {...form.field("length")} />
      <SelectField label="Role" options={roles} {...form.field("role")} />
    </>
  );
}

function Panel() {
  const form = useSample();
  return (
    <SettingsForm title="Sample" form={form}>
      <Fields form={form} />
      <a href="#/elsewhere">Elsewhere</a>
    </SettingsForm>
  );
}

function Edit({ onClose }: { readonly onClose: () => void }) {
  const form = useSample();
  return (
    <FormDialog form={form} title="Sample" action="Store" onClose={onClose}>
      <Fields form={form} />
    </FormDialog>
  );
}

beforeEach(() => {
  meanwhile = stored;
  saved.mockClear();
});

const bodyOf = async (request: Request | undefined) =>
  ((await request?.json()) as { settings: object } | undefined)?.settings;

it("a draft is the difference from the stored values: restoring them or discarding makes it clean", async () => {
  await draw(<Panel />);
  await type(field("Name"), "Bold");
  expect(says("Not saved")).toBe(true);
  await type(field("Name"), "Bat");
  expect(says("Not saved")).toBe(false);

  await type(field("Length"), "12");
  expect(says("Not saved")).toBe(true);
  await click(button("Discard"));

  expect([says("Not saved"), field("Length").value]).toEqual([false, "8"]);
});

it("nothing is sent without changes", async () => {
  const requests = stubServer({});
  await draw(<Panel />);

  await click(button("Save"));

  await found(() => says("Nothing has changed"));
  expect(requests).toEqual([]);
});

it("a form is busy until the answer, sends once, shows the server's message and is clean afterwards", async () => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    sent.push(init.body);
    await held;
    return answer({ settings: {} }, 200, { msg: "Stored well" });
  });
  meanwhile = { ...stored, name: "Bold" };
  await draw(<Panel />);
  await type(field("Name"), "Bold");

  await press("Enter", { ctrlKey: true });
  await press("Enter");
  expect(button("Save").getAttribute("aria-busy")).toBe("true");
  letGo();

  await found(() => says("Stored well"));
  expect(sent).toEqual([JSON.stringify({ settings: { ...stored, name: "Bold" } })]);
  await found(() => button("Save").getAttribute("aria-busy") === null);
  expect([says("Not saved"), saved.mock.calls.length]).toEqual([false, 1]);
});

it("faults are shown at their fields, the first has the focus, and correcting one removes it", async () => {
  const requests = stubServer({});
  await draw(<Panel />);
  await type(field("Phone"), "976");
  await type(field("Name"), " ");
  await click(button("Save"));

  await found(() => document.activeElement === field("Name"));
  expect([faultAt(field("Name")), faultAt(field("Phone"))]).toEqual([
    "Fill in this field",
    "Begins with a plus",
  ]);
  await type(field("Name"), "Bold");
  expect([faultAt(field("Name")), faultAt(field("Phone"))]).toEqual([undefined, "Begins with a plus"]);
  expect(requests).toEqual([]);
});

it("a changed field is checked when it loses the focus, an unchanged one is not", async () => {
  await draw(<Panel />);
  field("Name").focus();
  await type(field("Phone"), "976");
  expect(faultAt(field("Phone"))).toBeUndefined();
  await click(field("Name"));

  expect([faultAt(field("Name")), faultAt(field("Phone"))]).toEqual([undefined, "Begins with a plus"]);
});

it("refusals of the server are shown at their fields, and all input is kept", async () => {
  const attributes = { phone: ["Nobody answers there"], "length.of": ["unknown_code"] };
  stubServer({ "user/settings": () => refusal(422, "wrong_input", "Some fields are wrong", attributes) });
  await draw(<Panel />);
  await type(field("Name"), "Bold");
  await click(button("Save"));

  await found(() => document.activeElement === field("Phone"));
  expect(faultAt(field("Phone"))).toBe("Nobody answers there");
  expect(faultAt(field("Length"))).toBe("Some fields are wrong");
  expect(field("Name").value).toBe("Bold");
});

it("a number outside its limits becomes the limit", async () => {
  const requests = stubServer({ "user/settings": () => answer({ settings: {} }) });
  await draw(<Panel />);
  await type(field("Length"), "100");
  await press("Enter");

  await found(() => saved.mock.calls.length > 0);
  expect(await bodyOf(requests[0])).toMatchObject({ length: 64 });
});

it("leaving the screen asks for confirmation while something is unsaved", async () => {
  const router = await draw(<Panel />);
  await type(field("Name"), "Bold");
  await click(document.querySelector("a") ?? document.body);
  await found(() => says("Leave without saving?"));
  await click(button("Cancel"));
  expect([router.state.location.pathname, field("Name").value]).toEqual(["/", "Bold"]);

  await click(document.querySelector("a") ?? document.body);
  await found(() => says("Leave without saving?"));
  await click(button("Leave"));

  await found(() => router.state.location.pathname === "/elsewhere");
});

it("UI-062: Escape asks for confirmation only if the form has input", async () => {
  const onClose = vi.fn();
  await draw(<Edit onClose={onClose} />);
  field("Name").focus();
  await press("Escape");
  expect(onClose).toHaveBeenCalledTimes(1);

  await type(field("Name"), "Bold");
  await press("Escape");
  await found(() => says("Leave without saving?"));
  await press("Escape");
  await found(() => !says("Leave without saving?"));
  expect([onClose.mock.calls.length, field("Name").value]).toEqual([1, "Bold"]);

  await click(button("Close"));
  await found(() => says("Leave without saving?"));
  await click(button("Leave"));

  await found(() => onClose.mock.calls.length === 2);
});

it("on a conflict both versions are shown: the input stays, the stored version is below", async () => {
  meanwhile = { ...stored, name: "Dorj", phone: "+7", role: "engineer" };
  let isLate = true;
  const requests = stubServer({
    "user/settings": () =>
      isLate ? refusal(409, "conflict", "Somebody was faster") : answer({ settings: {} }),
  });
  await draw(<Edit onClose={() => undefined} />);
  await type(field("Name"), "Bold");
  await click(button("Store"));

  await found(() => says("Another user has changed this meanwhile"));
  expect([field("Name").value, faultAt(field("Name"))]).toEqual(["Bold", "Stored value: Dorj"]);
  expect([field("Phone").value, field("Role").value]).toEqual(["+7", "engineer"]);
  expect(document.activeElement).toBe(field("Name"));

  isLate = false;
  await click(button("Store"));
  await found(() => saved.mock.calls.length > 0);
  expect(await bodyOf(requests[1])).toEqual({ ...meanwhile, name: "Bold" });
});

it("on a conflict the stored version can be taken instead", async () => {
  meanwhile = { ...stored, role: "engineer" };
  stubServer({ "user/settings": () => refusal(409, "conflict", "Somebody was faster") });
  await draw(<Panel />);
  await type(field("Role"), "engineer");
  await type(field("Name"), "Bold");
  await click(button("Save"));
  await click(await found(() => says("Use the stored values") && button("Use the stored values")));

  expect([field("Name").value, field("Role").value]).toEqual(["Bat", "engineer"]);
  expect([says("Not saved"), says("meanwhile")]).toEqual([false, false]);
});
