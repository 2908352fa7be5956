import { pointEventTitles, voltageLevels, type pointHistory } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { fieldOf, resourceOfGroup, units, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { resolveOne, textOf, type Ctx } from "#core";
import { isClosed } from "#accounting/closed-periods";
import { devicesOf, pointColumns, replacedTies, type PointDevice } from "../records/index.ts";
import * as store from "./historyStore.ts";
import type { EventRow, TermRow } from "./historyStore.ts";
import { undoable } from "../ties/index.ts";
import { ratiosOf } from "../days/index.ts";

type History = ReplyOf<typeof pointHistory.history>;
type RatioLane = History["ratios"][number];

/** What happened at a point since its beginning. Problem: not_found. */
export async function historyOf(ctx: Ctx, given: number): Promise<History> {
  const { db } = ctx;
  const id = await resolveOne(ctx, "accountingPoint", given);
  const devices = await devicesOf(db, id);
  const terms = await store.termRows(db, id);
  const events = await store.eventsOf(db, id);
  return {
    devices: await shownDevices(ctx, id, devices),
    ratios: await ratioLane(ctx, id, { devices, terms }),
    terms: terms.map((term) => shownTerm(ctx, term)),
    events: events.map((event) => shownEvent(ctx, event)),
    can_undo: await canUndo(ctx, id, devices),
  };
}

/** A replacement on which no closed period rests. */
async function canUndo(ctx: Ctx, id: AccountingPointId, devices: readonly PointDevice[]): Promise<boolean> {
  const swap = undoable(devices, await replacedTies(ctx.db, id));
  if (!swap) return false;
  const { timezone: zone } = await pointColumns(ctx.db, id);
  const from = swap.old.to_ts ?? swap.now.from_ts;
  return !(await isClosed(ctx.db, ctx.scope.companyId, { from, to: null, zone }));
}

async function shownDevices(
  { db, language }: Ctx,
  id: AccountingPointId,
  devices: readonly PointDevice[],
): Promise<History["devices"]> {
  const names = await store.userNames(db, [
    ...new Set(devices.flatMap(({ opened_by, closed_by }) => [opened_by ?? [], closed_by ?? []].flat())),
  ]);
  const added = await store.meterlessAmounts(db, id);
  const nameOf = (user: number | null) => (user === null ? null : (names.get(user) ?? null));
  return devices.map((each, at) => {
    const before = devices[at - 1]?.to_ts ?? null;
    return {
      id: each.id,
      device_id: each.device_id,
      name: each.device_name,
      deviceID: each.deviceID,
      model_title: each.model_title,
      field: each.field,
      unit: unitOf(each, language),
      from: each.from_ts,
      to: each.to_ts,
      opening: each.opening,
      closing: each.closing,
      opening_value: each.opening[each.field] ?? null,
      closing_value: each.closing[each.field] ?? null,
      act: each.act,
      note: each.note,
      opened_by: nameOf(each.opened_by),
      closed_by: nameOf(each.closed_by),
      meterless_sec: before === null ? null : each.from_ts - before,
      meterless_amount: added.get(each.id) ?? null,
      created_at: each.created_at,
    };
  });
}

const unitOf = (
  { field, device_group_id }: { readonly field: FieldName; readonly device_group_id: number },
  language: Ctx["language"],
): string => units[fieldOf(field, resourceOfGroup(device_group_id).key).unit][language];

/** The ratio of the point over time, with what it comes from. */
async function ratioLane(
  { db }: Ctx,
  id: AccountingPointId,
  { devices, terms }: { readonly devices: readonly PointDevice[]; readonly terms: readonly TermRow[] },
): Promise<RatioLane[]> {
  const steps = (await ratiosOf(db, [id])).get(id) ?? [];
  return steps.map(({ from, ratio }, at) => {
    const text = textOf(ratio);
    const isValid = (each: { readonly from_ts: number; readonly to_ts: number | null }) =>
      each.from_ts <= from && (each.to_ts ?? Infinity) > from;
    const valid = terms.filter(isValid);
    const transformers = valid.flatMap(({ ref_ratio }) => (ref_ratio === null ? [] : [ref_ratio]));
    const isOwn = valid.some(({ kind }) => kind === "ratio");
    const isOfDevice = text !== "1" && devices.some(isValid);
    return {
      from: Number.isSafeInteger(from - 1) ? from : null,
      to: steps[at + 1]?.from ?? null,
      ratio: Number(text),
      source: transformers.length > 0 ? "transformers" : isOwn ? "point" : isOfDevice ? "device" : "none",
      title: transformers.length > 0 ? transformers.join(" × ") : text,
    };
  });
}

function shownTerm({ language }: Ctx, term: TermRow): History["terms"][number] {
  const level = voltageLevels.find(({ id }) => id === term.voltage_level_id);
  return {
    id: term.id,
    kind: term.kind,
    from: term.from_ts,
    to: term.to_ts,
    number: term.number,
    title: term.ref_name ?? level?.title[language] ?? (term.number === null ? "" : String(term.number)),
    ref_id: idText(term.ref_id ?? term.voltage_level_id),
    standard: term.standard && Object.fromEntries(Object.entries(term.standard)),
    note: term.note,
    user: term.user,
  };
}

const idText = (id: number | null): string | null => (id === null ? null : String(id));

function shownEvent({ language }: Ctx, event: EventRow): History["events"][number] {
  const note = event.details["note"];
  return {
    id: event.id,
    ts: event.ts,
    kind: event.kind,
    title: pointEventTitles[event.kind][language],
    device_id: event.device_id,
    note: typeof note === "string" ? note : "",
    details: event.details,
    user: event.user,
    is_entered: event.kind === "verified" || event.kind === "note",
  };
}
