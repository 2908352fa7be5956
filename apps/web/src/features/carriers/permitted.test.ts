import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { users, type AccessRules } from "@metrum/contract/access";
import { ties } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { devices } from "@metrum/contract/metering";
import { keyOf, queryClient } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { messageText, snackQueue } from "#ui/snackbar";
import { closeSnacks, stubBrowser } from "#testing/browser.ts";
import { denials, isPermitted } from "./permitted.ts";

const none: AccessRules = { create: [], read: [], update: [], delete: [], access_all: [] };

function hold(rules: Partial<AccessRules>): void {
  queryClient.setQueryData(keyOf(users.access, {}), {
    is_admin: false,
    is_platform: false,
    entered_company: false,
    active_modules: [],
    access_group: { id: 1, name: "", access_rules: { ...none, ...rules } },
  });
}
const shownTexts = () => snackQueue.get().map((each) => each.text);

beforeEach(async () => {
  stubBrowser();
  await startI18n();
});
afterEach(() => {
  closeSnacks();
  queryClient.clear();
  vi.unstubAllGlobals();
});

describe("an action on devices without the right", () => {
  it.each([
    ["switching", devices.switchBulk, "msg_22"],
    ["tying users", ties.set, "msg_49"],
  ] satisfies [string, Call, string][])(
    "ACL-029 ACL-030 ACL-031: %s is refused before the call, with the text of its key",
    async (_, definition, key) => {
      // Before the message, which is shown for seconds only.
      const words = await messageText(key);
      expect(words).not.toBe(key);
      hold({ read: [4] });

      expect(isPermitted(definition)).toBe(false);

      await expect.poll(shownTexts).toEqual([words]);
    },
  );

  it("ACL-024 ACL-029: with the rights no message is shown; tying users needs all three", () => {
    hold({ read: [4, 1, 6], update: [4] });

    expect([isPermitted(devices.switch), isPermitted(ties.set)]).toEqual([true, true]);
    expect(shownTexts()).toEqual([]);
    for (const read of [
      [4, 1],
      [4, 6],
      [1, 6],
    ]) {
      hold({ read });
      expect(isPermitted(ties.set)).toBe(false);
    }
  });

  it("ACL-031: the keys are those of devices, msg_18 to msg_51", () => {
    const numbers = Object.values(denials).map((key) => Number(key.replace("msg_", "")));

    expect(numbers.every((number) => number >= 18 && number <= 51)).toBe(true);
  });
});
