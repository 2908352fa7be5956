import { describe, expect, it } from "vitest";
import { zoneChoices } from "./zones.ts";

const november = Date.UTC(2026, 10, 21) / 1000;

describe("the choice of a zone", () => {
  it("shows the offset that holds at the instant, not a fixed one", () => {
    const titleOf = (zone: string, at: number) =>
      zoneChoices(zone, at).find(({ value }) => value === zone)?.title;

    expect(titleOf("Asia/Ulaanbaatar", november)).toBe("UTC+8 · Asia/Ulaanbaatar");
    expect(titleOf("Europe/Berlin", november)).toBe("UTC+1 · Europe/Berlin");
    expect(titleOf("Europe/Berlin", Date.UTC(2026, 6, 1) / 1000)).toBe("UTC+2 · Europe/Berlin");
  });

  it("goes from west to east and keeps a zone that the browser does not list", () => {
    const zones = zoneChoices("Etc/GMT-3", november).map(({ value }) => value);

    expect(zones).toContain("Etc/GMT-3");
    expect(zones.indexOf("America/New_York")).toBeLessThan(zones.indexOf("Europe/Moscow"));
    expect(zones.indexOf("Europe/Moscow")).toBeLessThan(zones.indexOf("Asia/Ulaanbaatar"));
  });
});
