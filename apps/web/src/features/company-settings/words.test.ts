import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mappingFaults, networkServerReasons, networkServerStates } from "@metrum/contract/headend";
import { describe, expect, it } from "vitest";
import { languages } from "#lib/i18n";

const textsOf = (language: string, feature: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../locales", language, `${feature}.json`), "utf8"));
const wordsFor = (codes: readonly string[]) =>
  Object.fromEntries(codes.map((code) => [code, expect.any(String)]));

describe.each(languages)("codes of the server have texts in %s", (language) => {
  it("states of network servers and their reasons", () => {
    expect(textsOf(language, "networkServers")).toMatchObject({
      state: wordsFor(networkServerStates),
      reason: wordsFor(networkServerReasons),
    });
  });

  it("errors of a mapping", () => {
    expect(textsOf(language, "companySettings")).toMatchObject({ mqtt: { fault: wordsFor(mappingFaults) } });
  });
});
