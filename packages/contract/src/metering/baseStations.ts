import { z } from "zod/mini";
import { CarrierArchive, CarrierChange, CarrierChanged, CarrierCounts } from "./carrierChanges.ts";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds, ObjectFilter } from "../core/values.ts";
import { PollPause } from "./gateways.ts";

/** Maximum base stations of a company, its trash included. */
export const mostBaseStations = 5_000;

export const baseStationSortFields = ["id", "name", "device_id", "radius"] as const;

/** A LoRaWAN base station; its packet forwarder connects to the network server, never to this platform. */
export const BaseStation = z.object({
  id: Id,
  name: z.string(),
  radius: z.number().check(z.describe("metres")),
  desc: z.string(),
  poll_pause: z
    .int()
    .check(z.describe("least seconds between scheduled polls behind all gateways at it; 0: none")),
  device_id: z.string().check(z.describe("EUI or serial number; may be empty")),
  model_id: z.nullable(z.int()),
  model_title: z.nullable(z.string()),
  is_active: z.boolean(),
  is_deleted: z.boolean(),
  is_archived: z.boolean(),
  devices_count: z
    .int()
    .check(z.describe("devices assigned to it that the user sees, archive and trash excluded")),
  created_at: Seconds,
});
export type BaseStation = z.infer<typeof BaseStation>;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

const fields = {
  radius: z.optional(z.number().check(z.gte(0), z.lte(200_000))),
  desc: z.optional(z.string().check(z.trim(), z.maxLength(1000))),
  poll_pause: z.optional(PollPause),
  device_id: z.optional(
    z.string().check(
      z.overwrite((text) => text.replaceAll(/\s/g, "")),
      z.maxLength(100),
    ),
  ),
  model_id: z.optional(z.nullable(Id)),
  is_active: z.optional(z.boolean()),
};

const BaseStationChange = z.object({ ...fields, id: Id, name: z.optional(Name) });
export type BaseStationChange = z.infer<typeof BaseStationChange>;

const NewBaseStation = z.object({ ...fields, name: Name });
export type NewBaseStation = z.infer<typeof NewBaseStation>;

const selection = {
  search_string: listInput.search_string,
  ids: z.optional(z.array(Id).check(z.maxLength(1000))),
  object_ids: ObjectFilter,
  is_deleted: z.optional(z.boolean()),
  is_archived: z
    .optional(z.boolean())
    .check(z.describe("true: only the archive; absent or false: without it")),
};
const BaseStationSelection = z.object(selection);
export type BaseStationSelection = z.infer<typeof BaseStationSelection>;

export const BaseStationListInput = z.object({
  ...listInput,
  ...selection,
  paginate: z.optional(z.boolean()),
  sort_field: z.optional(z.enum(baseStationSortFields)),
});
export type BaseStationListInput = z.infer<typeof BaseStationListInput>;

const reads = "4:read|4:access_all";
const deletes = "4:delete|4:access_all";
const givenWrong = ["unknown_model", "identifier_taken", "tied_devices_only", "demo_refused"] as const;
const params = z.object({ id: IdText });

export const baseStations = {
  get: call({
    id: "baseStation.get",
    method: "GET",
    path: "device/base_station/:id",
    right: reads,
    reach: "branch",
    summary: "One base station, also from the trash",
    params,
    reply: z.object({ base_station: BaseStation }),
    problems: ["not_found"],
  }),
  list: call({
    id: "baseStation.list",
    rows: "base_stations.data",
    method: "POST",
    path: "device/base_stations",
    right: reads,
    reach: "branch",
    summary: "Base stations of the company, or those in its archive or trash",
    body: BaseStationListInput,
    reply: z.object({
      base_stations: paged(BaseStation),
      counts: CarrierCounts,
    }),
  }),
  create: call({
    id: "baseStation.create",
    method: "POST",
    path: "device/base_station/create",
    right: "4:create|4:access_all",
    reach: "branch",
    summary: "Registers a base station",
    body: NewBaseStation,
    reply: z.object({ base_station: BaseStation }),
    isOnce: true,
    problems: ["base_station_limit", ...givenWrong],
  }),
  edit: call({
    id: "baseStation.edit",
    method: "PUT",
    path: "device/base_station/edit",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Changes a base station; absent fields stay",
    body: BaseStationChange,
    reply: z.object({ base_station: BaseStation }),
    problems: ["not_found", "base_station_in_trash", "base_station_archived", ...givenWrong],
  }),
  toTrash: call({
    id: "baseStation.toTrash",
    method: "DELETE",
    path: "device/base_stations/remove_in_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Moves a base station to the trash; readings received through it are still taken",
    params,
    reply: Nothing,
    problems: ["not_found", "tied_devices_only", "demo_refused"],
  }),
  restore: call({
    id: "baseStation.restore",
    method: "DELETE",
    path: "device/base_stations/restore_from_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Restores a base station from the trash",
    params,
    reply: Nothing,
    problems: ["not_found", "identifier_taken", "tied_devices_only", "demo_refused"],
  }),
  archive: call({
    id: "baseStation.archive",
    isOwn: true,
    method: "PUT",
    path: "device/base_station/archive",
    right: deletes,
    reach: "branch",
    summary:
      "Archives base stations or restores them, all or none; readings received through them are still taken",
    body: CarrierArchive,
    reply: Nothing,
    problems: ["not_found", "base_station_in_trash", "tied_devices_only", "demo_refused"],
  }),
  changeMany: call({
    id: "baseStation.changeMany",
    isOwn: true,
    method: "PUT",
    path: "device/base_stations/change",
    right: "4:update|4:delete|4:access_all",
    reach: "branch",
    summary:
      "Changes all base stations that a filter matches; moves to the archive or the trash need delete on module 4, switching update",
    body: z.extend(CarrierChange, { filter: BaseStationSelection }),
    reply: CarrierChanged,
    problems: ["not_found", "demo_refused"],
  }),
  remove: call({
    id: "baseStation.remove",
    method: "DELETE",
    path: "device/base_stations/remove_from_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Removes a base station in the trash for good; its devices and gateways stay, without a station",
    params,
    reply: Nothing,
    problems: ["not_found", "base_station_not_in_trash", "tied_devices_only", "demo_refused"],
  }),
};
