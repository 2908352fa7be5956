import { meterModels, type MeterModel } from "@metrum/catalogue";
import { ProtocolError, type Conversation, type LineDriver, type Reading } from "@metrum/protocols/core";

/** A model that may be on an unknown line, with its factory-set address. */
export interface Trial {
  readonly model: MeterModel;
  readonly driver: LineDriver;
  readonly insideAddr: string;
  /** Reported when a device answers without its model: meters of many manufacturers speak this protocol. */
  readonly title?: string;
}

/**
 * By protocol, in the order in which they are tried, the most common behind modems first. Mercury answers to
 * address 0 whatever its own is; that SPODES meters leave the factory with address 16 is from experience,
 * without a source.
 */
const wanted: readonly (Omit<Trial, "model" | "driver"> & { readonly protocol: string })[] = [
  { protocol: "mercury230", insideAddr: "0" },
  { protocol: "modbus-rtu", insideAddr: "1" },
  { protocol: "dlms", insideAddr: "16", title: "DLMS/COSEM" },
  { protocol: "iec62056-21", insideAddr: "", title: "IEC 62056-21" },
];
const mostOfProtocol = 2;

/**
 * Models to try on a line of meters: one model of each protocol whose meters identify themselves without a
 * password; of other protocols three-phase before single-phase.
 */
export const trials: readonly Trial[] = wanted.flatMap(({ protocol, ...rest }) => {
  const models = meterModels.filter(
    ({ driver, resource }) =>
      resource === "electricity" && driver.kind === "line" && driver.protocol === protocol,
  );
  const first = (phases: "three" | "one"): MeterModel | undefined =>
    models.find(({ fields }) => fields.includes("voltage3") === (phases === "three"));
  const found = [first("three"), first("one")].flatMap((model): Trial[] =>
    model?.driver.kind === "line" ? [{ model, driver: model.driver, ...rest }] : [],
  );
  return found.slice(0, found[0]?.driver.identify ? 1 : mostOfProtocol);
});

/** Address at which a model of this protocol is tried; undefined for a protocol that is not tried. */
export function trialAddress(modelId: number): string | undefined {
  const driver = meterModels.find(({ id }) => id === modelId)?.driver;
  return driver && trials.find((trial) => trial.driver.protocol === driver.protocol)?.insideAddr;
}

/**
 * The same dialogue with a single attempt for a step that nothing has ever answered: on an unknown line a
 * silent model costs one time-out, not three. The dialogue only reads: `poll` and `identify` of a driver
 * change nothing in a device.
 */
export function* impatient<Result>(conversation: Conversation<Result>): Conversation<Result> {
  let hasAnswered = false;
  let turn = conversation.next();
  while (!turn.done) {
    const { value } = turn;
    try {
      const reply = yield "counter" in value || hasAnswered ? value : { ...value, tries: 1 };
      hasAnswered = true;
      turn = conversation.next(reply);
    } catch (error) {
      turn = conversation.throw(error);
    }
  }
  return turn.value;
}

/** Plausible voltage of a connected phase. */
const [leastVolts, mostVolts] = [40, 500];

/**
 * Whether these can be values of the model. Registers of another device can be read as numbers too. Errors:
 * ProtocolError "unexpected" when they are implausible.
 */
export function mustMakeSense(model: MeterModel, readings: readonly Reading[]): readonly Reading[] {
  const values = Object.assign({}, ...readings.map((each) => each.values)) as Reading["values"];
  const phases = (["voltage1", "voltage2", "voltage3"] as const).filter((each) =>
    model.fields.includes(each),
  );
  const isMains = phases.every((phase) => {
    const volts = values[phase];
    return typeof volts === "number" && volts >= leastVolts && volts <= mostVolts;
  });
  if (!isMains) throw new ProtocolError("unexpected", "the values are none of this model");
  return readings;
}
