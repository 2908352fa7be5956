import { baseStations } from "@metrum/contract/metering";
import { serve, withMessage, type Api } from "#core";
import { changedCarriers } from "#metering/gateways";
import {
  createStation,
  editStation,
  openStation,
  putStationInTrash,
  removeStation,
  stationList,
} from "./baseStations.ts";
import { archiveStations, changeManyStations } from "./change.ts";

export function serveBaseStations(api: Api): void {
  serve(api, baseStations, {
    get: async ({ params }, ctx) => ({ base_station: await openStation(ctx, params.id) }),
    list: ({ body }, ctx) => stationList(ctx, body),
    create: async ({ body }, ctx) =>
      withMessage({ base_station: await createStation(ctx, body) }, "base_station_created"),
    edit: async ({ body }, ctx) => withMessage({ base_station: await editStation(ctx, body) }, "saved"),
    toTrash: async ({ params }, ctx) => {
      await putStationInTrash(ctx, params.id, true);
      return withMessage({}, "base_station_to_trash");
    },
    restore: async ({ params }, ctx) => {
      await putStationInTrash(ctx, params.id, false);
      return withMessage({}, "base_station_restored");
    },
    archive: async ({ body }, ctx) => {
      const count = await archiveStations(ctx, body);
      return withMessage({}, body.is_archived ? "base_stations_archived" : "base_stations_unarchived", {
        count,
      });
    },
    changeMany: async ({ body }, ctx) => changedCarriers(await changeManyStations(ctx, body)),
    remove: async ({ params }, ctx) => {
      await removeStation(ctx, params.id);
      return withMessage({}, "base_station_removed");
    },
  });
}
