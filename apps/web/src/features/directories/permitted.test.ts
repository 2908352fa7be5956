import { consumers, suppliers, users, type AccessRules } from "@metrum/contract/access";
import { transformers } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

beforeEach(async () => {
  stubBrowser();
  await startI18n();
});
afterEach(() => {
  closeSnacks();
  queryClient.clear();
  vi.unstubAllGlobals();
});

describe("an action on a directory without the right", () => {
  it.each([
    ["ACL-032", "reading suppliers", suppliers.list, "msg_91"],
    ["ACL-032", "creating a supplier", suppliers.create, "msg_92"],
    ["ACL-032", "updating a supplier", suppliers.update, "msg_93"],
    ["ACL-032", "deleting a supplier", suppliers.delete, "msg_94"],
    ["ACL-033", "creating a consumer", consumers.create, "msg_96"],
    ["ACL-033", "updating a consumer", consumers.update, "msg_97"],
    ["ACL-033", "deleting a consumer", consumers.delete, "msg_98"],
    ["own key:", "changing a transformer", transformers.update, "directory_denied"],
  ] satisfies [string, string, Call, string][])(
    "%s: %s is refused before the call, with the text of its key",
    async (_, __, definition, key) => {
      const words = await messageText(key);
      expect(words).not.toBe(key);
      hold({ read: [4] });

      expect(isPermitted(definition)).toBe(false);

      await expect.poll(() => snackQueue.get().map(({ text }) => text)).toEqual([words]);
    },
  );

  it("ACL-025 ACL-032 ACL-033: each action needs its own right; the keys are those of the catalogue", () => {
    hold({ read: [6], create: [6] });

    expect([consumers.create, suppliers.create, suppliers.list].map(isPermitted)).toEqual([true, true, true]);
    expect(snackQueue.get()).toEqual([]);
    expect([consumers.update, suppliers.delete].map(isPermitted)).toEqual([false, false]);
    const ofSuppliers = Object.entries(denials).filter(([id]) => id.startsWith("supplier."));
    expect(new Set(ofSuppliers.map(([, key]) => key))).toEqual(
      new Set(["msg_91", "msg_92", "msg_93", "msg_94"]),
    );
    const ofConsumers = Object.entries(denials).filter(([id]) => id.startsWith("consumer."));
    expect(new Set(ofConsumers.map(([, key]) => key))).toEqual(new Set(["msg_96", "msg_97", "msg_98"]));
  });
});
