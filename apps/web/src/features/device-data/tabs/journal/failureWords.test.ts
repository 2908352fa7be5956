import { createInstance, type TFunction } from "i18next";
import { beforeAll, expect, it } from "vitest";
import english from "#locales/en/trace.json";
import mongolian from "#locales/mn/trace.json";
import russian from "#locales/ru/trace.json";
import { failureWords } from "./failureWords.ts";

const words = new Map<string, TFunction<"trace">>();
beforeAll(async () => {
  const texts = createInstance();
  const resources = { ru: { trace: russian }, en: { trace: english }, mn: { trace: mongolian } };
  await texts.init({ lng: "ru", resources });
  for (const language of Object.keys(resources)) words.set(language, texts.getFixedT(language, "trace"));
});

type Language = "ru" | "mn";
const wordsOf = (language: Language) => {
  const t = words.get(language);
  if (!t) throw new Error(language);
  return t;
};

it("a failure is described by its kind, then by its details", () => {
  const failure = (kind: string, message: string, language: Language = "ru") =>
    failureWords({ kind, message }, { t: wordsOf(language), language });

  expect(failure("timeout", "no answer")).toBe("нет ответа");
  expect(failure("checksum", "CRC does not match")).toBe("ошибка контрольной суммы: CRC не сходится");
  expect(failure("refused", "exception 4: device failure", "mn")).toBe(
    "төхөөрөмж татгалзсан: exception 4: device failure",
  );
});
