import { describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { ask, eventually, listDevices, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

/** A device with readings whose clock was a day ahead; returns its id. */
async function brokenClock(count: number, at: number): Promise<number> {
  const token = await tokenOf("engineer");
  const { data } = await listDevices(token, { search_string: "WP-" });
  const [device] = data.slice(at);
  if (!device) throw new Error("the demonstration has no such device");
  const now = Math.floor(Date.now() / 1000);
  const readings = Array.from({ length: count }, (_, n) => ({
    device_id: device.id,
    time: now + 86_400 + n,
    values: { in1: 100 + n / 4, temperature: 21 },
  }));
  await ask("push/readings", { token, body: { readings } });
  return device.id;
}

describe("readings in quarantine", () => {
  it("TRUST-008: a user sees their number and reasons, and releases or discards them", async () => {
    const id = await brokenClock(3, 0);
    const page = await visit({ as: "engineer", at: `/cloud/devices/data/${String(id)}` });

    await page.getByText("3 readings are in quarantine").waitFor();
    await page.getByRole("link", { name: "See them" }).click();
    const rows = page.getByRole("grid", { name: "Quarantine" }).locator("tbody tr[data-index]");
    await eventually(() => rows.count()).toBe(3);
    expect(await rows.first().textContent()).toContain("ahead of the receipt");
    await rows.first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard", exact: true }).click();
    await eventually(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Release all 2" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Release", exact: true }).click();

    await eventually(() => rows.count()).toBe(0);
    const { data } = await ask("device/quarantine/list", {
      token: await tokenOf("engineer"),
      body: { device_id: id, state: "released" },
    });
    expect(data["readings"]).toMatchObject({ total: 2 });
  });

  it("is readable in both themes, wide and on a phone", async () => {
    const id = await brokenClock(2, 1);
    const page = await visit({ as: "engineer", at: `/cloud/devices/quarantine?f.device=${String(id)}` });
    await page.locator(".status", { hasText: "ahead of the receipt" }).first().waitFor();

    expect(await violationsOfLooks(page)).toEqual({});
  });
});
