import type { pointData } from "@metrum/contract/accounting";
import { pageSize, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { fieldOf, resourceOfGroup, statuses, units } from "@metrum/vocabulary";
import { resolveOne, type Ctx } from "#core";
import { sourceName } from "#metering/messages";
import { rejectedPage, type RejectedRow } from "./rejectedStore.ts";

type Body = ParsedOf<typeof pointData.rejectedData>["body"];
type Reply = ReplyOf<typeof pointData.rejectedData>;

const daySec = 86_400;
const usualDays = 31;
const mostDays = 366;
const largestPage = 10_000;

/** Suspect and rejected values of the points of the company, a year at most. Problem: not_found. */
export async function rejectedData(ctx: Ctx, body: Body): Promise<Reply> {
  const { page = 1, per_page, paginate, sort = "desc", sort_field = "datetime", status } = body;
  const to = body.stopDate ?? ctx.clock.now();
  const from = Math.max(body.startDate ?? to - usualDays * daySec, to - mostDays * daySec);
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current_page = paginate === false ? 1 : page;
  const { total, rows } = await rejectedPage(ctx.db, ctx.scope, {
    from,
    to,
    statuses: (status ?? (["suspect", "rejected"] as const)).map((name) => statuses[name].id),
    point:
      body.accounting_point_id === undefined
        ? undefined
        : await resolveOne(ctx, "accountingPoint", body.accounting_point_id),
    search: body.search_string,
    sort_field,
    sort,
    limit,
    offset: (current_page - 1) * limit,
  });
  return {
    data: rows.map((row) => shown(row, ctx.language)),
    current_page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}

function shown(row: RejectedRow, language: Ctx["language"]): Reply["data"][number] {
  return {
    accounting_point_id: row.point_id,
    accounting_point: row.point_name,
    device_id: row.device_id,
    device: row.device_name,
    deviceID: row.deviceID,
    msg_type: row.msg_type,
    datetime: row.ts,
    created_at: row.received_at,
    field: row.field,
    value: row.value,
    unit: units[fieldOf(row.field, resourceOfGroup(row.device_group_id).key).unit][language],
    status: row.status === statuses.suspect.id ? "suspect" : "rejected",
    source: sourceName(row.source),
  };
}
