// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it } from "vitest";
import { queryClient } from "#lib/call";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { Strips } from "./Strips.tsx";

useScreen("shell");
beforeEach(() => startSession("token"));

const site = {
  is_kerberos: false,
  ldap_support: false,
  is_oidc: false,
  use_random_password: false,
  self_registration: true,
  socket_url: "",
};

/** The strip of an operator, once the kind of build is known: its kind and its text. */
async function stripOn(build_type: "server" | "cloud", license_days_left: number) {
  const requests = stubServer({
    ...asUser(anAccess([4], { license_days_left })),
    site_properties: () => answer({ ...site, build_type }),
  });
  await loadSession();
  await draw(<Strips />);
  await found(() => requests.some(({ url }) => url.endsWith("/site_properties")));
  await found(() => queryClient.isFetching() === 0);
  // The cache notifies the screen in the next turn of the event loop.
  await act(() => new Promise((told) => setTimeout(told)));
  const strip = await found(() => document.querySelector<HTMLElement>(".shell-strip"));
  return { kind: () => strip.dataset["kind"], text: () => strip.textContent };
}

it.each([
  [4, "expiryInfo", /4 days/],
  [2, "expiryInfo", /2 days/],
  [1, "expiryWarning", /1 day/],
])(
  "LIC-001 LIC-003: with %i days left of the licence the server build shows every user %s",
  async (days, kind, words) => {
    const strip = await stripOn("server", days);

    await found(() => strip.kind() === kind);
    expect(strip.text()).toMatch(words);
  },
);

it("LIC-001: five days before the end the server build shows nothing", async () => {
  const strip = await stripOn("server", 5);

  await found(() => strip.kind() === "testBuild");
});

it("LIC-001: in the cloud it is the end of the company, which concerns its administrators only", async () => {
  const strip = await stripOn("cloud", 4);

  await found(() => strip.kind() === "testBuild");
});
