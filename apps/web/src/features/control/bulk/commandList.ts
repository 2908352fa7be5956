import type { InputOf } from "@metrum/contract/core";
import type { control as calls } from "@metrum/contract/headend";
import type { DeviceModel } from "@metrum/contract/metering";
import { blocksOf, type Block } from "../offered.ts";

type Body = NonNullable<InputOf<typeof calls.plan>["body"]>;

/** The devices of a bulk command: the selected ones, a group, or all of a filter. */
export type Devices = Pick<Body, "device_ids"> | Pick<Body, "poll_group_id"> | Pick<Body, "filter">;

type Controls = DeviceModel["options"]["control"];

/**
 * Blocks of all commands that one of the models has, with the full range of their arguments: the plan says
 * which devices do not take a value.
 */
export function bulkBlocks(models: readonly Pick<DeviceModel, "options">[]): readonly Block[] {
  const all: Controls = {};
  for (const { options } of models)
    for (const [key, { active, properties }] of Object.entries(options.control))
      if (active) all[key] = { active, ...(properties ? { properties: bare(all[key], properties) } : {}) };
  return blocksOf(all);
}

/** Keys of the properties of both, without their limits. */
const bare = (known: Controls[string] | undefined, more: Readonly<Record<string, unknown>>) =>
  Object.fromEntries([...Object.keys(known?.properties ?? {}), ...Object.keys(more)].map((key) => [key, {}]));
