import { z } from "zod/mini";
import type { Text } from "./text.ts";

/**
 * A key of the `management` object of a control request (section 3 of the control document).
 * `changesDevice` chooses the right: true needs update on module 4, false needs read. Keys that are in no list count as changing.
 */
export interface Command {
  readonly key: string;
  readonly changesDevice: boolean;
  readonly title: Text;
  readonly arguments: z.ZodMiniType;
}

const command = <Key extends string>(
  key: Key,
  changesDevice: boolean,
  args: z.ZodMiniType,
  ru: string,
  en: string,
  mn: string,
): Command & { readonly key: Key } => ({ key, changesDevice, arguments: args, title: { ru, en, mn } });

/** Commands that drivers of this release carry out; each is switched on per model. */
export const commands = [
  command(
    "now_value",
    false,
    z.literal(1),
    "Запросить текущие значения",
    "Request current values",
    "Одоогийн утга асуух",
  ),
  command("tariff", false, z.literal(1), "Запросить показания", "Request readings", "Заалт асуух"),
  command(
    "read_info",
    false,
    z.literal(true),
    "Перечитать модель",
    "Read device information",
    "Төхөөрөмжийн мэдээлэл унших",
  ),
] as const;

export type CommandKey = (typeof commands)[number]["key"];

/** Whether a `management` key changes the device; unknown keys do. */
export function changesDevice(key: string): boolean {
  return commands.find((each) => each.key === key)?.changesDevice ?? true;
}
