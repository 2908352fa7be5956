// @vitest-environment happy-dom
import type { MqttAccount } from "@metrum/contract/metering";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { draw, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { MqttAccountSection } from "./MqttAccountSection.tsx";

useScreen("companySettings", "settings");
beforeEach(() => startSession("token"));

const account: MqttAccount = {
  username: "c7",
  prefix: "c7/",
  address: { host: "meters.example", port: 1883, tls_port: null },
  has_password: true,
  issued_at: 1_790_000_000,
  issued_by: "Bat",
  refusals: [],
};

it("API-024 the page of the account shows each refusal of the broker: its topic, how often, what to change", async () => {
  const refusals: MqttAccount["refusals"] = [
    { reason: "topic", detail: "$SYS/broker/connection/site/state", count: 3, last_at: 1_795_251_600 },
    { reason: "version", detail: "", count: 1, last_at: 1_795_251_500 },
  ];
  stubServer({
    ...asUser(anAccess("admin")),
    "company/mqtt_account": () => answer({ ...account, refusals }),
  });
  await loadSession();
  await draw(<MqttAccountSection />);

  await found(() => says("dropped: $SYS/broker/connection/site/state"));
  expect(says("3 times")).toBe(true);
  expect(says("A client speaks MQTT 5")).toBe(true);
});
