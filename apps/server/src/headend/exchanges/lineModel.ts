import { modelById, type MeterModel } from "@metrum/catalogue";
import type { LineDriver } from "@metrum/protocols/core";

/** A model whose devices are polled over a line. */
export type LineModel = MeterModel & { readonly driver: LineDriver };

const answersOverLine = (model: MeterModel): model is LineModel => model.driver.kind === "line";

/** The model of a device that is polled over a line; undefined for all others. */
export function lineModel(modelId: number): LineModel | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && answersOverLine(model) ? model : undefined;
}

/** The driver of a device that is polled over a line, or of a gateway that is controlled; else undefined. */
export function spokenDriver(modelId: number): LineDriver | undefined {
  const model = modelById(modelId);
  return model?.kind === "gateway" ? model.control?.driver : lineModel(modelId)?.driver;
}
