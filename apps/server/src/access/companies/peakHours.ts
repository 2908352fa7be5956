import { readFileSync } from "node:fs";
import type { PeakHours, PeakRange } from "@metrum/contract/access";
import { problem, type ReplyOf } from "@metrum/contract/core";
import { RegionPeakHours, type peakHours } from "@metrum/contract/metering";
import type { Language, Text } from "@metrum/vocabulary";
import { z } from "zod";
import { dayOf, resolveOne, type Ctx } from "#core";
import { noteChange } from "./note.ts";
import * as store from "./store.ts";
import type { CompanyOptions } from "./tables.ts";

type Defaults = ReplyOf<typeof peakHours.default>;

const TextShape = z.object({ ru: z.string(), en: z.string(), mn: z.string() });
/** Peak hours as configuration: a region with its two price zones and the source of its hours. */
const Region = z.object({
  id: z.number().int().positive(),
  title: TextShape,
  source: TextShape,
  hours: RegionPeakHours,
});
type Region = z.infer<typeof Region>;

const everyMonth = Array.from({ length: 12 }, (_, at) => at + 1);
/** Tariff zone "peak" of a meter with three tariffs: 07 to 10 and 17 to 21. */
const peakOfThreeTariffs: PeakHours[] = everyMonth.map((month) => ({
  month,
  ranges: [
    { start: 7, stop: 10 },
    { start: 17, stop: 21 },
  ],
}));

/** Default until the installation configures its own table; its title marks it as a proposal. */
const proposal: Region = {
  id: 1,
  title: { ru: "Предложение Metrum", en: "Proposal of Metrum", mn: "Metrum-ийн санал" },
  source: {
    ru: "Не официальные часы: пиковая зона трёхтарифного учёта, с 7 до 10 и с 17 до 21. Официальную таблицу задаёт поставщик услуги",
    en: "Not official hours: the peak zone of three-tariff metering, 7 to 10 and 17 to 21. The provider sets the official table",
    mn: "Албан ёсны цаг биш: гурван тарифын оргил бүс, 7-10 ба 17-21 цаг. Албан ёсны хүснэгтийг үйлчилгээ үзүүлэгч тогтооно",
  },
  hours: { price_0: peakOfThreeTariffs, price_1: peakOfThreeTariffs },
};

/**
 * The table that METRUM_PEAK_HOURS_FILE names, else the default: a JSON list of `{id, title, source, hours}`.
 * Errors: Error that names the setting when the file cannot be read or is not such a list.
 */
export function readRegions(file: string | undefined): readonly Region[] {
  if (file === undefined) return [proposal];
  try {
    return z
      .array(Region)
      .min(1)
      .parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new Error("METRUM_PEAK_HOURS_FILE: not a list of regions with peak hours", { cause });
  }
}

export function defaultPeakHours(regions: readonly Region[], language: Language): Defaults {
  const translated = (text: Text): string => text[language];
  return {
    peak_hours_each_month_by_regions_id: Object.fromEntries(
      regions.map(({ id, hours }) => [String(id), hours]),
    ),
    regions: regions.map(({ id, title, source }) => ({
      id,
      title: translated(title),
      source: translated(source),
    })),
  };
}

/** Company and instant of a request for peak hours. */
export interface PeakHoursOf {
  readonly timezone: string;
  readonly options: CompanyOptions;
  readonly peak_hours: readonly PeakHours[];
}

/**
 * The peak hours of the day of an instant, in hours of the company's zone; none on Saturday and Sunday. The
 * company chooses the table: a price zone of its region, or its own list.
 */
export function peakHoursOf(
  company: PeakHoursOf,
  at: number,
  regions: readonly Region[],
): readonly PeakRange[] {
  const day = new Date(dayOf(company.timezone, at) * 86_400_000);
  if (day.getUTCDay() === 0 || day.getUTCDay() === 6) return [];
  const month = day.getUTCMonth() + 1;
  return listOf(company, regions).find((each) => each.month === month)?.ranges ?? [];
}

function listOf({ options, peak_hours }: PeakHoursOf, regions: readonly Region[]): readonly PeakHours[] {
  const zone = options.peak_hours_zone ?? "price_0";
  if (zone === "manual") return peak_hours;
  const region = regions.find(({ id }) => id === options.peak_hours_region) ?? regions[0];
  return region?.hours[zone] ?? [];
}

/** Saves the company's own list, or that of a company below. Throws not_found. */
export async function savePeakHours(
  ctx: Ctx,
  id: number,
  list: readonly PeakHours[],
): Promise<readonly PeakHours[]> {
  const row = await store.company(ctx.db, ctx.scope, await resolveOne(ctx, "company", id));
  if (!row) throw problem("not_found");
  const peak_hours = list.filter(({ ranges }) => ranges.length > 0).toSorted((a, b) => a.month - b.month);
  await store.update(ctx.db, ctx.scope, row.id, { peak_hours });
  await noteChange(ctx, {
    action: "peakHours.set",
    id: row.id,
    before: { peak_hours: row.peak_hours },
    after: { peak_hours },
  });
  return peak_hours;
}
