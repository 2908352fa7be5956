import type { CompanyInTree } from "@metrum/contract/access";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOf, draftOf } from "./draft.ts";

const module = (id: number, slug: string, sort: number) => ({ id, slug, sort });
const dealer = {
  active_modules: [module(4, "devices", 1), module(2, "companies", 2), module(8, "events", 3)],
  timezone_name: "Asia/Ulaanbaatar",
};
/** 1 January 2027, 00:00 in Ulaanbaatar: the last day is 31 December. */
const newYear = Date.UTC(2026, 11, 31, 16) / 1000;

describe("the form of a company", () => {
  it("starts with the zone and modules of the parent company, without the module of companies", () => {
    const draft = draftOf(null, dealer);

    expect(draft).toMatchObject({ name: "", timezone_name: "Asia/Ulaanbaatar", until: "" });
    expect(draft.modules).toEqual(["devices", "events"]);
  });

  it("shows the last day of a company in its own zone, and saves the end of that day", () => {
    const company = {
      ...dealer,
      name: "A",
      inn: "",
      expires_at: newYear,
      phone_number: null,
      options: { only_api: false },
      is_dealer: true,
    } as unknown as CompanyInTree;

    const draft = draftOf(company, dealer);

    expect(draft.until).toBe("2026-12-31");
    expect(bodyOf(draft, false).expires_at).toBe(newYear);
    expect(bodyOf({ ...draft, until: "" }, false).expires_at).toBeNull();
  });

  it("sends modules in order, that of companies for dealers only, the demo flag by staff only", () => {
    const draft = { ...draftOf(null, dealer), name: " A ", modules: ["events", "companies", "devices"] };

    expect(bodyOf(draft, false).active_modules).toEqual([{ slug: "events" }, { slug: "devices" }]);
    expect(bodyOf({ ...draft, is_dealer: true }, false).active_modules).toHaveLength(3);
    expect(bodyOf(draft, false)).not.toHaveProperty("is_demo");
    expect(bodyOf(draft, true)).toMatchObject({ name: "A", is_demo: false });
  });

  it("keeps the instant at which a company expires until its day or zone is changed", () => {
    const zone = fc.constantFrom("Asia/Ulaanbaatar", "Europe/Berlin", "America/Sao_Paulo", "Etc/UTC");
    const instant = fc.option(fc.integer({ min: newYear - 86_400 * 400, max: newYear + 86_400 * 400 }));
    fc.assert(
      fc.property(zone, instant, (timezone_name, expires_at) => {
        const options = { only_api: false };
        const company = {
          ...dealer,
          name: "A",
          inn: "",
          phone_number: null,
          options,
          timezone_name,
          expires_at,
        };
        const stored = company as unknown as CompanyInTree;
        const draft = draftOf(stored, dealer);

        expect(bodyOf({ ...draft, name: "B" }, false, stored).expires_at).toBe(expires_at);
        if (expires_at === null) return;
        const later = bodyOf({ ...draft, until: "2031-05-01" }, false, stored).expires_at ?? 0;
        expect(draftOf({ ...stored, expires_at: later }, dealer).until).toBe("2031-05-01");
      }),
    );
  });
});
