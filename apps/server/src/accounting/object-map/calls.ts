import { objectMap } from "@metrum/contract/accounting";
import { serve, type Api } from "#core";
import { allObjects, mapList, mapView, startOfMap } from "./map.ts";

export function serveMap(api: Api): void {
  serve(api, objectMap, {
    all: (_, ctx) => allObjects(ctx),
    start: (_, ctx) => startOfMap(ctx),
    view: ({ body }, ctx) => mapView(ctx, body),
    list: ({ body }, ctx) => mapList(ctx, body),
  });
}
