// @vitest-environment happy-dom
import { profile } from "@metrum/contract/access";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { DutyPage } from "./DutyPage.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { TokensSection } from "./TokensSection.tsx";

useScreen("profile", "settings");
beforeEach(() => startSession("token"));

const fresh = "Tugrik!2026-own";
async function serve(answers: Readonly<Record<string, () => Response>>) {
  const requests = stubServer({ ...asUser(anAccess("admin")), ...answers });
  await loadSession();
  return (path: string) =>
    requests
      .findLast(({ url, method }) => method !== "GET" && url.endsWith(path))
      ?.json() as Promise<unknown>;
}
const met = () =>
  [...document.querySelectorAll(".password-needs [data-met]")].map((each) => each.textContent);

it("SERV-026 the password rule is checked while typing, and a wrong current password is reported at its field", async () => {
  const words = "The current password is wrong";
  const sent = await serve({
    "user/profile": () => refusal(422, "password_wrong", words, { current_password: ["password_wrong"] }),
  });
  await draw(<PasswordForm minLength={8} />);
  await type(field("New password"), "Tug1");
  expect(met().map((each) => each.replace("done", ""))).toEqual([
    "a small letter",
    "a capital letter",
    "a digit",
  ]);
  await type(field("New password"), fresh);
  expect(met()).toHaveLength(5);
  await type(field("New password again"), fresh);
  await type(field("Current password"), "wrong");

  await click(button("Change the password"));

  await found(() => faultAt(field("Current password")) === words);
  expect(field("Current password").getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field("Current password"));
  const body = await sent("user/profile");
  expect(body).toEqual({ current_password: "wrong", password: fresh, password_confirmation: fresh });
  expect(profile.update.body?.safeParse(body).success).toBe(true);
});

it("SERV-026 an empty form, a weak password and an unequal repetition are reported before anything is sent", async () => {
  const sent = await serve({});
  await draw(<PasswordForm minLength={8} />);
  await click(button("Change the password"));
  expect(faultAt(field("Current password"))).toBe("Fill in this field");

  await type(field("Current password"), "x");
  await type(field("New password"), "weak");
  await type(field("New password again"), "other");
  await click(button("Change the password"));

  expect(faultAt(field("New password"))).toBe("The password does not meet the rule");
  expect(faultAt(field("New password again"))).toBe("The passwords differ");
  expect(await sent("user/profile")).toBeUndefined();
});

it("a token is created with a name and the password, and shown once", async () => {
  const token = { id: 3, name: "Accounting", created_at: 1, expires_at: 2_000_000_000, last_seen: null };
  let isMade = false;
  const sent = await serve({
    "user/tokens": () =>
      answer(isMade ? { token, access_token: "metrum_secret", tokens: [token] } : { tokens: [] }),
  });
  await draw(<TokensSection />);
  await click(button("New token"));
  await click(button("Make the token"));
  await found(() => document.activeElement === field("Name"));
  expect(faultAt(field("Current password"))).toBe("Fill in this field");
  await type(field("Name"), "Accounting");
  await type(field("Current password"), "Metrum!2026");
  isMade = true;
  await press("Enter");

  await found(() => says("metrum_secret"));
  expect(await sent("user/tokens")).toEqual({
    name: "Accounting",
    days: 90,
    current_password: "Metrum!2026",
  });
  await click(button("I have saved it"));
  expect(says("metrum_secret")).toBe(false);
});

it("TFA-001 TFA-007: a required second factor is set up first, then its recovery codes are shown once", async () => {
  const onDone = vi.fn();
  const sent = await serve({
    "user/2FA/init": () => answer({ qr: "data:image/svg+xml,", secret: "ABCDEFGH", uri: "otpauth:" }),
    "user/2FA/enable": () => answer({ recovery_codes: ["aaaa-1111", "bbbb-2222"] }),
  });
  await draw(<DutyPage duty="two_factor" email="n@metrum.example" onDone={onDone} />);
  await found(() => says("ABCD EFGH"));
  expect(says("I have saved them")).toBe(false);
  await type(field("Code from the app"), "123456");
  await type(field("Current password"), "Metrum!2026");

  await click(button("Turn on"));

  await found(() => says("bbbb-2222"));
  expect(await sent("2FA/enable")).toEqual({ one_t_p: "123456", current_password: "Metrum!2026" });
  expect(says("ABCD EFGH")).toBe(false);
  expect(onDone).not.toHaveBeenCalled();
  await click(button("I have saved them"));
  expect(onDone).toHaveBeenCalledOnce();
});
