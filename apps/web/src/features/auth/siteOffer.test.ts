import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { plainDesign } from "#lib/design";
import { startI18n } from "#lib/i18n";
import { answer, stubBrowser, stubServer } from "#testing/browser.ts";
import { loadSiteOffer } from "./siteOffer.ts";

const demo = { email: "demo@metrum.example", password: "secret" };
const site = {
  is_kerberos: false,
  ldap_support: false,
  is_oidc: false,
  use_random_password: false,
  self_registration: true,
  socket_url: "",
};

beforeEach(async () => {
  stubBrowser();
  vi.stubGlobal("document", { documentElement: { lang: "" }, title: "" });
  await startI18n();
});
afterEach(() => vi.unstubAllGlobals());

/** Options of the sign-in page of this build. */
function offerOf(build_type: "cloud" | "server") {
  stubServer({
    personal_design: () => answer({ ...plainDesign, title: "Heat", demo }),
    site_properties: () => answer({ ...site, build_type }),
  });
  return loadSiteOffer();
}

it("PROD-020: the server build has no Demo button, whatever the branding", async () => {
  expect((await offerOf("cloud")).demo).toEqual(demo);
  expect(await offerOf("server")).toMatchObject({ title: "Heat", demo: null });
});

it("the branding of the host is requested once, by the first caller", async () => {
  await offerOf("cloud");
  const requests = stubServer({});

  await loadSiteOffer();

  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/api/site_properties"]);
});
