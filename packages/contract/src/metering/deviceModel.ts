import { z } from "zod/mini";
import { Id } from "../core/values.ts";

export const Control = z.object({
  active: z.boolean(),
  settings: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe("arguments with their limits: kind, unit, minimum, maximum, step, choices")),
  properties: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe("commands of a block of parameters: kind read, toggle or number, with limits")),
});
export const TabDefinition = z.object({ msgTypes: z.array(z.int()), chart_fields: z.array(z.string()) });

/** A device model as data, from which the web app derives tabs, columns and buttons. */
export const DeviceModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  brand: z.string(),
  device_group_id: z.int(),
  device_type_id: z.int(),
  interface_ids: z.array(z.int()),
  protocol: z.string(),
  options: z.object({
    control: z.record(z.string(), Control),
    /** Active: polled over a line, which can be opened through a transparent port. */
    virtual_bridge: z.object({ active: z.boolean() }),
  }),
  tabs: z.record(z.string(), TabDefinition),
  fields: z.array(z.string()),
  has_own_starting_value: z
    .boolean()
    .check(z.describe("continues the count of its register: starting_value is neither requested nor shown")),
  has_login: z.boolean().check(z.describe("login and password are entered with the device")),
  has_vectors: z
    .boolean()
    .check(z.describe("voltages and currents can be drawn as a three-phase vector diagram")),
});
export type DeviceModel = z.infer<typeof DeviceModel>;
