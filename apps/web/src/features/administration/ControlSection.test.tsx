// @vitest-environment happy-dom
import type { ControlFreeze } from "@metrum/contract/headend";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ControlSection } from "./ControlSection.tsx";

useScreen("administration", "freeze", "settings");
beforeEach(() => startSession("token"));

const aFreeze = (more: Partial<ControlFreeze> = {}): ControlFreeze => ({
  company_id: null,
  company_name: null,
  reason: "Flood at the dam",
  since: 1_800_000_000,
  user_name: "Bold",
  ...more,
});
const ofCompany = aFreeze({
  company_id: 12,
  company_name: "Selenge",
  reason: "Court order",
  user_name: null,
});

/** The section where these places are stopped at first; returns what is sent. */
async function open(...at: readonly ControlFreeze[]) {
  let freezes = [...at];
  const sent: unknown[] = [];
  stubServer({
    ...asUser(anAccess("admin", { is_platform: true })),
    "admin/control/freezes": () => answer({ freezes }),
    "admin/control/freeze": (text) => {
      const body = JSON.parse(text) as { is_frozen: boolean; reason?: string; company_id?: number };
      sent.push(body);
      const place = body.company_id ?? null;
      freezes = body.is_frozen
        ? [aFreeze({ reason: body.reason ?? "" }), ...freezes]
        : freezes.filter(({ company_id }) => company_id !== place);
      return answer({ freezes }, 200, { msg: body.is_frozen ? "Stopped it" : "Released it" });
    },
  });
  await loadSession();
  await draw(<ControlSection />);
  await found(() => says("The whole installation"));
  return sent;
}

it("CTRL-109 the installation is stopped with a reason, and shows who, why and since when", async () => {
  const sent = await open();
  expect(says("Allowed") && says("No company is stopped")).toBe(true);

  await click(button("Stop control"));
  const reason = await found(() => field("Reason"));
  await press("Enter");
  expect(faultAt(reason)).toBeTruthy();
  await type(reason, " Flood at the dam ");
  await press("Enter");

  await found(() => says("Stopped it"));
  await found(() => says("Flood at the dam") && says(/Stopped .*, Bold/));
  expect(sent).toEqual([{ is_frozen: true, reason: "Flood at the dam" }]);
  expect(button("Allow control")).toBeTruthy();
});

it("CTRL-109 it is released after a confirmation", async () => {
  const sent = await open(aFreeze());

  await click(button("Allow control"));
  await found(() => says("Companies that were stopped separately stay stopped."));
  expect(sent).toEqual([]);
  await click(button("Allow control"));

  await found(() => says("Released it") && says("Allowed"));
  expect(sent).toEqual([{ is_frozen: false }]);
});

it("CTRL-109 a stopped company is listed by name and released here", async () => {
  const sent = await open(ofCompany);
  expect(says("Selenge") && says("Court order") && says("deleted account")).toBe(true);

  await click(button("Allow control: Selenge"));
  await found(() => says("Allow control of the devices of Selenge?"));
  await click(button("Allow control"));

  await found(() => says("No company is stopped"));
  expect(sent).toEqual([{ is_frozen: false, company_id: 12 }]);
});

it("a failed read is told, and never as if control were allowed", async () => {
  stubServer({
    ...asUser(anAccess("admin", { is_platform: true })),
    "admin/control/freezes": () => refusal(500, "internal", "Broken"),
  });
  await loadSession();
  await draw(<ControlSection />);

  await found(() => says("Where control is stopped could not be read"));
  expect(says("Allowed")).toBe(false);
});
