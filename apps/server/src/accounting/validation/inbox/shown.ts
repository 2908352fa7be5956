import type { validation, ValidationException } from "@metrum/contract/accounting";
import type { ParsedOf } from "@metrum/contract/core";
import { pageSize } from "@metrum/contract/core";
import { dayOf, resolve, startOfDay, type Ctx } from "#core";
import { allKinds, kinds, text } from "../kinds/index.ts";
import * as store from "./listStore.ts";
import { summaryOf } from "./words.ts";

type Filter = Pick<
  ParsedOf<typeof validation.list>["body"],
  "search_string" | "startDate" | "stopDate" | "month" | "state" | "kind" | "object_ids"
>;

const gone = {
  filled: text("Пропуск заполнен", "The gap is filled", "Тасалдал нөхөгдсөн"),
  corrected: text("Значения исправлены", "The values are corrected", "Утга засагдсан"),
  rule: text("Правило отключено или изменено", "The rule was switched off or changed", "Дүрэм өөрчлөгдсөн"),
};

/** The filter with its branches as ids of the company. Problem: not_found. */
export async function filterOf(ctx: Ctx, filter: Filter): Promise<store.ExceptionFilter> {
  const { object_ids, ...rest } = filter;
  return object_ids ? { ...rest, object_ids: await resolve(ctx, "object", object_ids) } : rest;
}

export function shownException(
  row: store.ExceptionRow,
  { language }: Pick<Ctx, "language">,
): ValidationException {
  const reason =
    row.reason !== null && Object.hasOwn(gone, row.reason) ? gone[row.reason as keyof typeof gone] : null;
  return {
    id: row.id,
    kind: row.kind,
    kind_title: kinds[row.kind].title[language],
    summary: summaryOf(row, language),
    device_id: row.device_id,
    device_name: row.device_name,
    deviceID: row.deviceID,
    point_id: row.point_id,
    point_name: row.point_name,
    place: row.place,
    field: row.field,
    msgType: row.msg_type,
    startDate: row.from_ts,
    stopDate: row.to_ts,
    values: row.values_n,
    found_at: row.found_at,
    outcome: row.outcome,
    outcome_reason: reason?.[language] ?? null,
    closed_at: row.closed_at,
    closed_by: row.closed_by,
    comments: row.comments,
  };
}

/** A page of exceptions. Problem: not_found for a foreign branch. */
export async function exceptionList(ctx: Ctx, body: ParsedOf<typeof validation.list>["body"]) {
  const { page = 1, per_page = 25, sort = "desc" } = body;
  const perPage = pageSize(per_page);
  const { rows, total } = await store.exceptionPage(ctx.db, ctx.scope, {
    ...(await filterOf(ctx, body)),
    sort,
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return {
    exceptions: {
      data: rows.map((row) => shownException(row, ctx)),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / perPage)),
      per_page: perPage,
      total,
    },
  };
}

/** Counts by rule, of those with any. Problem: not_found for a foreign branch. */
export async function exceptionSummary(ctx: Ctx, body: Filter) {
  const { db, scope, session, clock, language } = ctx;
  const filter = await filterOf(ctx, body);
  const counts = new Map(
    (await store.countsByKind(db, scope, filter)).map(({ kind, count }) => [kind, count]),
  );
  const notKept = await store.notKept(db, scope);
  const today = startOfDay(session.companyTimeZone, dayOf(session.companyTimeZone, clock.now()));
  const groups = allKinds
    .map(({ name, title }) => ({
      kind: name,
      title: title[language],
      count: counts.get(name) ?? 0,
      not_kept: notKept.get(name) ?? 0,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  return { groups, ...(await store.totals(db, scope, today)) };
}
