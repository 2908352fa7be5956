import type { LineDriver } from "@metrum/protocols/core";
import { crc16 } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { meterModels, modelById } from "./models.ts";

type Addresses = Readonly<Partial<Record<FieldName, number>>>;

const phases = <Stem extends string>(stem: Stem, ...addresses: readonly [number, number, number]) => ({
  [`${stem}1`]: addresses[0],
  [`${stem}2`]: addresses[1],
  [`${stem}3`]: addresses[2],
});

const eastronCounters = { Frequency: 0x46, tariff0: 0x48, tariff_negative0: 0x4a };
const eastronReactive = { tariff_reactive0: 0x4c, tariff_reactive_negative0: 0x4e };
const eastronSingle: Addresses = {
  voltage1: 0x00,
  current1: 0x06,
  power_active: 0x0c,
  power_apparent: 0x12,
  power_reactive: 0x18,
  cos0: 0x1e,
  ...eastronCounters,
  ...eastronReactive,
};
const eastronThree: Addresses = {
  ...phases("voltage", 0x00, 0x02, 0x04),
  ...phases("current", 0x06, 0x08, 0x0a),
  ...phases("power_active", 0x0c, 0x0e, 0x10),
  ...phases("power_apparent", 0x12, 0x14, 0x16),
  ...phases("power_reactive", 0x18, 0x1a, 0x1c),
  ...phases("cos", 0x1e, 0x20, 0x22),
  power_active: 0x34,
  power_apparent: 0x38,
  power_reactive: 0x3c,
  cos0: 0x3e,
  ...eastronCounters,
};
const schneider: Addresses = {
  ...phases("current", 0x0bb7, 0x0bb9, 0x0bbb),
  ...phases("voltage", 0x0bd3, 0x0bd5, 0x0bd7),
  ...phases("power_active", 0x0bed, 0x0bef, 0x0bf1),
  power_active: 0x0bf3,
  power_reactive: 0x0bfb,
  power_apparent: 0x0c03,
  Frequency: 0x0c25,
  tariff0: 0x0c83,
  tariff_negative0: 0x0c87,
  tariff_reactive0: 0x0c93,
  tariff_reactive_negative0: 0x0c97,
};
const abb: Addresses = {
  tariff0: 0x5000,
  tariff_negative0: 0x5004,
  ...phases("voltage", 0x5b00, 0x5b02, 0x5b04),
  ...phases("current", 0x5b0c, 0x5b0e, 0x5b10),
  power_active: 0x5b14,
  ...phases("power_active", 0x5b16, 0x5b18, 0x5b1a),
  Frequency: 0x5b2c,
  cos0: 0x5b3a,
  ...phases("cos", 0x5b3b, 0x5b3c, 0x5b3d),
};

/**
 * First register of each value in volkszaehler/mbmd (meters/rs485, commit fb8f9c22f121), by vocabulary names.
 */
