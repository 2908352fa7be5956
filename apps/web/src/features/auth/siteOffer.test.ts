import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { plainDesign } from "#lib/design";
import { startI18n } from "#lib/i18n";
import { answer, stubBrowser, stubServer } from "../../testing/browser.ts";
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

it("PROD-020: in the server build the Demo button is not there, whatever the design says", async () => {
  expect((await offerOf("cloud")).demo).toEqual(demo);
  expect(await offerOf("server")).toMatchObject({ title: "Heat", demo: null });
});

it("the design of the host is asked for once, by whoever comes first", async () => {
  await offerOf("cloud");
  const requests = stubServer({});

  await loadSiteOffer();

  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/api/site_properties"]);
});
