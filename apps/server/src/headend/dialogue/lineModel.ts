import { modelById, type MeterModel } from "@metrum/catalogue";

/** The model of a device that answers over a line; undefined for all others. */
export function lineModel(modelId: number): MeterModel | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "line" ? model : undefined;
}
