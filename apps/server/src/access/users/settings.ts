import { BoundedObject, problem } from "@metrum/contract/core";
import { z } from "zod/mini";

type Settings = Record<string, unknown>;

/**
 * Merges by key, so that a second tab does not overwrite what the first one saved: objects are merged
 * recursively, other values are replaced, null removes a key. The result has the same size limit as the
 * input. Throws `wrong_input`.
 */
export function mergeSettings(stored: Settings, given: Settings): Settings {
  const merged = merge(stored, given);
  if (!z.safeParse(BoundedObject, merged).success)
    throw problem("wrong_input", { attributes: { settings: ["size"] } });
  return merged;
}

function merge(stored: Settings, given: Settings): Settings {
  const entries = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(given)) {
    const before = entries.get(key);
    if (value === null) entries.delete(key);
    else entries.set(key, isObject(value) ? merge(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
