import { meterModels } from "@metrum/catalogue";
import type { Domain } from "#core";
import { serveDevices } from "./calls.ts";
import { syncModelTitles } from "./store.ts";
import { serveCompanyModels } from "./models.ts";
import { serveTies } from "./ties.ts";

export { identitiesOf, type DeviceIdentity } from "./identities.ts";

export const devices: Domain = {
  name: "devices",
  calls: (api) => {
    serveDevices(api);
    serveCompanyModels(api);
    serveTies(api);
  },
  api: async ({ database }) => {
    await syncModelTitles(database.system, new Map(meterModels.map((model) => [model.id, model.title])));
    return () => Promise.resolve();
  },
};
