import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { loadReferences } from "./references.ts";

const types = { "device/messages/types": () => answer({ types: [] }) };

beforeEach(async () => {
  stubBrowser();
  await startI18n();
  localStorage.setItem("metrum.token", "token");
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Requested paths in alphabetical order. */
const pathsOf = (requests: readonly Request[]) =>
  requests.map(({ url }) => new URL(url).pathname.replace("/api/", "")).sort();

it("SESS-028 SESS-029 SESS-030 at start the titles of fields, brands, message types, groups, interfaces and models are requested", async () => {
  const requests = stubServer(types);

  loadReferences();

  await expect
    .poll(() => pathsOf(requests))
    .toEqual([
      "device/get_field_titles",
      "device/messages/groups",
      "device/messages/types",
      "device/model/base_stations",
      "device/model/brands",
      "device/model/company/metering_devices",
      "device/model/gateways",
      "device/model/interfaces",
      "device/model/metering_device/groups",
      "device/model/metering_devices",
    ]);
});

it("known lists are not requested again, and a refused list has no effect", async () => {
  const requests = stubServer({ ...types, "device/model/brands": () => refusal(422, "wrong_input", "Нет") });
  loadReferences();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  const known = requests.length;
  expect(pathsOf(requests)).toContain("device/messages/types");

  loadReferences();
  await expect.poll(() => queryClient.isFetching()).toBe(0);

  expect(pathsOf(requests.slice(known))).not.toContain("device/messages/types");
});
