import { existsSync, readFileSync } from "node:fs";
import { fromHex, replay } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { meterModels, modelById } from "./models.ts";

/** Public telegrams of real meters, read in place; see its README. */
const file = new URL("../../../../shared/vectors/mbus/libmbus.json", import.meta.url);
const isThere = existsSync(file);
interface Corpus {
  readonly cases: readonly { readonly name: string; readonly hex: string }[];
}
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as Corpus).cases : [];

/**
 * Values read by an independent decoder from the telegram, in vocabulary units: 1 Gcal is 1163 kWh or 4.1868
 * GJ.
 */
const expected = [
  [230, "engelmann_sensostar2c", { tariff1: 800 / 1163, V_in: 12.9, T_in: 95, T_out: 43, T_delta: 52.58 }],
  [231, "itron_cf_echo_2", { tariff1: 0, V_in: 0, T_in: 20.5, T_out: 20.6, T_delta: 0.09 }],
  [232, "sontex_supercal_531_telegram1", { tariff1: 0, V_in: 0, T_in: 0, T_out: 0, Q_in: 0 }],
  [233, "SEN_Sensus-PolluStat-E", { tariff1: 0, V_in: 0, T_in: 20.1, T_out: 20.2, T_delta: 0 }],
  [234, "ZRM_Minol-Minocal-C2", { tariff1: 3 / 1163, V_in: 0.074, T_in: 20.71, T_out: 20.38 }],
  [235, "allmess_cf50", { tariff1: 0, V_in: 0.3, T_in: 128.8, T_out: 51.6, T_delta: 77.23 }],
  [350, "itron_cyble_m-bus_v1.4_water", { in1: 123.49 }],
  [351, "ram_modularis", { in1: 10.116 }],
  [352, "GWF-MTKcoder", { in1: 269 }],
  [353, "els_tmpa_telegramm1", { in1: 1234.567 }],
] as const;

const shortFrame = (control: number, address: number): Uint8Array =>
  Uint8Array.of(0x10, control, address, (control + address) & 0xff, 0x16);

/**
 * A telegram that announces another (DIF 1F at its end), which was not recorded, as the last one (0F): 16
 * less in the checksum too.
 */
function asLast(frame: Uint8Array): Uint8Array {
  const [more, sum] = [frame.at(-3) ?? 0, frame.at(-2) ?? 0];
  return more === 0x1f ? Uint8Array.of(...frame.subarray(0, -3), 0x0f, (sum - 0x10) & 0xff, 0x16) : frame;
}

describe.skipIf(!isThere)("public telegrams (shared/vectors/mbus/libmbus.json)", () => {
  it.each(expected)("model %i reads %s", (id, name, values) => {
    const model = modelById(id);
    const frame = asLast(fromHex(cases.find((each) => each.name === name)?.hex ?? ""));
    if (model?.kind !== "meter" || model.driver.kind !== "line")
      throw new Error(`no line meter ${String(id)}`);
    const address = frame[5] ?? 0;

    const [reset, request] = [shortFrame(0x40, address), shortFrame(0x7b, address)];
    const device = { insideAddr: String(address), deviceID: "" };
    const readings = replay(model.driver.poll({ kind: "now" }, device), [
      [reset, Uint8Array.of(0xe5)],
      [request, frame],
    ]);

    const read = new Map(readings.flatMap((reading) => Object.entries(reading.values)));
    for (const [field, value] of Object.entries(values)) expect(read.get(field), field).toBeCloseTo(value, 6);
  });

  it("every wired M-Bus model with a telegram as evidence is compared here", () => {
    const named = meterModels.filter(
      ({ evidence = [], driver }) =>
        driver.protocol === "mbus" && evidence.some(({ compared }) => compared.startsWith("Every value")),
    );

    expect(named.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected.map(([id]) => id));
  });
});
