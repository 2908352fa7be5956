import {
  allows,
  problem,
  viewBounds,
  viewedLists,
  type ListViewRow,
  type listViews,
  type ParsedOf,
  type ViewedList,
} from "@metrum/contract/core";
import { record, resolveOne, type Ctx, type Scope } from "#core";
import * as store from "./store.ts";

/** A view of the company is for all its users: who is tied to a part of the company shares none. */
const mayShare = ({ access, onlyTiedDevices }: Scope, list: ViewedList) =>
  !onlyTiedDevices && allows(viewedLists[list].share, access);
const isShared = ({ user_id }: Pick<store.StoredView, "user_id">) => user_id === null;

/** Own views; with the right to read the list also those of the company. */
export async function viewsOfList(ctx: Ctx, list: ViewedList) {
  const { db, scope } = ctx;
  const views = await store.viewsOf(db, scope, list);
  const seen = allows(viewedLists[list].read, scope.access) ? views : views.filter((view) => !isShared(view));
  return { views: seen.map((view) => shown(ctx, view)), may_share: mayShare(scope, list) };
}

/** Problems: right_missing (to share), view_limit, view_name_taken. */
export async function addView(
  ctx: Ctx,
  { is_shared, ...given }: ParsedOf<typeof listViews.create>["body"],
): Promise<ListViewRow> {
  const { db, scope } = ctx;
  if (is_shared) refuseSharing(ctx, given.list);
  await refuseTooMany(ctx, is_shared);
  const view = await store.add(db, scope, { ...given, user_id: is_shared ? null : scope.userId });
  if (!view) throw nameTaken();
  if (is_shared) await note(ctx, view, { after: { list: view.list, ...view.state } });
  return shown(ctx, view);
}

/** Problems: not_found, right_missing (a view of the company, or sharing one), view_limit, view_name_taken. */
export async function changeView(
  ctx: Ctx,
  { id, ...given }: ParsedOf<typeof listViews.update>["body"],
): Promise<ListViewRow> {
  const { db, scope } = ctx;
  const before = await changeable(ctx, id);
  const toShared = given.is_shared ?? isShared(before);
  if (toShared) refuseSharing(ctx, before.list);
  if (toShared !== isShared(before)) await refuseTooMany(ctx, toShared);
  const after = {
    ...before,
    name: given.name ?? before.name,
    state: given.state ?? before.state,
    user_id: toShared ? null : scope.userId,
  };
  if (await store.isNameTaken(db, scope, after)) throw nameTaken();
  await store.change(db, after);
  if (isShared(before) || toShared)
    await note(ctx, after, {
      before: { name: before.name, is_shared: isShared(before), ...before.state },
      after: { name: after.name, is_shared: toShared, ...after.state },
    });
  return shown(ctx, after);
}

/** Problems: not_found, right_missing for a view of the company. */
export async function removeView(ctx: Ctx, id: number): Promise<void> {
  const view = await changeable(ctx, id);
  await store.remove(ctx.db, view.id);
  if (isShared(view))
    await record(ctx, {
      action: "listView.delete",
      subject: subjectOf(view),
      before: { list: view.list, ...view.state },
    });
}

const shown = ({ scope }: Ctx, view: store.StoredView): ListViewRow => ({
  id: view.id,
  name: view.name,
  state: view.state,
  is_shared: isShared(view),
  may_change: !isShared(view) || mayShare(scope, view.list),
});

async function changeable(ctx: Ctx, given: number): Promise<store.StoredView> {
  const view = await store.viewOf(ctx.db, await resolveOne(ctx, "listView", given));
  if (!view) throw problem("not_found");
  if (isShared(view)) refuseSharing(ctx, view.list);
  return view;
}

const nameTaken = () => problem("view_name_taken", { attributes: { name: ["view_name_taken"] } });

function refuseSharing({ scope }: Ctx, list: ViewedList): void {
  if (!mayShare(scope, list))
    throw problem("right_missing", { attributes: { is_shared: ["right_missing"] } });
}

async function refuseTooMany({ db, scope }: Ctx, toShared: boolean): Promise<void> {
  const max = toShared ? viewBounds.shared : viewBounds.own;
  if ((await store.countOf(db, scope, toShared)) >= max) throw problem("view_limit", { params: { max } });
}

const subjectOf = ({ name }: store.StoredView) => `view ${name}`;

async function note(ctx: Ctx, view: store.StoredView, change: { before?: object; after: object }) {
  await record(ctx, { action: "listView.save", subject: subjectOf(view), ...change });
}
