import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bridgeEnds, type TransparentPort } from "@metrum/contract/headend";
import { describe, expect, it } from "vitest";
import { languages } from "#lib/i18n";
import {
  addressOf,
  canBeLent,
  clockOf,
  leftOf,
  newestOf,
  phaseOf,
  stepAfter,
  type Lendable,
} from "./port.ts";

const aPort = (more: Partial<TransparentPort> = {}): TransparentPort => ({
  id: 7,
  device_id: 12,
  model_class_id: 1,
  model_id: 101,
  name: "School 4",
  company_name: "C",
  user_name: "N",
  host: "metrum.example",
  port: 20001,
  is_active: true,
  address: "10.0.0.5",
  opened_at: 1000,
  ends_at: 4600,
  seconds_left: 3600,
  bytes_sent: 8,
  bytes_received: 9,
  end: null,
  ...more,
});
const aDevice = (more: Partial<Lendable> = {}): Lendable => ({
  is_active: true,
  is_archived: false,
  is_deleted: false,
  gateway: { id: 3, name: "GW-1" },
  properties: {},
  model: { options: { virtual_bridge: { active: true } } },
  ...more,
});

describe("devices whose line can be bridged", () => {
  it("CTRL-022: only devices whose model allows the virtual bridge", () => {
    const model = { options: { virtual_bridge: { active: false } } };

    expect(canBeLent(aDevice())).toBe(true);
    expect(canBeLent(aDevice({ model }))).toBe(false);
  });

  it("behind a gateway, at an address of their own or at a serial port; nothing else has a line", () => {
    const alone = (properties: Lendable["properties"]) => canBeLent(aDevice({ gateway: null, properties }));

    expect(alone({ host: "10.0.0.9", port: 502 })).toBe(true);
    expect(alone({ serial: { path: "/dev/ttyS1" } })).toBe(true);
    expect([alone({}), alone({ host: "" }), alone({ serial: null })]).toEqual([false, false, false]);
  });

  it("no device that is switched off, archived or in the trash", () => {
    const away = [{ is_active: false }, { is_archived: true }, { is_deleted: true }];

    expect(away.map((more) => canBeLent(aDevice(more)))).toEqual([false, false, false]);
  });
});

describe("the dialog", () => {
  const phase = (rows: readonly TransparentPort[] | undefined, seen?: number, isFailed = false) =>
    phaseOf({ rows, seen, isFailed });
  const closed = aPort({ is_active: false, end: "idle", seconds_left: 0 });

  it("waits for the first answer, and reports its absence", () => {
    expect(phase(undefined)).toEqual({ name: "waiting" });
    expect(phase(undefined, undefined, true)).toEqual({ name: "failed" });
  });

  it("CTRL-021: offers a port while none is open, and shows an open one, whoever opened it", () => {
    expect(phase([])).toEqual({ name: "offer" });
    expect(phase([closed])).toEqual({ name: "offer" });
    expect(phase([aPort(), closed])).toEqual({ name: "open", port: aPort() });
  });

  it("reports how the shown port ended, and nothing about older ones", () => {
    expect(phase([closed], closed.id)).toEqual({ name: "ended", port: closed });
    expect(phase([closed], closed.id - 1)).toEqual({ name: "offer" });
  });

  it("keeps the known state on a later failure", () => {
    expect(phase([aPort()], 7, true)).toMatchObject({ name: "open" });
  });

  it("requests the newest port of this device, not of a gateway with the same number", () => {
    expect(newestOf(12).body).toMatchObject({
      device_id: 12,
      model_class_id: 1,
      sort_field: "id",
      sort: "desc",
    });
  });
});

describe("address and remaining time", () => {
  it("CTRL-020: the address is the host given by the server, with the port", () => {
    expect(addressOf(aPort())).toBe("metrum.example:20001");
    expect(addressOf(aPort({ host: "fd00::1" }))).toBe("[fd00::1]:20001");
    expect(addressOf(aPort({ host: "[::1]" }))).toBe("[::1]:20001");
  });

  it("counts down from the server's value, whatever the clock of the browser", () => {
    const wrong = 86_400;

    expect([0, 1, 59.6].map((passed) => leftOf(3600, wrong, wrong + passed))).toEqual([3600, 3599, 3540]);
    expect([leftOf(3, wrong, wrong + 10), leftOf(3600, wrong, wrong - 10)]).toEqual([0, 3600]);
    expect([3600, 3547, 65, 9, 0].map(clockOf)).toEqual(["60:00", "59:07", "1:05", "0:09", "0:00"]);
  });
});

it("a refusal that the user can resolve explains how, others show the server's message", () => {
  expect(["bridge_busy", "bridge_full", "line_down", "bridge_off", "forbidden"].map(stepAfter)).toEqual([
    "bridge_busy",
    "bridge_full",
    "line_down",
    "bridge_off",
    undefined,
  ]);
});

it.each(languages)("every end of a port has a text in %s", (language) => {
  const file = join(import.meta.dirname, "../../locales", language, "bridge.json");
  const texts: unknown = JSON.parse(readFileSync(file, "utf8"));

  expect(texts).toMatchObject({
    end: Object.fromEntries(bridgeEnds.map((end) => [end, expect.any(String)])),
  });
});
