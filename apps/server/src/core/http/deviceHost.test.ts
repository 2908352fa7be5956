import { expect, test } from "vitest";
import { readConfig } from "#config";
import { deviceHostOf } from "./deviceHost.ts";

test("ports bound to all interfaces are reached at the host of the page, others at their own address", () => {
  const at = (deviceHost: string): string =>
    deviceHostOf({ config: { ...readConfig({}), deviceHost }, host: "metrum.example" });

  expect([at("0.0.0.0"), at("::"), at("10.0.0.7")]).toEqual(["metrum.example", "metrum.example", "10.0.0.7"]);
});
