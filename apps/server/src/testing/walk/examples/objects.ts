import { aNode, aSheetImport } from "../spares.ts";
import type { Example, Examples } from "./example.ts";

/** A call whose body names one node. */
const ofNode: Example = {
  input: ({ ours }) => ({ body: { object_id: ours.object } }),
  foreign: { kind: "object", input: (id) => ({ body: { object_id: id } }) },
};

const aroundDarkhan = { south: 49, west: 105, north: 50, east: 107 };

/** Examples of the objects tree. */
export const objectExamples: Examples = {
  "object.tree": {},
  "object.buildTree": {
    input: ({ ours }) => ({ body: { parent_id: ours.object, with_stats: true } }),
    foreign: { kind: "object", input: (id) => ({ body: { parent_id: id } }) },
  },
  "object.objectGet": ofNode,
  "object.objectsGet": {
    input: ({ ours }) => ({ body: { ids: [ours.object] } }),
    foreign: { kind: "object", input: (id, { ours }) => ({ body: { ids: [ours.object, id] } }) },
  },
  "object.branch": {
    input: ({ ours }) => ({ body: { object_ids: [ours.object] } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_ids: [id] } }) },
  },
  "object.map": {},
  "object.mapStart": {},
  "object.mapView": {
    input: ({ ours }) => ({ body: { ...aroundDarkhan, zoom: 12, object_ids: [ours.object] } }),
    foreign: { kind: "object", input: (id) => ({ body: { ...aroundDarkhan, zoom: 12, object_ids: [id] } }) },
  },
  "object.mapList": {
    input: ({ ours }) => ({ body: { ...aroundDarkhan, per_page: 10, object_ids: [ours.object] } }),
    foreign: { kind: "object", input: (id) => ({ body: { ...aroundDarkhan, object_ids: [id] } }) },
  },
  "object.dadata": { input: () => ({ body: { query: "Sukhbaatar 14" } }) },
  "proxy.garHints": { input: () => ({ body: { query: "Sukhbaatar 14" } }) },
  "geo.search": { input: () => ({ body: { lat: 49.4669, lon: 105.9621, limit: 3 } }) },
  "object.smartImport": {
    input: () => ({
      query: { dry_run: "true" },
      body: { file_name: "objects.csv", text: "Object (path);Device number\nTown / 1;S-77\n" },
    }),
  },
  "object.importFiles": {},
  "object.importFile": {
    input: async (fixture) => ({ params: { id: String(await aSheetImport(fixture, "done", "objects")) } }),
    foreign: { kind: "objectImport", input: (id) => ({ params: { id: String(id) } }) },
  },
  "object.importFileDelete": {
    input: async (fixture) => ({ params: { id: String(await aSheetImport(fixture, "done", "objects")) } }),
    foreign: { kind: "objectImport", input: (id) => ({ params: { id: String(id) } }) },
  },
  "object.heatCalculation": {
    input: ({ ours }) => ({ body: { object_id: ours.object, startDate: 1793491200, stopDate: 1793577600 } }),
    foreign: {
      kind: "object",
      input: (id) => ({ body: { object_id: id, startDate: 1793491200, stopDate: 1793577600 } }),
    },
  },
  "object.consumption": {
    input: ({ ours }) => ({ body: { object_id: ours.object, period: "week" } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_id: id, period: "week" } }) },
  },
  "device.address": {
    input: ({ ours }) => ({ body: { device_id: ours.device } }),
    foreign: { kind: "device", input: (id) => ({ body: { device_id: id } }) },
  },
  "object.export": { input: () => ({ body: { per_page: 10 } }) },
  "object.add": {
    input: ({ ours }) => ({ body: { name: "House 7", type: "house", parent_id: ours.object } }),
    foreign: { kind: "object", input: (id) => ({ body: { name: "Theirs", parent_id: id } }) },
  },
  "object.update": {
    input: async (fixture) => ({ body: { _id: await aNode(fixture), name: "Renamed" } }),
    foreign: { kind: "object", input: (id) => ({ body: { _id: id, name: "Theirs" } }) },
  },
  "object.updateSort": {
    input: ({ ours }) => ({ body: { ids: [ours.object] } }),
    foreign: { kind: "object", input: (id) => ({ body: { ids: [id] } }) },
  },
  "object.linkParentsChilds": ofNode,
  "object.addAutomatically": {
    input: () => ({ body: { addresses: [{ city: "Darkhan", street: "Sukhbaatar", house: "14" }] } }),
  },
  "object.remove": {
    input: async (fixture) => ({ body: { object_id: await aNode(fixture) } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_id: id } }) },
  },
  "object.tieDevices": {
    input: ({ ours }) => ({ body: { object_id: ours.object, device_ids: [ours.device] } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { object_id: ours.object, device_ids: [ours.device, id] } }),
    },
  },
  "object.tieGateways": {
    input: ({ ours }) => ({ body: { object_id: ours.object, gateway_ids: [ours.gateway] } }),
    foreign: {
      kind: "gateway",
      input: (id, { ours }) => ({ body: { object_id: ours.object, gateway_ids: [id] } }),
    },
  },
  "object.tieBaseStations": {
    input: ({ ours }) => ({ body: { object_id: ours.object, base_station_ids: [ours.baseStation] } }),
    foreign: {
      kind: "baseStation",
      input: (id, { ours }) => ({ body: { object_id: ours.object, base_station_ids: [id] } }),
    },
  },
  "object.massTieDevices": {
    input: ({ ours }) => ({ body: { object_ids: [ours.object], device_ids: [ours.device] } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({ body: { object_ids: [ours.object], device_ids: [id] } }),
    },
  },
  "object.untie": {
    input: ({ ours }) => ({
      body: { device_ids: [ours.device], gateway_ids: [ours.gateway], base_station_ids: [ours.baseStation] },
    }),
    foreign: { kind: "gateway", input: (id) => ({ body: { gateway_ids: [id] } }) },
  },
  "object.users": ofNode,
  "object.tieUsers": {
    input: async (fixture) => ({ body: { object_id: await aNode(fixture), user_ids: [fixture.ours.user] } }),
    foreign: {
      kind: "user",
      input: (id, { ours }) => ({ body: { object_id: ours.object, user_ids: [ours.user, id] } }),
    },
  },
  "object.tieUser": {
    input: ({ ours }) => ({ params: { id: ours.object }, body: { user_id: ours.user } }),
    foreign: { kind: "object", input: (id, { ours }) => ({ params: { id }, body: { user_id: ours.user } }) },
  },
  "object.untieUser": {
    input: ({ ours }) => ({ params: { id: ours.object }, body: { user_id: ours.user } }),
    foreign: { kind: "object", input: (id, { ours }) => ({ params: { id }, body: { user_id: ours.user } }) },
  },
  "object.attributes": ofNode,
  "object.attributeSet": {
    input: ({ ours }) => ({ body: { object_id: ours.object, name: "Year", value: "1987" } }),
    foreign: { kind: "object", input: (id) => ({ body: { object_id: id, name: "Year", value: "1" } }) },
  },
};
