import { z } from "zod/mini";
import { Id } from "../core/values.ts";

const updates = "4:update|4:access_all";
const deletes = "4:delete|4:access_all";

/** Changes of many gateways or base stations, with the right that each needs. */
export const carrierChanges = {
  switch_on: updates,
  switch_off: updates,
  archive: deletes,
  unarchive: deletes,
  trash: deletes,
  restore: deletes,
} as const satisfies Record<string, string>;
export type CarrierAction = keyof typeof carrierChanges;

/** Why one of many gateways or base stations was not changed. */
const carrierFaults = ["in_trash", "archived", "identifier_taken", "tied_devices_only"] as const;
export type CarrierFault = (typeof carrierFaults)[number];

const actions = Object.keys(carrierChanges) as [CarrierAction, ...CarrierAction[]];

export const CarrierChange = z.object({ action: z.enum(actions) });

/** Those that are already as wanted are neither changed nor refused. */
export const CarrierChanged = z.object({
  changed_count: z.int(),
  refused: z.array(z.object({ reason: z.enum(carrierFaults), count: z.int() })),
});
export type CarrierChanged = z.infer<typeof CarrierChanged>;

export const CarrierArchive = z.object({
  ids: z.array(Id).check(z.minLength(1), z.maxLength(1000)),
  is_archived: z.boolean(),
});

export const CarrierCounts = z
  .object({ all: z.int(), archived: z.int(), deleted: z.int() })
  .check(z.describe("in use, in the archive and in the trash, regardless of the filter"));
