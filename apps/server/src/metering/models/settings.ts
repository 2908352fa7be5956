import type { MeterModel } from "@metrum/catalogue";
import type { ModelSetting } from "@metrum/contract";
import { secretKinds, type SecretKind } from "@metrum/vocabulary";

/** Secrets that the protocol of a model has a use for. */
export const secretsOfModel = ({ driver }: MeterModel): SecretKind[] =>
  secretKinds.filter((kind) => driver.secrets?.[kind] !== undefined);

/** What a device of this model is set up with: weight and start of pulse counters, ratio of electricity meters. */
export function settingsOfModel({ pulses, resource, hasOwnStartingValue }: MeterModel): ModelSetting[] {
  return [
    ...(pulses ? (["impulse_weight"] as const) : []),
    ...(pulses && !hasOwnStartingValue ? (["starting_value"] as const) : []),
    ...(resource === "electricity" ? (["transformation_ratio"] as const) : []),
  ];
}
