import { polledFields, type AdminPoll } from "@metrum/contract/headend";
import { fieldOf, isFieldName, units } from "@metrum/vocabulary";
import type { Language } from "#lib/i18n";

/** An entry of the field-title directory, as needed for a poll. */
interface Title {
  readonly name: string;
  readonly title: string;
  readonly title_en: string;
  readonly unit: { readonly title: string };
  readonly device_group_id: number;
}

/** Meters behind modems are electricity meters; other groups use some field names with other units. */
const electricityGroup = 4;

export interface PollLine {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly value: string;
}

interface Words {
  readonly titles: readonly Title[];
  readonly language: Language;
  /** With 0 to 2 decimals. */
  readonly number: (value: number) => string;
  readonly time: (at: number) => string;
  /** Values outside the vocabulary: model and time. */
  readonly head: (name: "model" | "serial_number" | "datetime") => string;
}

const order = ["model", "serial_number", "datetime", ...polledFields] as const;
const nothing = "—";

/** Result of a poll, one line per known value, with title and unit of the directory. */
export function linesOf(answer: AdminPoll, words: Words): readonly PollLine[] {
  return order.flatMap((name) => {
    const value = answer[name];
    if (value === undefined) return [];
    const known = titleOf(name, words.titles);
    const title = known === undefined ? name : words.language === "ru" ? known.title : known.title_en;
    const own = words.language === "mn" ? mongolianOf(name, words) : undefined;
    const unit = known?.unit.title ?? "";
    return [{ name, title, unit, ...own, value: textOf(name, value, words) }];
  });
}

/** The directory has two languages; the third comes from the vocabulary it is derived from. */
function mongolianOf(
  name: (typeof order)[number],
  { head }: Words,
): { readonly title: string; readonly unit: string } | undefined {
  if (name === "model" || name === "serial_number" || name === "datetime")
    return { title: head(name), unit: "" };
  if (!isFieldName(name)) return undefined;
  const { title, unit } = fieldOf(name, "electricity");
  return { title: title.mn, unit: units[unit].mn };
}

/** As a table for the clipboard: title, value and unit, one line each. */
export const tabbed = (lines: readonly PollLine[]): string =>
  lines.map(({ title, value, unit }) => [title, value, unit].join("\t")).join("\n");

function titleOf(name: string, titles: readonly Title[]): Title | undefined {
  const named = titles.filter((each) => each.name === name);
  return named.find(({ device_group_id }) => device_group_id === electricityGroup) ?? named[0];
}

function textOf(name: string, value: string | number | null, { number, time }: Words): string {
  if (value === null || value === "") return nothing;
  if (typeof value === "string") return value;
  return name === "datetime" ? time(value) : number(Math.round(value * 100) / 100);
}
