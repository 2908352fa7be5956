import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeLanguage, languages, startI18n } from "#lib/i18n";
import { closeSnacks, stubBrowser } from "#testing/browser.ts";
import { snackQueue } from "./queue.ts";
import { messageText, say } from "./say.ts";

/** Numbers and names of the message keys of the specification. */
const numbers = [
  3, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
  44, 45, 46, 47, 48, 49, 50, 51, 60, 61, 63, 64, 66, 68, 79, 80, 81, 84, 91, 92, 93, 94, 96, 97, 98, 101,
  102, 103, 104, 105, 106, 107, 108, 109, 144, 145, 146,
];
const names = [
  "not_task_id",
  "tariff2_validation",
  "tariff3_validation",
  "fail_email",
  "easy_password",
  "fail_password",
  "password_not_equal",
  "fail_phone_number",
  "devices.edit.success",
  "devices.data.nothing",
  "admin.error",
  "nothing",
  "required",
  "maxlength",
  "minlength",
  "max_limit",
  "min_limit",
  "no_data_to_display",
  "too_many_parameters",
  "generic_http_error",
  "access_load_failed",
  "company_only_api",
  "unsaved_changes",
  "edit_conflict",
  "offline",
  "new_version",
  "session_ended",
  "entry_code_invalid",
];
const keys = [...numbers.map((each) => `msg_${String(each)}`), ...names];

beforeEach(async () => {
  stubBrowser();
  await startI18n();
});
afterEach(() => {
  closeSnacks();
  vi.unstubAllGlobals();
});

describe("messages by key", () => {
  it("SNACK-003: a key is looked up, any other text is shown as it is", async () => {
    await say("msg_145");
    await say("Прибор 7: нет ответа");
    await say("devices.edit.success", {}, "brief");
    await say("no_such_key");

    expect(snackQueue.get().map((each) => each.text)).toEqual([
      "Нечётное число шестнадцатеричных цифр",
      "Прибор 7: нет ответа",
      "Тарифное расписание сохранено",
      "no_such_key",
    ]);
  });

  it.each(languages)("SNACK-007 SNACK-008: every key of the catalogue has a text in %s", async (language) => {
    await changeLanguage(language);

    const texts = await Promise.all(keys.map((key) => messageText(key, { count: 5, limit: 1 })));

    expect(texts.filter((text, at) => text === keys[at] || text.includes("{{"))).toEqual([]);
    expect(keys).toHaveLength(92);
  });

  it("SNACK-006: the keys of validation have texts", async () => {
    for (const key of [
      "fail_email",
      "easy_password",
      "fail_password",
      "password_not_equal",
      "fail_phone_number",
    ])
      expect(await messageText(key)).not.toBe(key);
  });

  it("numbers of days have their plural forms in Russian", async () => {
    const days = await Promise.all([1, 2, 5, 11].map((count) => messageText("msg_3", { count })));

    expect(days.map((each) => each.split(" ").at(-1))).toEqual(["день", "дня", "дней", "дней"]);
  });
});
