import type { Health } from "@metrum/contract/platform";
import { describe, expect, it } from "vitest";
import { bytesText, factsOf } from "./health.ts";
import { sectionsOf } from "./sections.ts";

const number = (value: number, decimals = 0) => value.toFixed(decimals);
const words = { number, age: (sec: number) => `${String(sec)} s`, bytes: String, never: "never" };
const gib = 1024 ** 3;

const aHealth = (more: Partial<Health> = {}): Health => ({
  version: "0.1.0",
  node: "20.20.2",
  postgres: "18.4",
  build_type: "cloud",
  uptime_sec: 60,
  database_bytes: 1,
  disk_free_bytes: 5 * gib,
  disk_total_bytes: 10 * gib,
  devices: 3,
  polls_due: 2,
  polls_waiting: 1,
  polls_oldest_sec: 10,
  letters_waiting: 0,
  letters_parked: 0,
  derive_waiting: 0,
  recompute_waiting: 0,
  recompute_parked: 0,
  recompute_oldest_sec: null,
  last_reading_at: 900,
  last_backup_at: 1000 - 86_400,
  processes: [],
  ...more,
});

/** Ids of the lines with a fault. */
function wrongIn(more: Partial<Health>): readonly string[] {
  const { queues, store, versions } = factsOf(aHealth(more), 1000, words);
  return [...queues, ...store, ...versions]
    .filter(({ kind }) => kind !== null && kind !== "ok")
    .map(({ id }) => id);
}

describe("sections", () => {
  const idsOf = (given: Parameters<typeof sectionsOf>[0]) =>
    sectionsOf(given).flatMap(({ sections }) => sections);
  const all = { isAdmin: true, seesCompanies: true, seesDevices: true, isServer: true, isDemo: true };

  it("SERV-028 PROD-022: staff who administer have companies, services, logs and health", () => {
    expect(idsOf(all)).toEqual([
      "companies",
      "users",
      "services",
      "service-log",
      "health",
      "letters",
      "transparent",
      "control",
      "simulation",
      "licence",
    ]);
  });

  it("LIC-004: the licence is a section of the server build, for administrators", () => {
    expect(idsOf({ ...all, isServer: false })).not.toContain("licence");
    expect(idsOf({ ...all, isAdmin: false })).not.toContain("licence");
  });

  it("simulated parks are a section where the demonstration is on", () => {
    expect(idsOf({ ...all, isDemo: false })).not.toContain("simulation");
  });

  it("without the right a section is not offered", () => {
    expect(
      idsOf({ isAdmin: false, seesCompanies: false, seesDevices: false, isServer: false, isDemo: false }),
    ).toEqual(["users", "health", "letters", "control"]);
  });
});

describe("health", () => {
  it("reports no problem if there is none", () => {
    expect(wrongIn({})).toEqual([]);
  });

  it("reports delays, full disks, failed letters and missing backups", () => {
    expect(wrongIn({ polls_oldest_sec: 301 })).toEqual(["pollsDue"]);
    expect(wrongIn({ letters_parked: 1 })).toEqual(["lettersParked"]);
    expect(wrongIn({ disk_free_bytes: gib - 1 })).toEqual(["disk"]);
    expect(wrongIn({ disk_free_bytes: null })).toEqual(["disk"]);
    expect(wrongIn({ last_backup_at: null })).toEqual(["backup"]);
    expect(wrongIn({ last_backup_at: 1000 - 8 * 86_400 })).toEqual(["backup"]);
  });

  it("writes bytes in the largest unit that gives at least one", () => {
    expect([0, 1023, 1024, 1.5 * 1024 ** 2, 78 * gib].map((value) => bytesText(value, number))).toEqual([
      "0 B",
      "1023 B",
      "1.0 KiB",
      "1.5 MiB",
      "78 GiB",
    ]);
  });
});
