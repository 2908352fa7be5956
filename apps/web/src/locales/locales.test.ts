import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { languages } from "#lib/i18n";

const source = join(import.meta.dirname, "..");
type Texts = Readonly<Record<string, string>>;

function flat(value: unknown, prefix = ""): Texts {
  if (typeof value === "string") return { [prefix]: value };
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).map(([key, inner]) =>
    flat(inner, prefix === "" ? key : `${prefix}.${key}`),
  );
  return Object.assign({}, ...entries) as Texts;
}

function read(language: string, feature: string): Texts {
  return flat(JSON.parse(readFileSync(join(source, "locales", language, `${feature}.json`), "utf8")));
}

const features = readdirSync(join(source, "locales/ru")).map((file) => file.replace(".json", ""));
const plural = /_(zero|one|two|few|many|other)$/;
const bare = (key: string) => key.replace(plural, "");
const sorted = (keys: Iterable<string>) => [...new Set(keys)].sort();

function* codeFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* codeFiles(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

describe.each(features)("texts of %s", (feature) => {
  it("have the same keys in every language", () => {
    const expected = sorted(Object.keys(read("ru", feature)).map(bare));

    for (const language of languages)
      expect(sorted(Object.keys(read(language, feature)).map(bare))).toEqual(expected);
  });

  it("have exactly the plural forms of each language", () => {
    for (const language of languages) {
      const texts = Object.keys(read(language, feature));
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const key of sorted(texts.filter((each) => plural.test(each)).map(bare)))
        expect([language, key, sorted(texts.filter((each) => bare(each) === key))]).toEqual([
          language,
          key,
          sorted(forms.map((form) => `${key}_${form}`)),
        ]);
    }
  });

  it("fill in the same values and none is empty", () => {
    const slots = (text: string) =>
      sorted([...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1] ?? ""));
    const russian = read("ru", feature);
    for (const language of languages)
      for (const [key, text] of Object.entries(read(language, feature))) {
        expect([language, key, text.trim() === ""]).toEqual([language, key, false]);
        const same = russian[key] ?? Object.entries(russian).find(([each]) => bare(each) === bare(key))?.[1];
        expect([language, key, slots(text)]).toEqual([language, key, slots(same ?? "")]);
      }
  });
});

/**
 * Features whose texts a file uses by its own `useTranslation`, the first being the default; none if the feature is
 * given to it.
 */
function featuresOf(code: string): readonly string[] {
  const lists = [...code.matchAll(/useTranslation\((\[[^\]]*\]|"\w+")\)/g)].map(([, list = ""]) => list);
  if (lists.some((list) => /[[,]\s*[a-z]/i.test(list))) return [];
  return lists.flatMap((list) => [...list.matchAll(/"(\w+)"/g)].map((each) => each[1] ?? ""));
}

describe("keys in the code", () => {
  it("exist in the texts", () => {
    const known = new Map(features.map((each) => [each, new Set(Object.keys(read("en", each)).map(bare))]));
    const unknown: string[] = [];
    for (const path of codeFiles(source)) {
      const code = readFileSync(path, "utf8");
      const own = featuresOf(code);
      for (const [, key = ""] of code.matchAll(/[^\w.]t\(\s*"([^"]+)"/g)) {
        const [feature, name] = key.includes(":") ? key.split(":") : [null, key];
        const candidates = feature === null ? (own.length === 0 ? features : own) : [feature];
        if (!candidates.some((each) => known.get(each)?.has(name))) unknown.push(`${path}: ${key}`);
      }
    }
    expect(unknown).toEqual([]);
  });
});
