import { expect, test } from "vitest";
import { readConfig } from "#config";
import { deviceHostOf } from "./deviceHost.ts";

test("ports that listen everywhere are reached as the page is, others where they listen", () => {
  const at = (deviceHost: string): string =>
    deviceHostOf({ config: { ...readConfig({}), deviceHost }, host: "metrum.example" });

  expect([at("0.0.0.0"), at("::"), at("10.0.0.7")]).toEqual(["metrum.example", "metrum.example", "10.0.0.7"]);
});
