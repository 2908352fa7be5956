import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { address, ask, eventually, newToken, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();
/** The same platform under a different host name, so that other tests do not see this design. */
const host = "localhost";
const branded = address.replace("127.0.0.1", host);
const picture = {
  name: "logo.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

/** Properties for every visitor of the host, requested as a browser there does. */
async function designHere(): Promise<Record<string, unknown>> {
  const response = await fetch(`${branded}/api/personal_design`);
  return ((await response.json()) as { readonly data: Record<string, unknown> }).data;
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Not saved").waitFor({ state: "detached" });
}

const choose = (page: Page, group: string) =>
  page.getByRole("group", { name: group, exact: true }).locator("input[type=file]").setInputFiles(picture);

it("PROD-012 PROD-017 PROD-031 PROD-032 PROD-033: staff and an administrator set the branding, the host shows it, and it is removed", async () => {
  const token = await newToken("engineer");
  const { data } = await ask("user/company", { method: "GET", token: await tokenOf("engineer") });
  const { id, name } = data["company"] as { id: number; name: string };

  const staff = await visit({ as: "admin", at: `/cloud/administration/companies?q=${String(id)}` });
  await staff.getByRole("link", { name: `Design: ${name}`, exact: true }).click();
  await staff.getByLabel("Hosts").fill(host);
  await save(staff);

  const own = await visit({ token, at: "/cloud/company-settings" });
  await own.getByRole("link", { name: /^Design/ }).click();
  await own.getByText(`Shown on ${host}`).waitFor();
  expect(await own.getByLabel("Hosts").count(), "hosts are for staff").toBe(0);
  await own.getByLabel("Product name").fill("Warm Rivers");
  await own.getByLabel("Help link").fill("https://help.example/");
  for (const group of [
    "Logo, Russian",
    "Logo, other languages",
    "Logo of the sign-in pages",
    "Icon of the browser tab",
  ])
    await choose(own, group);
  await save(own);

  const design = await designHere();
  expect(design).toMatchObject({ title: "Warm Rivers", linkToHelp: "https://help.example/" });
  const page = await visit({ isNew: true });
  await page.goto(branded);
  await page.locator(`img[src="${String(design["logo_auth"])}"]`).waitFor();
  await eventually(() => page.title()).toContain("Warm Rivers");
  await eventually(() => page.locator("link[rel=icon]").getAttribute("href")).toBe(design["favicon"]);
  await page.evaluate((given) => {
    localStorage.setItem("metrum.token", given);
    localStorage.setItem("metrum.language", "en");
  }, token);
  await page.goto(`${branded}/#/cloud/devices`);
  await page.reload();
  const logo = page.locator(".shell-logo img");
  await logo.waitFor();
  expect(await logo.getAttribute("src")).toBe(design["logo_cloud_en"]);
  await eventually(() => page.title()).toBe("Devices · Warm Rivers");

  await own.getByLabel("Product name").fill("");
  await own.getByLabel("Help link").fill("");
  while ((await own.getByRole("button", { name: "Remove", exact: true }).count()) > 0)
    await own.getByRole("button", { name: "Remove", exact: true }).first().click();
  await save(own);
  expect(await designHere()).toMatchObject({
    title: "Metrum",
    logo_cloud: null,
    logo_cloud_en: null,
    logo_auth: null,
    favicon: null,
  });
  await staff.reload();
  await staff.getByLabel("Hosts").fill("");
  await save(staff);
  expect(await designHere()).toMatchObject({ is_default: true });
});

it("PROD-014: the script of a branding runs only at its host, from the same origin", async () => {
  const token = await tokenOf("admin");
  const { data } = await ask("user/company", { method: "GET", token: await tokenOf("engineer") });
  const { id } = data["company"] as { id: number };
  const form = new FormData();
  form.set("company_id", String(id));
  form.set("hosts", host);
  const text = "document.documentElement.dataset.brandScript = document.currentScript.src;";
  form.set("script", new Blob([text], { type: "text/javascript" }), "brand.js");
  const saved = await fetch(`${address}/api/personal_design`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(saved.status).toBe(200);
  const { script } = await designHere();
  const ran = (page: Page) => page.evaluate(() => document.documentElement.dataset["brandScript"] ?? null);

  const page = await visit({ isNew: true });
  await page.goto(branded);
  await eventually(() => ran(page)).toBe(`${branded}${String(script)}`);
  const elsewhere = await visit();
  await elsewhere.getByRole("button", { name: "Sign in", exact: true }).waitFor();

  expect(await ran(elsewhere)).toBeNull();
  await ask("personal_design", { method: "PUT", token, body: { company_id: id, script: null, hosts: [] } });
  expect(await designHere()).toMatchObject({ is_default: true, script: null });
});
