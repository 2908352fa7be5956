import { baseStationModels, deviceTypes, gatewayModels, meterModels, modelById } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import { models, modelSheets } from "@metrum/contract/metering";
import { interfaces, resourceByKey, resources, tabs, type Text } from "@metrum/vocabulary";
import { serve, type Api } from "#core";
import { shownControls } from "./controls.ts";
import { brands, shownCommon, shownModel } from "./models.ts";
import { pollFieldsOf } from "./pollFields.ts";
import { sheetOf } from "./sheet.ts";

interface Choice {
  readonly search_string?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

export function serveModels(api: Api): void {
  serve(api, modelSheets, {
    get: ({ params }) => {
      const model = modelById(params.model_id);
      if (!model) throw problem("not_found");
      return { model: sheetOf(model) };
    },
  });
  serve(api, models, {
    devices: ({ body }) => ({ metering_devices: chosen(meterModels.map(shownModel), body) }),
    groups: ({ body }) => ({
      groups: chosen(
        resources.map((each) => ({ id: Number(each.deviceGroupId), ...titled(each.title) })),
        body,
      ),
    }),
    types: ({ body }) => ({
      types: chosen(
        deviceTypes.map((each) => ({
          id: each.id,
          ...titled(each.title),
          device_group_id: resourceByKey[each.resource].deviceGroupId,
        })),
        body,
      ),
    }),
    gateways: ({ body }) => ({
      gateways: chosen(
        gatewayModels.map((each) => ({
          ...shownCommon(each),
          connection: each.connection,
          options: { control: shownControls(each.control?.controls ?? {}) },
          tabs: {},
          has_raw_payload: each.hasRawPayload === true,
          is_always_controlled: each.isAlwaysControlled === true,
        })),
        body,
      ),
    }),
    baseStations: ({ body }) => ({
      base_stations: chosen(
        baseStationModels.map((each) => ({ ...shownCommon(each), options: {} })),
        body,
      ),
    }),
    brands: ({ body }) => ({ brands: chosen(brands, body) }),
    interfaces: ({ body: { connection_type } }) => ({
      interfaces: interfaces
        .filter((each) => connection_type === undefined || each.connectionType === connection_type)
        .map(({ id, name, title, connectionType }) => ({
          id,
          name,
          ...titled(title),
          connection_type: connectionType,
        })),
    }),
    pollFields: ({ body }) => ({ fields: pollFieldsOf(body) }),
    tabs: ({ body }) => ({ tabs: tabsOfGroup(body.device_group_id) }),
  });
}

/** English is used for every language but Russian: data titles have two. */
function titled(title: Text): { title: string; title_en: string } {
  return { title: title.ru, title_en: title.en };
}

function chosen<Row extends { readonly id: number; readonly title: string }>(
  rows: readonly Row[],
  by: Choice,
): Row[] {
  const text = by.search_string?.toLowerCase() ?? "";
  const ids = by.ids && new Set(by.ids);
  return rows.filter((row) => (ids?.has(row.id) ?? true) && row.title.toLowerCase().includes(text));
}

/** The union of the tabs of the models of a group, in the order of the data page. */
function tabsOfGroup(deviceGroupId: number) {
  const group = meterModels.filter((model) => resourceByKey[model.resource].deviceGroupId === deviceGroupId);
  return Object.entries(tabs).flatMap(([name, title]) => {
    const found = group.flatMap((model) =>
      Object.entries(model.tabs).flatMap(([key, tab]) => (key === name ? tab : [])),
    );
    if (found.length === 0) return [];
    return [
      {
        name,
        ...titled(title),
        msgTypes: [...new Set(found.flatMap((tab) => tab.msgTypes))],
        chart_fields: [...new Set(found.flatMap((tab) => tab.chart_fields ?? []))],
      },
    ];
  });
}
