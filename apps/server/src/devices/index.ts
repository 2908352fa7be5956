import { meterModels } from "@metrum/catalogue";
import type { Domain } from "#core";
import { serveDevices } from "./calls.ts";
import { syncModelTitles } from "./store.ts";

export const devices: Domain = {
  name: "devices",
  calls: serveDevices,
  api: async ({ database }) => {
    await syncModelTitles(database.system, new Map(meterModels.map((model) => [model.id, model.title])));
    return () => Promise.resolve();
  },
};