const addresses: Readonly<Record<number, Addresses>> = {
  101: { ...eastronThree, ...eastronReactive },
  102: eastronSingle,
  103: schneider,
  105: abb,
  106: {
    ...phases("voltage", 0x4a38, 0x4a3a, 0x4a3c),
    ...phases("current", 0x4a44, 0x4a46, 0x4a48),
    ...phases("power_active", 0x4a4c, 0x4a4e, 0x4a50),
    power_active: 0x4a52,
    ...phases("cos", 0x4a64, 0x4a66, 0x4a68),
    Frequency: 0x4a6a,
    tariff0: 0x4a7c,
    tariff_negative0: 0x4a84,
  },
  180: eastronThree,
  181: eastronSingle,
  182: eastronThree,
  184: schneider,
  185: abb,
  192: {
    tariff0: 0x101e,
    tariff_negative0: 0x1028,
    ...phases("voltage", 0x2006, 0x2008, 0x200a),
    ...phases("current", 0x200c, 0x200e, 0x2010),
    power_active: 0x2012,
    ...phases("power_active", 0x2014, 0x2016, 0x2018),
    power_reactive: 0x201a,
    ...phases("power_reactive", 0x201c, 0x201e, 0x2020),
    cos0: 0x202a,
    ...phases("cos", 0x202c, 0x202e, 0x2030),
    Frequency: 0x2044,
  },
  196: {
    ...phases("voltage", 0x0001, 0x0003, 0x0005),
    ...phases("current", 0x0007, 0x0009, 0x000b),
    ...phases("power_active", 0x0013, 0x0015, 0x0017),
    ...phases("power_reactive", 0x0019, 0x001b, 0x001d),
    ...phases("power_apparent", 0x001f, 0x0021, 0x0023),
    Frequency: 0x0031,
    power_active: 0x0039,
    power_reactive: 0x003b,
    power_apparent: 0x003d,
    tariff0: 0x1b1f,
    tariff_negative0: 0x1b23,
    tariff_reactive0: 0x1b27,
    tariff_reactive_negative0: 0x1b2b,
  },
  197: {
    ...phases("voltage", 0x5002, 0x5004, 0x5006),
    Frequency: 0x5008,
    ...phases("current", 0x500c, 0x500e, 0x5010),
    power_active: 0x5012,
    ...phases("power_active", 0x5014, 0x5016, 0x5018),
    power_reactive: 0x501a,
    ...phases("power_reactive", 0x501c, 0x501e, 0x5020),
    power_apparent: 0x5022,
    ...phases("power_apparent", 0x5024, 0x5026, 0x5028),
    cos0: 0x502a,
    ...phases("cos", 0x502c, 0x502e, 0x5030),
    tariff0: 0x600c,
    tariff1: 0x600e,
    tariff2: 0x6010,
    tariff_negative0: 0x6018,
    tariff_negative1: 0x601a,
    tariff_negative2: 0x601c,
    tariff_reactive0: 0x6030,
    tariff_reactive_negative0: 0x603c,
  },
};

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** The answer of a meter whose registers are all zero but one. */
function answerOf(sent: Uint8Array, { isTcp, only }: { isTcp: boolean; only: number }): Uint8Array {
  const head = isTcp ? 6 : 0;
  const [first, count] = [word(sent, head + 2), word(sent, head + 4)];
  const data = new Uint8Array(count * 2);
  // A first register that is not zero, no sentinel and a normal number in every type.
  if (only >= first && only < first + count) data.set([0x42, 0x48], (only - first) * 2);
  const body = Uint8Array.of(sent[head] ?? 0, sent[head + 1] ?? 0, data.length, ...data);
  if (isTcp) return Uint8Array.of(...sent.subarray(0, 4), body.length >> 8, body.length & 0xff, ...body);
  const check = crc16(body);
  return Uint8Array.of(...body, check & 0xff, check >> 8);
}

/** Fields that are not zero if only this register of the meter is not. */
function fieldsAt(driver: LineDriver, only: number): readonly string[] {
  const isTcp = driver.protocol === "modbus-tcp";
  const dialogue = driver.poll({ kind: "now" }, { insideAddr: "1", deviceID: "" });
  let turn = dialogue.next();
  while (turn.done !== true) {
    if (!("send" in turn.value)) throw new Error("a register map reserves nothing");
    turn = dialogue.next(answerOf(turn.value.send, { isTcp, only }));
  }
  return turn.value.flatMap(({ values }) =>
    Object.entries(values).flatMap(([field, value]) => (value === 0 ? [] : [field])),
  );
}

describe("register maps against another open reader", () => {
  const claimed = meterModels.filter(({ evidence = [] }) => evidence.some(({ kind }) => kind === "software"));

  it("every model with a program as evidence is compared here", () => {
    const ids = (list: readonly number[]) => list.toSorted((a, b) => a - b);

    expect(ids(claimed.map(({ id }) => id))).toEqual(ids(Object.keys(addresses).map(Number)));
  });

  it.each(Object.entries(addresses))(
    "model %s reads its values from the same registers as the reader",
    (id, known) => {
      const model = modelById(Number(id));
      if (model?.kind !== "meter" || model.driver.kind !== "line") throw new Error(`no such meter: ${id}`);
      const { driver, evidence = [] } = model;

      const found = Object.entries(known).map(([field, address]) => [field, fieldsAt(driver, address)]);

      expect(found).toEqual(Object.keys(known).map((field) => [field, [field]]));
      const words = evidence.map(({ compared }) => compared).join();
      expect(words).toMatch(new RegExp(`\\b${String(Object.keys(known).length)} (of the \\d+ )?registers`));
    },
  );
});
