import { describe, expect, it } from "vitest";
import { parseObis } from "../data/axdr.ts";
import { hanPush, notificationOf } from "./hanPush.ts";
import { pushList } from "./push.ts";
import type { DlmsData } from "../types.ts";

const scale = { impulseWeight: 1, startingValue: 0 };
const code = (obis: string): DlmsData => ({ type: "octets", value: parseObis(obis) });
const count = (value: number): DlmsData => ({ type: "uint32", value });
const octets = (text: string): DlmsData => ({ type: "octets", value: new TextEncoder().encode(text) });
const visible = (value: string): DlmsData => ({ type: "visible", value });
const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });

const pairs: readonly DlmsData[] = [
  code("1.1.0.0.5.255"),
  visible("5706567000000042"),
  code("1.1.1.7.0.255"),
  count(1530),
  code("1.1.31.7.0.255"),
  count(512),
  code("1.1.1.8.0.255"),
  count(120_045),
];

const named = (body: DlmsData) =>
  Object.fromEntries((pushList(body)?.readings ?? []).map(({ name, value, unit }) => [name, [value, unit]]));
const stored = (body: DlmsData) =>
  Object.fromEntries(
    hanPush.decode(notificationOf(body), 1, scale).flatMap(({ values }) => Object.entries(values)),
  );
const kamstrup = { power_active: 1.53, current1: 5.12, tariff0: 1200.45 };

describe("a list of pairs", () => {
  it.each([
    ["visible text", structure(visible("Kamstrup_V0001"), ...pairs)],
    ["octets", structure(octets("Kamstrup_V0001"), ...pairs)],
    ["the value of a pair", structure(code("1.1.0.2.129.255"), octets("Kamstrup_V0001"), ...pairs)],
  ])("has its name as %s", (_, body) => {
    expect(named(body)).toMatchObject({
      list_ver_id: ["Kamstrup_V0001", ""],
      meter_id: ["5706567000000042", ""],
      current_l1: [5.12, "A"],
    });
    expect(stored(body)).toEqual(kamstrup);
  });

  it.each([
    ["without a name", structure(...pairs)],
    ["of a maker that is not known", structure(visible("Nobody_V0001"), ...pairs)],
  ])("%s is shown, but has no units, and an uplink of it is an error", (_, body) => {
    expect(named(body)).toMatchObject({ active_power_import: [1530, ""], current_l1: [512, ""] });
    expect(() => stored(body)).toThrow("no value of the list has a field and a known unit");
  });

  it("keeps the units of the list, for any manufacturer", () => {
    const unit = structure({ type: "int8", value: -1 }, { type: "enum", value: 35 });
    const body: DlmsData = { type: "array", items: [structure(code("1.0.32.7.0.255"), count(2301), unit)] };

    expect(stored(body)).toEqual({ voltage1: 230.1 });
  });
});
