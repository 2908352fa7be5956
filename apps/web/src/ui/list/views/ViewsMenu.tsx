import { listViews, type ListViewRow, type ViewedList } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, useCall } from "#lib/call";
import { change } from "#ui/change";
import { IconButton } from "#ui/button";
import type { ListState } from "#ui/grid";
import { Menu, type MenuEntry } from "#ui/menu";
import type { BuiltInView } from "../types.ts";
import { ViewDialog } from "./ViewDialog.tsx";
import { ViewsDialog } from "./ViewsDialog.tsx";
import { isSameView, viewOf, type ViewState } from "./views.ts";

interface Props {
  readonly list: ViewedList;
  readonly address: Pick<ListState, "state" | "change">;
  /** Visible columns, if the user may choose them. */
  readonly cols: readonly string[] | null;
  /** Views that every user has. */
  readonly builtIn: readonly BuiltInView[];
}

/** Views of a list: shows one, saves the present one, and opens the dialog that renames, shares and removes them. */
export function ViewsMenu({ list, address, cols, builtIn }: Props) {
  const { t } = useTranslation("listViews");
  const { data, isPending } = useCall(listViews.list, { body: { list } }, { isQuiet: true });
  const [open, setOpen] = useState<"new" | "all" | null>(null);
  /** The last view shown here: what the user does then may be saved in it. */
  const [last, setLast] = useState<ListViewRow>();
  const views = data?.views ?? [];
  const current = viewOf(address.state, cols);
  const show = ({ q, sort, filters, cols: columns }: ViewState) =>
    address.change({ q, sort, filters, cols: columns }, false);
  const changed = views.find(({ id }) => id === last?.id);
  const entry = (view: ListViewRow, at: number, all: readonly ListViewRow[]): MenuEntry => ({
    id: String(view.id),
    title: view.name,
    isChosen: isSameView(current, view.state),
    ...(view.is_shared ? { hint: t("ofCompany") } : {}),
    startsGroup: at > 0 && view.is_shared !== all[at - 1]?.is_shared,
    onSelect: () => {
      setLast(view);
      show(view.state);
    },
  });
  const items: MenuEntry[] = [
    ...builtIn.map(({ id, state }) => ({
      id,
      title: t(`builtIn.${id}`),
      isChosen: isSameView(current, state),
      onSelect: () => show(state),
    })),
    ...views.map(entry).map((each, at) => (at === 0 ? { ...each, startsGroup: builtIn.length > 0 } : each)),
    ...(changed?.may_change && !isSameView(current, changed.state)
      ? [
          {
            id: "keep",
            title: t("keep", { name: changed.name }),
            startsGroup: true,
            onSelect: () => void keep(changed, current),
          },
        ]
      : []),
    { id: "save", title: t("save"), icon: "plus", startsGroup: true, onSelect: () => setOpen("new") },
    ...(views.some(({ may_change: mayChange }) => mayChange)
      ? [{ id: "edit", title: t("edit"), icon: "edit" as const, onSelect: () => setOpen("all") }]
      : []),
  ];
  const close = () => setOpen(null);
  if (isPending) return <IconButton icon="star" label={t("grid:views")} isBusy />;
  return (
    <>
      <Menu
        label={t("grid:views")}
        startsOpen
        header={views.length + builtIn.length > 0 ? null : <p role="presentation">{t("none")}</p>}
        items={items}
        trigger={(props) => <IconButton {...props} icon="star" label={t("grid:views")} />}
      />
      {open === "new" ? (
        <ViewDialog
          list={list}
          state={current}
          mayShare={data?.may_share ?? false}
          onSaved={setLast}
          onClose={close}
        />
      ) : null}
      {open === "all" ? (
        <ViewsDialog views={views} mayShare={data?.may_share ?? false} onClose={close} />
      ) : null}
    </>
  );
}

async function keep({ id }: ListViewRow, state: ViewState): Promise<void> {
  await change(() => exchange(listViews.update, { body: { id, state } }), { refreshed: [listViews.list] });
}
