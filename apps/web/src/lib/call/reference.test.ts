import { models } from "@metrum/contract/metering";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "#lib/i18n";
import { endSession, startSession } from "#lib/token";
import { answer, stubBrowser, stubServer } from "#testing/browser.ts";
import "./queryClient.ts";
import { request } from "./request.ts";

const groups = { groups: [{ id: 4, title: "Электроэнергия", title_en: "Electricity" }] };
const kept = new Map<string, Response>();

beforeEach(async () => {
  stubBrowser();
  kept.clear();
  const room = {
    match: (address: string) => Promise.resolve(kept.get(address)?.clone()),
    put: (address: string, response: Response) => Promise.resolve(kept.set(address, response)),
  };
  vi.stubGlobal("caches", {
    open: () => Promise.resolve(room),
    delete: () => {
      kept.clear();
      return Promise.resolve(true);
    },
  });
  await startI18n();
  startSession("secret");
});
afterEach(() => vi.unstubAllGlobals());

const whole = () => {
  const response = answer(groups);
  response.headers.set("etag", '"one"');
  return response;
};

it("SESS-035 a second start sends the known versions and uses memory when the server confirms them", async () => {
  stubServer({ "device/model/metering_device/groups": whole });
  await request(models.groups, { body: {} });
  const requests = stubServer({
    "device/model/metering_device/groups": () => new Response(null, { status: 304 }),
  });

  const { data } = await request(models.groups, { body: {} });

  expect(requests[0]?.headers.get("if-none-match")).toBe('"one"');
  expect(data).toEqual(groups);
});

it("SESS-035 answers in memory belong to the session and are dropped with it", async () => {
  stubServer({ "device/model/metering_device/groups": whole });
  await request(models.groups, { body: {} });
  expect(kept.size).toBe(1);

  endSession("signedOut");

  expect(kept.size).toBe(0);
});

it("without storage everything is requested in full", async () => {
  vi.stubGlobal("caches", undefined);
  const requests = stubServer({ "device/model/metering_device/groups": whole });

  await request(models.groups, { body: {} });
  await request(models.groups, { body: {} });

  expect(requests.map((each) => each.headers.get("if-none-match"))).toEqual([null, null]);
});
