import { expect, test } from "vitest";
import { ask, eventually, listDevices, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();
/** One of the pulse counters of the park, whose uplinks come through the embedded MQTT broker. */
const counter = { name: "WP-20400", model: "Vega SI-11 (water)" };
/** A reading far from any counter of the park. */
const decoded = 777.25;
const source = `function decodeUplink({ bytes }) { return { data: { in1: ${String(decoded)} + 0 * bytes.length } }; }`;

test("an engineer's codec decodes uplinks received over MQTT, and the value is on the device's page", async () => {
  const token = await tokenOf("engineer");
  const found = async () => (await listDevices(token, { search_string: counter.name })).data[0];
  // Every counter sends at the start of the park.
  await eventually(async () => (await found())?.last_data_at ?? null, 180_000).not.toBeNull();
  const device = await found();
  const page = await visit({ as: "engineer", at: "/cloud/devices/codecs" });

  await page.getByLabel("Device model").selectOption({ label: counter.model });
  await page.getByRole("button", { name: "New codec" }).click();
  await page.getByLabel("Source of the codec, JavaScript").fill(source);
  await page.getByRole("button", { name: "Save and switch on" }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Decode the stored payloads again" }).click();
  await page
    .getByText(/Payloads decoded: /)
    .first()
    .waitFor();
  await page.goto(page.url().replace(/#.*/, `#/cloud/devices/data/${String(device?.id)}`));

  await page
    .locator("td")
    .filter({ hasText: String(decoded) })
    .first()
    .waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(counter.name);

  const { data } = await ask("device/codec/list", { token, body: { per_page: 100 } });
  for (const { id } of (data["codecs"] as { data: readonly { id: number }[] }).data)
    await ask(`device/codec/${String(id)}`, { method: "DELETE", token });
}, 400_000);
