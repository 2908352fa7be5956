import {
  fromHex,
  ProtocolError,
  type FuzzTarget,
  type Reading,
  type UplinkDriver,
} from "@metrum/protocols/core";
import type { MeterModel } from "./model.ts";
import { meterModels } from "./models.ts";

const now = 1_795_176_600;
const device = {
  insideAddr: "",
  deviceID: "12345678",
  impulseWeight: 0.01,
  startingValue: 5,
  keys: { encryption: "000102030405060708090a0b0c0d0e0f" },
};

interface UplinkModel extends MeterModel {
  readonly driver: UplinkDriver;
}

const isUplink = (model: MeterModel): model is UplinkModel => model.driver.kind === "uplink";

/** Payloads of the model's samples and its simulated device; the first byte is the port. */
function seedsOf({ driver, samples }: UplinkModel): Uint8Array[] {
  const recorded = samples.flatMap((each) =>
    each.of === "uplink" ? [Uint8Array.of(each.fport, ...fromHex(each.payload))] : [],
  );
  const { keys: _, ...open } = device;
  const sent = [device, open].map((each) => driver.encode(each, (field) => field.length, now));
  return [...recorded, ...sent.map(({ fport, payload }) => Uint8Array.of(fport, ...payload))];
}

/** Asserts that stored values are numbers; errors: Error for one that is not. */
function checked(readings: readonly Reading[]): readonly Reading[] {
  for (const { at, values } of readings)
    for (const value of [at, ...Object.values(values)])
      if (value !== null && !Number.isFinite(value)) throw new Error(`${String(value)} came out`);
  return readings;
}

function attempt(decode: () => unknown): void {
  try {
    decode();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}

function read({ driver }: UplinkModel, bytes: Uint8Array): readonly Reading[] {
  const fport = bytes[0] ?? 0;
  const payload = bytes.subarray(1);
  attempt(() => checked(driver.decode(payload, fport, device)));
  driver.answer?.(payload, fport, now);
  attempt(() => driver.explain(payload, fport));
  const { keys: _, ...open } = device;
  return checked(driver.decode(payload, fport, open));
}

const uplinkModels = meterModels.filter(isUplink);
const protocols = [...new Set(uplinkModels.map(({ driver }) => driver.protocol))];

/**
 * Drivers of devices with unsolicited uplinks, one target per protocol, whose models take turns: decoding
 * with and without a key, the answer, and the naming of bytes.
 */
export const catalogueFuzz: readonly FuzzTarget[] = protocols.map((protocol) => {
  const models = uplinkModels.filter(({ driver }) => driver.protocol === protocol);
  return {
    name: `uplink-${protocol}`,
    seeds: models.flatMap(seedsOf),
    decode(bytes) {
      const model = models[bytes.length % models.length];
      return model && read(model, bytes);
    },
  };
});
