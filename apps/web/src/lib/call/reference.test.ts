import { models } from "@metrum/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "#lib/i18n";
import { endSession, startSession } from "#lib/token";
import { answer, stubBrowser, stubServer } from "../../testing/browser.ts";
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

it("SESS-035 a second start names what it knows and takes it from memory when the server says it still holds", async () => {
  stubServer({ "device/model/metering_device/groups": whole });
  await request(models.groups, { body: {} });
  const requests = stubServer({
    "device/model/metering_device/groups": () => new Response(null, { status: 304 }),
  });

  const { data } = await request(models.groups, { body: {} });

  expect(requests[0]?.headers.get("if-none-match")).toBe('"one"');
  expect(data).toEqual(groups);
});

it("SESS-035 what rests in memory belongs to the session: its end forgets it", async () => {
  stubServer({ "device/model/metering_device/groups": whole });
  await request(models.groups, { body: {} });
  expect(kept.size).toBe(1);

  endSession("signedOut");

  expect(kept.size).toBe(0);
});

it("without a place to keep answers everything is asked in full", async () => {
  vi.stubGlobal("caches", undefined);
  const requests = stubServer({ "device/model/metering_device/groups": whole });

  await request(models.groups, { body: {} });
  await request(models.groups, { body: {} });

  expect(requests.map((each) => each.headers.get("if-none-match"))).toEqual([null, null]);
});
