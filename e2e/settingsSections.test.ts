import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { ask, newToken, useBrowser, type Visit } from "./journey.ts";

const { visit } = useBrowser();

let token: string;
beforeAll(async () => {
  token = await newToken("admin");
});
afterAll(async () => {
  for (const { id } of await servers())
    await ask(`company/network_server/${String(id)}`, { method: "DELETE", token });
});

interface Server {
  readonly id: number;
  readonly state: string;
  readonly state_reason: string | null;
}

async function servers(): Promise<readonly Server[]> {
  const { data } = await ask("company/network_servers", { method: "GET", token });
  return data["network_servers"] as readonly Server[];
}

const open = async (section: "mqtt" | "lorawan", wish: Visit = {}) => {
  const page = await visit({ token, at: `/cloud/company-settings/${section}`, ...wish });
  await page.locator(".settings-panel").first().waitFor();
  await page.waitForLoadState("networkidle");
  return page;
};
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const answers = (path: string, data: unknown) => (page: Page) =>
  page.route(`**/api/${path}`, (route) => route.fulfill({ json: { data, msg: "" } }));

const aServer = (id: number, more: object) => ({
  id,
  kind: "chirpstack",
  name: `Server ${String(id)}`,
  is_active: true,
  url: "mqtts://lora.example:8883",
  username: "metrum",
  has_secret: true,
  state: "connected",
  state_reason: null,
  state_message: "",
  state_at: 1_795_000_000,
  ...more,
});

describe("network servers", () => {
  it("a server is added on the page, which explains why it is not connected", async () => {
    const page = await open("lorawan");
    await press(page, "Add a server");
    await press(page, "Save");
    await page.getByText("Enter the name of the server").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("City water");
    await page.getByLabel("Application and tenant: application@tenant").fill("meters@city");
    await page.getByLabel("Address").fill("mqtt://lora.example:1883");
    await press(page, "Save");
    await page.getByText(/An address mqtts:\/\/host on the public network is needed/).waitFor();
    await page.getByLabel("Address").fill("mqtts://no-such-host.invalid:8883");

    await press(page, "Save");

    const row = page.locator(".settings-row").filter({ hasText: "City water" });
    await row.getByText("The host name could not be resolved. Check the address.").waitFor();
    await row.getByText("Out of reach").waitFor();
    expect(await servers()).toMatchObject([{ state: "unreachable", state_reason: "name_unknown" }]);
    const mongolian = await open("lorawan", { language: "mn" });
    await mongolian.getByText("Ийм нэртэй хост алга. Хаягийг шалгана уу.").waitFor();
  });
});

describe("the account of the broker", () => {
  it("an issued password is shown once; without a clipboard the page says how to copy it", async () => {
    const page = await open("mqtt", {
      isNew: true,
      before: async (fresh) => {
        await fresh.addInitScript(() => {
          Object.defineProperty(navigator, "clipboard", { value: undefined });
        });
      },
    });
    await page.getByRole("button", { name: /^Issue a (new )?password$/ }).click();
    await page.getByRole("button", { name: "Issue", exact: true }).click();
    const secret = await page.locator(".shown-once code").innerText();

    await press(page, "Copy");

    await page.getByText("The browser did not allow copying: select the text and copy it yourself").waitFor();
    await press(page, "I have saved it");
    await page.getByText(/^Issued \d\d\.\d\d\.\d{4} \d\d:\d\d, /).waitFor();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await page.getByText(secret).count()).toBe(0);
  });

  it("shows the encrypted address if there is one", async () => {
    const account = {
      username: "c1",
      prefix: "c/1/",
      has_password: false,
      issued_at: null,
      issued_by: null,
      refusals: [],
    };
    const page = await open("mqtt", {
      before: answers("company/mqtt_account", {
        ...account,
        address: { host: "meters.example", port: 1883, tls_port: 8883 },
      }),
    });

    await page.getByText("meters.example:1883", { exact: true }).waitFor();
    await page.getByText("mqtts://meters.example:8883", { exact: true }).waitFor();
  });

  it("stays visible when the mappings fail to load", async () => {
    const page = await open("mqtt", {
      before: async (fresh) => {
        await fresh.route("**/api/company/mqtt_mappings", (route) =>
          route.fulfill({ status: 500, json: { data: null, msg: "broken", code: "internal" } }),
        );
      },
    });

    await page.getByText("The mappings could not be loaded").waitFor();
    await page.getByText("User name").waitFor();
  });
});

it("UI-070: axe finds nothing on the sections LoRaWAN and MQTT in both themes, at 1440 and at 360 px", async () => {
  const lorawan = await open("lorawan", {
    before: answers("company/network_servers", {
      network_servers: [
        aServer(1, {}),
        aServer(2, { state: "refused", state_reason: "sign_in", state_message: "Not authorized" }),
        aServer(3, { state: "unreachable", state_reason: "closed" }),
        aServer(4, { state: "waiting", state_at: null, is_active: false }),
      ],
    }),
  });
  await lorawan.getByText("Server 4", { exact: true }).waitFor();
  await press(lorawan, "Add a server");
  await press(lorawan, "Save");
  const mqtt = await open("mqtt");
  await press(mqtt, "Add a mapping");
  await mqtt.getByText("Nothing is stored.").waitFor();

  expect([await violationsOfLooks(lorawan), await violationsOfLooks(mqtt)]).toEqual([{}, {}]);
});
