import type { MeterModel } from "@metrum/catalogue";
import type { ModelSetting } from "@metrum/contract/metering";
import { secretKinds, type SecretKind } from "@metrum/vocabulary";

/** Secrets supported by the protocol of a model, and the password that belongs to its own login. */
export const secretsOfModel = ({ driver, hasLogin }: MeterModel): SecretKind[] =>
  secretKinds.filter((kind) => driver.secrets?.[kind] !== undefined || (kind === "password" && hasLogin));

/**
 * Settings of a device of this model: pulse weight and starting value of pulse counters, transformer ratio of
 * electricity meters.
 */
export function settingsOfModel({ pulses, resource, hasOwnStartingValue }: MeterModel): ModelSetting[] {
  return [
    ...(pulses ? (["impulse_weight"] as const) : []),
    ...(pulses && !hasOwnStartingValue ? (["starting_value"] as const) : []),
    ...(resource === "electricity" ? (["transformation_ratio"] as const) : []),
  ];
}
