import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { answer, stubBrowser, stubServer } from "#testing/browser.ts";
import { watchErrors } from "./report.ts";

let page: EventTarget;
let requests: readonly Request[];

beforeEach(async () => {
  page = stubBrowser();
  vi.stubGlobal("location", { hash: "#/cloud/devices?search=secret" });
  vi.stubGlobal("navigator", { userAgent: "test" });
  requests = stubServer({ "service/error_report": () => answer({ report_id: "r1" }) });
  await startI18n();
  watchErrors();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const happens = (type: string, fields: object) => page.dispatchEvent(Object.assign(new Event(type), fields));
const reported = async () => Promise.all(requests.map(async (each): Promise<unknown> => each.clone().json()));

it("SNACK-010 an uncaught error is reported once, without the address parameters", async () => {
  const error = new TypeError("row is undefined");
  happens("error", { error, message: "row is undefined" });
  happens("error", { error, message: "row is undefined" });
  await expect.poll(() => requests).toHaveLength(1);

  expect((await reported())[0]).toMatchObject({
    message: "TypeError: row is undefined",
    url: "#/cloud/devices",
  });
});

it("SNACK-010 an unhandled rejection is reported, a refused call is not", async () => {
  happens("unhandledrejection", { reason: new ApiError({ status: 422, code: "wrong_input", msg: "No" }) });
  happens("unhandledrejection", { reason: new RangeError("no such day") });
  await expect.poll(() => requests).toHaveLength(1);

  expect((await reported())[0]).toMatchObject({ message: "RangeError: no such day" });
});
