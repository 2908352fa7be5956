import { balanceLimits, balances } from "@metrum/contract/accounting";
import { fieldFault, problem, type ParsedOf } from "@metrum/contract/core";
import { dayText, serve, withMessage, type Api, type Ctx } from "#core";
import { periodSums, shownSums, sumsByMonth } from "./compute.ts";
import type { DayNumbers } from "#accounting/accounting-points";
import { sumsByDay, wholePart } from "./evidence.ts";
import { changeGroup, createGroup, groupList, openGroup, removeGroup, storedGroup } from "./groups.ts";
import { halfHoursOf } from "./halfHours.ts";
import { daysIn, inputFor, lastMonth, zoneOf } from "./load.ts";
import { reportRows } from "./report.ts";
import type { StoredGroup } from "./store.ts";
import { balanceOf, unitOf } from "./view.ts";

export function serveBalances(api: Api): void {
  serve(api, balances, {
    list: async ({ body }, ctx) => ({ balance_groups: await groupList(ctx, body) }),
    get: async ({ params }, ctx) => ({ balance_group: await openGroup(ctx, params.id) }),
    create: async ({ body }, ctx) =>
      withMessage({ balance_group: await createGroup(ctx, body) }, "balance_group_created"),
    update: async ({ params, body }, ctx) =>
      withMessage({ balance_group: await changeGroup(ctx, params.id, body) }, "saved"),
    async delete({ params }, ctx) {
      await removeGroup(ctx, params.id);
      return withMessage({}, "balance_group_deleted");
    },
    noBalance: ({ params, query }, ctx) => imbalances(ctx, params.id, query),
    compute: async ({ params, body }, ctx) => ({ balance: await computed(ctx, params.id, body) }),
    async halfHours({ params, body }, ctx) {
      const group = await storedGroup(ctx, params.id);
      return {
        unit: unitOf(group.resource_type_id, ctx.language),
        half_hours: await halfHoursOf(ctx, group, askedDays(ctx, group, body)),
      };
    },
    report: async ({ params, body }, ctx) => {
      const data = reportRows(await computed(ctx, params.id, body), ctx);
      return { report: { data, total: data.length } };
    },
  });
}

interface Period {
  readonly startDate: number;
  readonly stopDate: number;
}

async function computed(ctx: Ctx, id: number, period: Period) {
  const group = await storedGroup(ctx, id);
  return balanceOf(ctx, group, askedDays(ctx, group, period));
}

/** Closed days of a period. Problem: wrong_input. */
function askedDays(ctx: Ctx, group: StoredGroup, { startDate, stopDate }: Period): DayNumbers {
  const zone = zoneOf(group, ctx.session.companyTimeZone);
  if (stopDate < startDate) throw problem("wrong_input", { attributes: { stopDate: ["range"] } });
  if (startDate < earliest) throw problem("wrong_input", { attributes: { startDate: ["range"] } });
  const range = daysIn(zone, { start: startDate, stop: stopDate }, ctx.clock.now());
  if (range.last - range.first >= balanceLimits.days)
    throw problem("wrong_input", {
      attributes: { stopDate: [fieldFault("period_long", { days: balanceLimits.days })] },
    });
  return range;
}

/** The year 2000: no reading is older. */
const earliest = 946_684_800;

/** The imbalance by month and day of a period, or of the last full month. */
async function imbalances(ctx: Ctx, id: number, query: ParsedOf<typeof balances.noBalance>["query"]) {
  const group = await storedGroup(ctx, id);
  const now = ctx.clock.now();
  const { startDate, stopDate = now } = query;
  const range =
    startDate === undefined
      ? lastMonth(zoneOf(group, ctx.session.companyTimeZone), stopDate)
      : askedDays(ctx, group, { startDate, stopDate });
  const input = await inputFor(ctx, group, range);
  const total = periodSums(input, wholePart(input));
  return {
    unit: unitOf(group.resource_type_id, ctx.language),
    total,
    months: sumsByMonth(input, total),
    days: sumsByDay(input).map((sums, at) => ({
      day: dayText(input.first + at),
      ...shownSums(sums ?? null),
    })),
  };
}
