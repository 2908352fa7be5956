import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { decodeWmbus } from "./decode.ts";
import { wmbus } from "./driver.ts";
import { buildTelegram } from "./encode.ts";
import { readWmbus } from "./telegram.ts";

const meter = { id: "20304050", version: 1, accessNumber: 1, security: "none" } as const;
const telegram = (records: Uint8Array, of: { readonly manufacturer: string; readonly medium: number }) =>
  buildTelegram(records, { ...meter, ...of });

describe("the medium of a maker with numbers of its own", () => {
  it.each([
    [0x43, "Heat: Outlet"],
    [0xc3, "Heat: Outlet"],
    [0x80, "Heat Cost Allocator"],
    [0x62, "Warm water"],
    [0x72, "Water"],
    [0x04, "Heat: Outlet"],
    [0x99, "Reserved"],
  ])("%i of Techem is %s", (medium, mediumName) => {
    const sent = telegram(fromHex("0406 01000000"), { manufacturer: "TCH", medium });

    expect(readWmbus(sent).meter).toMatchObject({ medium, mediumName });
  });

  it("is reserved for every other maker", () => {
    const sent = telegram(fromHex("0406 01000000"), { manufacturer: "MTR", medium: 0x80 });

    expect(readWmbus(sent).meter.mediumName).toBe("Reserved");
  });
});

describe("the status byte of a water meter with bits of its own", () => {
  const water = { manufacturer: "KDN", medium: 7 };
  const withStatus = (status: number, of = water): Uint8Array => {
    const sent = telegram(fromHex("0413 01000000"), of);
    // L, C, address 8, CI, access number, then the status.
    return sent.with(12, status);
  };

  it.each([
    [
      0x63,
      [
        "abnormal condition",
        "leak",
        "flow below 100 l/h during the leak",
        "flow above 100 l/h during the leak",
      ],
    ],
    [0x23, ["abnormal condition", "leak", "flow below 100 l/h during the leak"]],
    [0x02, ["application error"]],
    [0x00, []],
  ])("%i says what its maker means (S-33)", (status, words) => {
    const driver = wmbus({
      resource: "water",
      manufacturers: ["KDN", "MTR"],
      version: 1,
      medium: 7,
      records: [{ code: "04 13", field: "in1" }],
    });
    const device = { impulseWeight: 1, startingValue: 0 };

    expect(decodeWmbus(withStatus(status)).warnings).toEqual(words.map((word) => `status: ${word}`));
    expect(driver.decode(withStatus(status), 0, device)[0]?.warnings ?? []).toEqual(
      words.map((word) => `status: ${word}`),
    );
    const other = decodeWmbus(withStatus(status, { ...water, manufacturer: "MTR" })).warnings.join();
    expect(other).not.toContain("leak");
  });
});
