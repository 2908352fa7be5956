// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { gateways } from "@metrum/contract/metering";
import { exchange } from "#lib/call";
import { startSession } from "#lib/token";
import { refusal, stubServer } from "#testing/browser.ts";
import { draw, says, useScreen } from "#testing/dom.tsx";
import { change } from "./index.ts";

useScreen();
beforeEach(() => startSession("token"));

const restore = (id: number) => [gateways.restore, { params: { id: String(id) } }] as const;
const refreshed = [gateways.list];

it("a refused change returns false; the call itself shows the message of the server", async () => {
  stubServer({ "device/gateway/restore_from_trash/7": () => refusal(409, "gateway_in_trash", "Not now") });
  await draw(<p>page</p>);

  const isDone = await change(() => exchange(...restore(7)), { refreshed });

  expect(isDone).toBe(false);
  expect(says("Not now")).toBe(true);
});

it("an error that is not a refusal is a bug and is rethrown", async () => {
  const broken = new TypeError("broken");
  const fail = () => Promise.reject(broken);

  await expect(change(fail, { refreshed })).rejects.toBe(broken);
});
