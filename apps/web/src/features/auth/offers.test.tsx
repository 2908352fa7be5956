// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { button, click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { Offers } from "./Offers.tsx";
import { plainOffer } from "./siteOffer.ts";

useScreen("auth");

const open = () => draw(<Offers site={plainOffer} onDemo={() => undefined} />);
const badge = () => document.querySelector<HTMLElement>(".login-badge") ?? document.body;
const how = "Open the menu of the browser";

it("the badge of the app explains the menu of a browser that has offered nothing", async () => {
  await open();
  await click(badge());

  await found(() => says(how));
  await click(button("OK"));
  await found(() => !says(how));
});

it("the badge of the app takes up the offer of the browser, once", async () => {
  const prompt = vi.fn(() => Promise.resolve());
  const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  dispatchEvent(offer);
  expect(offer.defaultPrevented).toBe(true);
  await open();

  await click(badge());
  expect(prompt).toHaveBeenCalledOnce();
  expect(says(how)).toBe(false);

  await click(badge());
  expect(prompt).toHaveBeenCalledOnce();
  await found(() => says(how));
});
