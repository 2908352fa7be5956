import { periods } from "@metrum/contract/accounting";
import { serve, withMessage, type Api } from "#core";
import { closeMonth, correctPeriod, preview, reopenPeriod } from "./periods.ts";
import { openPeriod, periodList } from "./shown.ts";

export function servePeriods(api: Api): void {
  serve(api, periods, {
    list: async ({ body }, ctx) => ({ periods: await periodList(ctx, body) }),
    preview: ({ body }, ctx) => preview(ctx, body),
    close: async ({ body }, ctx) => withMessage({ period: await closeMonth(ctx, body) }, "period_closed"),
    get: ({ body }, ctx) => openPeriod(ctx, body),
    async correct({ body }, ctx) {
      const { period, version } = await correctPeriod(ctx, body);
      return withMessage({ period }, "period_corrected", { version });
    },
    reopen: async ({ body }, ctx) =>
      withMessage({ period: await reopenPeriod(ctx, body) }, "period_reopened"),
  });
}
