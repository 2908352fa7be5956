import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { ask, eventually, listDevices, newToken, useBrowser, type Visit } from "./journey.ts";

const { visit, tokenOf } = useBrowser();
const lent = new Map<number, string>();

afterEach(async () => {
  for (const [device_id, token] of lent) await switchPort(token, device_id, false);
  lent.clear();
});

interface Meter {
  readonly id: number;
  readonly name: string;
  readonly inside_addr: string;
  readonly gateway: { readonly id: number } | null;
}

/** Meters of the park behind Modbus TCP converters, whose lines the server opens itself. */
async function meters(): Promise<readonly Meter[]> {
  const { data } = await listDevices(await tokenOf("engineer"), { search_string: "EM24" });
  const closing = data.map(async ({ id }) => {
    const { data } = await ask(`device/metering_device/${String(id)}`, {
      method: "GET",
      token: await tokenOf("engineer"),
    });
    return data["metering_device"] as Meter;
  });
  return Promise.all(closing);
}

async function first(): Promise<Meter> {
  const [meter] = await meters();
  if (!meter) throw new Error("the demonstration has no EM24");
  return meter;
}

function switchPort(token: string, device_id: number, on: boolean) {
  return ask("device/transparent_listener_switch", { token, body: { device_id, on } });
}

const pageOf = (meter: Meter, more: Visit = {}) =>
  visit({ as: "engineer", at: `/cloud/devices/data/${String(meter.id)}`, ...more });

async function offer(page: Page) {
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await page.getByRole("menuitem", { name: /Transparent port/ }).click();
  return page.getByRole("dialog", { name: /Transparent port: / });
}

/** Reads two input registers of a meter over Modbus TCP and returns its answer. */
async function askMeter(address: string, unit: number): Promise<Buffer> {
  const [host = "", port = ""] = address.split(":");
  const socket = connect({ host, port: Number(port), localAddress: "127.0.0.1" });
  await once(socket, "connect");
  socket.write(Uint8Array.from([0, 1, 0, 0, 0, 6, unit, 4, 0, 0, 0, 2]));
  const answer = await new Promise<Buffer>((resolve, reject) => {
    socket.once("data", resolve).once("close", () => reject(new Error("the port was closed")));
  });
  socket.destroy();
  return answer;
}

test("CTRL-019 CTRL-020 CTRL-021: a port opened on the page carries bytes to the meter, counts them, and is closed there", async () => {
  const meter = await first();
  const page = await pageOf(meter);
  lent.set(meter.id, await tokenOf("engineer"));

  const dialog = await offer(page);
  await dialog.getByText(/no meter on the line is polled/).waitFor();
  await dialog.getByRole("button", { name: "Open the port" }).click();
  const address = await dialog.locator("code").innerText();
  const answer = await askMeter(address, Number(meter.inside_addr));

  expect([...answer.subarray(6, 9)]).toEqual([Number(meter.inside_addr), 4, 4]);
  expect(await dialog.getByRole("timer").innerText()).toMatch(/^(60:00|5\d:\d\d) left$/);
  const facts = dialog.locator(".fact-lines");
  // The page polls at intervals, also between request and answer.
  await eventually(() => facts.innerText()).toMatch(/Bytes to the line\s+12[^]*Bytes from the line\s+13/);
  await dialog.getByRole("button", { name: "Close the port" }).click();
  await dialog.getByText("The port is closed: manually").waitFor();
});

test("a reopened dialog finds its port again; a line already in use is explained", async () => {
  const all = await meters();
  const [meter, other] = all.flatMap((each) => {
    const same = all.find(({ id, gateway }) => id !== each.id && gateway?.id === each.gateway?.id);
    return same ? [each, same] : [];
  });
  if (!meter || !other) throw new Error("the demonstration has no two EM24 behind one converter");
  const page = await pageOf(meter);
  const token = await newToken("engineer");
  lent.set(other.id, token).set(meter.id, token);
  expect((await switchPort(token, other.id, true)).status).toBe(200);

  const dialog = await offer(page);
  await dialog.getByRole("button", { name: "Open the port" }).click();
  const refusal = await dialog.getByRole("alert").innerText();
  await switchPort(token, other.id, false);
  await dialog.getByRole("button", { name: "Open the port" }).click();
  const address = await dialog.locator("code").innerText();
  await dialog.getByRole("button", { name: "Close the window" }).click();
  const again = await offer(page);

  expect(refusal).toMatch(/in use by another transparent port[^]*Close the other port/);
  expect(await again.locator("code").innerText()).toBe(address);
});

test("CTRL-022: a port is not offered without the right to control, nor for a device that only sends", async () => {
  const { data } = await listDevices(await tokenOf("engineer"), { search_string: "WP-" });
  const [counter] = data;
  const { data: engineer } = await ask("user/access", { method: "GET", token: await tokenOf("engineer") });
  const rules = { create: [], read: [4], update: [], delete: [], access_all: [] };
  const reader = {
    ...engineer,
    is_admin: false,
    access_group: { id: 1, name: "Readers", access_rules: rules },
  };
  const watching = await pageOf(await first(), {
    before: async (fresh) => {
      await fresh.route("**/api/user/access", (route) => route.fulfill({ json: { data: reader, msg: "" } }));
    },
  });
  const sending = await visit({ as: "engineer", at: `/cloud/devices/data/${String(counter?.id)}` });

  // All actions of a device are drawn at once.
  await watching.getByRole("button", { name: "Actions", exact: true }).click();
  await watching.getByRole("menuitem", { name: "Read device information" }).waitFor();
  expect(await watching.getByRole("menuitem", { name: /Transparent port/ }).count()).toBe(0);
  await sending.getByRole("button", { name: "Control…" }).waitFor();
  expect(await sending.getByRole("button", { name: "Actions", exact: true }).count()).toBe(0);
});

/** As listed by the server; an arbitrary one could take the line from other tests. */
const anOpenPort = (meter: Meter) => ({
  id: 1,
  device_id: meter.id,
  model_class_id: 1,
  model_id: 1,
  name: meter.name,
  company_name: "Company",
  user_name: "Engineer",
  host: "metrum.example",
  port: 20001,
  is_active: true,
  address: "203.0.113.45",
  opened_at: 1_795_000_000,
  ends_at: 1_795_003_600,
  seconds_left: 3600,
  bytes_sent: 12,
  bytes_received: 13,
  end: null,
});

test("UI-070: axe finds nothing on the dialog in both themes, at 1440 and at 360 px", async () => {
  const meter = await first();
  const refused = await pageOf(meter, {
    before: (fresh) =>
      fresh.route("**/api/device/transparent_listener_switch", (route) =>
        route.fulfill({ status: 409, json: { data: null, msg: "All are taken", code: "bridge_full" } }),
      ),
  });
  const dialog = await offer(refused);
  await dialog.getByRole("button", { name: "Open the port" }).click();
  await dialog.getByText(/A port closes after 5 minutes/).waitFor();
  const opened = await pageOf(meter, {
    before: (fresh) =>
      fresh.route("**/api/devices/transparent_list", (route) =>
        route.fulfill({ json: { data: { data: [anOpenPort(meter)], total: 1 }, msg: "" } }),
      ),
  });
  await (await offer(opened)).locator("code").waitFor();

  const look = { root: "dialog[open]" };
  expect([await violationsOfLooks(refused, look), await violationsOfLooks(opened, look)]).toEqual([{}, {}]);
});
