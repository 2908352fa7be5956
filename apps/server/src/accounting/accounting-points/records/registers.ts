import { problem } from "@metrum/contract/core";
import type { MeterModel } from "@metrum/catalogue";
import { fieldOf, isFieldName, resourceByKey, type FieldName } from "@metrum/vocabulary";
import { modelOf } from "#metering/models";
import type { TiedDevice } from "./deviceStore.ts";
import type { RegisterValues } from "./tables.ts";

/** The counters of a model, in the order of the model. */
export function countersOf(model: Pick<MeterModel, "fields" | "resource">): FieldName[] {
  return model.fields.filter((name) => fieldOf(name, model.resource).kind === "counter");
}

/** The counter that is the main register: that of the resource, else the first; undefined without any. */
export function mainRegister(
  model: Pick<MeterModel, "fields" | "resource" | "pulses">,
): FieldName | undefined {
  const counters = countersOf(model);
  const preferred = [
    model.pulses?.main,
    resourceByKey[model.resource].mainField,
    "tariff0",
    "tariff1",
    "in1",
  ];
  return preferred.flatMap((name) => counters.filter((counter) => counter === name))[0] ?? counters[0];
}

/** The main register of a tie: as given, else that of the model. Problem: point_register_unknown. */
export function registerOf(device: TiedDevice, given: string | undefined): FieldName {
  const model = modelOf(device.model_id);
  const field = given ?? mainRegister(model);
  const counter = countersOf(model).find((name) => name === field);
  if (counter === undefined) refuseRegister("field", field ?? device.name);
  return counter;
}

/**
 * Readings of registers by their names, with that of the main one. Problem: point_register_unknown for a name
 * that is no counter of the model.
 */
export function readingsOf(modelId: number, { main, value, by = {}, as }: ReadingInput): RegisterValues {
  const counters = new Set<string>(countersOf(modelOf(modelId)));
  const unknown = Object.keys(by).find((name) => !isFieldName(name) || !counters.has(name));
  if (unknown !== undefined) refuseRegister(`${as}.${unknown}`, unknown);
  return { ...by, ...(value == null ? {} : { [main]: value }) };
}

interface ReadingInput {
  readonly main: FieldName;
  readonly value: number | null | undefined;
  readonly by: Readonly<Record<string, number>> | undefined;
  /** Name of the argument, for its fault. */
  readonly as: "opening" | "closing";
}

function refuseRegister(attribute: string, field: string): never {
  throw problem("point_register_unknown", {
    params: { field },
    attributes: { [attribute]: ["point_register_unknown"] },
  });
}
