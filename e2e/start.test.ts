import { expect, it } from "vitest";
import { useBrowser } from "./journey.ts";

const { visit } = useBrowser();

/** First-load JavaScript of the shell with the list of devices, KiB as sent. */
const mostKib = 190;

it("SHELL-030: a cold start of the shell loads at most its budget until the first screen is usable", async () => {
  const sizes: Promise<number>[] = [];

  const page = await visit({
    as: "engineer",
    at: "/cloud/devices",
    isNew: true,
    before: (opening) =>
      Promise.resolve(
        opening.on("requestfinished", (request) => {
          if (request.url().endsWith(".js"))
            sizes.push(request.sizes().then((size) => size.responseBodySize));
        }),
      ),
  });
  await page.getByRole("link", { name: /№/ }).first().waitFor();
  await page.getByRole("navigation", { name: "Sections" }).waitFor();

  const kib = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0) / 1024;
  expect(sizes.length).toBeGreaterThan(2);
  expect(kib).toBeLessThanOrEqual(mostKib);
});

it("API-017: user, access and company are loaded before any screen of the shell requests data", async () => {
  const requests: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isCompanyKnown: Promise<unknown> | undefined;

  const page = await visit({
    as: "engineer",
    at: "/cloud/devices",
    before: async (opening) => {
      isCompanyKnown = opening.waitForResponse((response) => response.url().endsWith("/api/user/company"));
      opening.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/api/")) requests.push(pathname.slice("/api/".length));
      });
      await opening.route("**/api/user/info", async (route) => {
        await held;
        await route.continue();
      });
    },
  });
  await isCompanyKnown;
  const before = [...requests];
  release();
  await page.getByRole("link", { name: /№/ }).first().waitFor();

  const ofSession = ["user/access", "user/company", "user/info"];
  const ofSite = ["personal_design", "site_properties"];
  expect(before.filter((path) => !ofSite.includes(path)).sort()).toEqual(ofSession);
  expect(requests).toContain("device/metering_devices");
});

it("a wrong address shows a page in the language of the user, with a link to the application", async () => {
  const page = await visit({ at: "/auth/login" });

  const answer = await page.goto(new URL("/no-such-page", page.url()).href);

  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("link", { name: "To the application" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
});
