import type { DeviceModel } from "@metrum/contract/metering";
import {
  commandOf,
  narrowedFields,
  type Command,
  type CommandField,
  type Narrowings,
} from "@metrum/vocabulary";

type Controls = DeviceModel["options"]["control"];
type Shown = Record<string, unknown>;

/**
 * `options.control` of a model: an entry for each command, with the limits of its arguments as settings;
 * commands of one block share an entry, and are its properties.
 */
export function shownControls(controls: Readonly<Partial<Record<string, Narrowings>>>): Controls {
  const shown: Controls = {};
  for (const [key, narrowings] of Object.entries(controls)) {
    const command = commandOf(key);
    if (!command) continue;
    const fields = "value" in command.arguments ? [] : narrowedFields(command.arguments, narrowings);
    const entry = command.control ?? key;
    const settings = Object.fromEntries(fields.map((field) => [field.key, shownField(field)]));
    if (blocks.has(entry))
      shown[entry] = {
        active: true,
        properties: { ...shown[entry]?.properties, [key]: propertyOf(command, fields) },
      };
    else shown[entry] = { active: true, ...(fields.length > 0 ? { settings } : {}) };
  }
  return shown;
}

const blocks: ReadonlySet<string> = new Set(["mg08", "gateway_settings"]);

function propertyOf(command: Command, fields: readonly CommandField[]): Shown {
  const [field] = fields;
  if (!field) return { kind: "read" };
  return field.kind === "switch" ? { kind: "toggle" } : shownField(field);
}

function shownField(field: CommandField): Shown {
  const { kind } = field;
  switch (field.kind) {
    case "number":
      return { kind, unit: field.unit, minimum: field.minimum, maximum: field.maximum, step: field.step };
    case "choice":
      return { kind, choices: field.choices.map(({ value }) => value) };
    case "bytes":
    case "list":
      return { kind, minimum: field.minimum, maximum: field.maximum };
    default:
      return { kind };
  }
}
