import { anEmail } from "../bodies.ts";
import { aConverter, aSpare } from "../spares.ts";
import type { Examples } from "./example.ts";

const aGateway = () => ({ name: "Basement", device_id: anEmail(), model_id: 601 });

const aLine = (gateway_id: number) => ({ gateway_id, tcp: { host: "192.0.43.7", port: 5000 } });

/** Examples of gateways, their lines and base stations. */
export const gatewayExamples: Examples = {
  "gateway.get": {
    input: ({ ours }) => ({ params: { id: ours.gateway } }),
    foreign: { kind: "gateway", input: (id) => ({ params: { id } }) },
  },
  "gateway.list": { input: () => ({ body: { per_page: 10, sort_field: "name", sort: "asc" } }) },
  "gateway.create": {
    input: ({ ours }) => ({ body: { ...aGateway(), base_station_id: ours.baseStation } }),
    foreign: { kind: "baseStation", input: (id) => ({ body: { ...aGateway(), base_station_id: id } }) },
  },
  "gateway.edit": {
    input: ({ ours }) => ({
      body: { id: ours.gateway, desc: "Under the stairs", base_station_id: ours.baseStation },
    }),
    foreign: { kind: "gateway", input: (id) => ({ body: { id, desc: "Theirs" } }) },
  },
  "gateway.replace": {
    input: ({ ours }) => ({ body: { device_id: ours.device, gateway_id: ours.gateway } }),
    foreign: {
      kind: "gateway",
      input: (id, { ours }) => ({ body: { device_id: ours.device, gateway_id: id } }),
    },
  },
  "gateway.massReplace": {
    input: ({ ours }) => ({ body: { items: [{ device_id: ours.device, gateway_id: ours.gateway }] } }),
    foreign: {
      kind: "device",
      input: (id, { ours }) => ({
        body: { items: [ours.device, id].map((device_id) => ({ device_id, gateway_id: ours.gateway })) },
      }),
    },
  },
  "gateway.compatible": {
    input: ({ ours }) => ({ body: { device_ids: [ours.device] } }),
    foreign: { kind: "device", input: (id, { ours }) => ({ body: { device_ids: [ours.device, id] } }) },
  },
  "gateway.toTrash": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "gateway", false) } }),
    foreign: { kind: "gateway", input: (id) => ({ params: { id } }) },
  },
  "gateway.restore": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "gateway", true) } }),
    foreign: { kind: "trashedGateway", input: (id) => ({ params: { id } }) },
  },
  "gateway.archive": {
    input: async (fixture) => ({
      body: { ids: [await aSpare(fixture, "gateway", false)], is_archived: true },
    }),
    foreign: { kind: "gateway", input: (id) => ({ body: { ids: [id], is_archived: true } }) },
  },
  "gateway.changeMany": {
    input: async (fixture) => ({
      body: { action: "switch_off", filter: { ids: [await aSpare(fixture, "gateway", false)] } },
    }),
    foreign: { kind: "gateway", input: (id) => ({ body: { action: "trash", filter: { ids: [id] } } }) },
  },
  "gateway.remove": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "gateway", true) } }),
    foreign: { kind: "trashedGateway", input: (id) => ({ params: { id } }) },
  },
  "line.list": { input: () => ({ body: { per_page: 10, sort_field: "name", sort: "asc" } }) },
  "line.ports": {},
  "line.save": {
    input: async (fixture) => ({ body: aLine(await aConverter(fixture)) }),
    foreign: { kind: "gateway", input: (id) => ({ body: aLine(id) }) },
  },
  "line.remove": {
    input: async (fixture) => ({ params: { id: await aConverter(fixture) } }),
    foreign: { kind: "gateway", input: (id) => ({ params: { id } }) },
  },
  // No process of this test opens lines.
  "line.test": {
    input: async (fixture) => ({
      body: { gateway_id: await aConverter(fixture), kind: "ask", model_id: 101 },
    }),
    foreign: { kind: "gateway", input: (id) => ({ body: { gateway_id: id, kind: "listen" } }) },
  },
  "baseStation.get": {
    input: ({ ours }) => ({ params: { id: ours.baseStation } }),
    foreign: { kind: "baseStation", input: (id) => ({ params: { id } }) },
  },
  "baseStation.list": { input: () => ({ body: { per_page: 10, sort_field: "name", sort: "asc" } }) },
  "baseStation.create": { input: () => ({ body: { name: "Roof", radius: 4000, device_id: anEmail() } }) },
  "baseStation.edit": {
    input: ({ ours }) => ({ body: { id: ours.baseStation, radius: 3500 } }),
    foreign: { kind: "baseStation", input: (id) => ({ body: { id, radius: 1 } }) },
  },
  "baseStation.toTrash": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "base_station", false) } }),
    foreign: { kind: "baseStation", input: (id) => ({ params: { id } }) },
  },
  "baseStation.restore": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "base_station", true) } }),
    foreign: { kind: "trashedBaseStation", input: (id) => ({ params: { id } }) },
  },
  "baseStation.archive": {
    input: async (fixture) => ({
      body: { ids: [await aSpare(fixture, "base_station", false)], is_archived: true },
    }),
    foreign: { kind: "baseStation", input: (id) => ({ body: { ids: [id], is_archived: true } }) },
  },
  "baseStation.changeMany": {
    input: async (fixture) => ({
      body: { action: "switch_off", filter: { ids: [await aSpare(fixture, "base_station", false)] } },
    }),
    foreign: { kind: "baseStation", input: (id) => ({ body: { action: "trash", filter: { ids: [id] } } }) },
  },
  "baseStation.remove": {
    input: async (fixture) => ({ params: { id: await aSpare(fixture, "base_station", true) } }),
    foreign: { kind: "trashedBaseStation", input: (id) => ({ params: { id } }) },
  },
};
