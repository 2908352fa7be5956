import type { Domain } from "#core";
import { serveModels } from "./calls.ts";

export { isAddress } from "./address.ts";
export { controlsOf, interfaceIdsOf, interfaceOf, modelOf, sharesInterface, shownModel } from "./models.ts";
export { secretsOfModel, settingsOfModel } from "./settings.ts";

export const models: Domain = { name: "models", calls: serveModels };
