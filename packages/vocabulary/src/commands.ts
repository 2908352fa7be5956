import type { Command } from "./commandArguments.ts";
import type { Text } from "./text.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Commands that drivers of this release implement; each is enabled per model. */
export const commands = [
  {
    key: "now_value",
    title: text("Запросить текущие значения", "Request current values", "Одоогийн утга асуух"),
    changesDevice: false,
    actuates: false,
    readsBack: [1, 2],
    arguments: { value: 1 },
  },
  {
    key: "tariff",
    title: text("Запросить показания", "Request readings", "Заалт асуух"),
    changesDevice: false,
    actuates: false,
    readsBack: [1, 2],
    arguments: { value: 1 },
  },
  {
    key: "read_info",
    title: text("Перечитать модель", "Read device information", "Төхөөрөмжийн мэдээлэл унших"),
    changesDevice: false,
    actuates: false,
    readsBack: [1, 2],
    arguments: { value: true },
  },
] as const satisfies readonly Command[];

export type CommandKey = (typeof commands)[number]["key"];

type Listed = (typeof commands)[number];
/** The command of a key, with its literal types. */
export type CommandByKey<Key extends CommandKey> = Extract<Listed, { readonly key: Key }>;
/** Keys of the commands that change nothing in a device. */
export type ReadingCommandKey = Extract<Listed, { readonly changesDevice: false }>["key"];

/** The `management` object of a request that names no command: current values. */
export const pollManagement: Readonly<Record<string, unknown>> = { now_value: 1 };

export const commandOf = (key: string): Command | undefined => commands.find((each) => each.key === key);

/** Whether a `management` key changes the device; unknown keys count as changing. */
export const changesDevice = (key: string): boolean => !isReadingCommand(key);

/** Whether a `management` key only reads; unknown keys count as changing. */
export const isReadingCommand = (key: string): key is ReadingCommandKey =>
  commandOf(key)?.changesDevice === false;
