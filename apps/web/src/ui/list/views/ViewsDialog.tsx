import { listViews, viewBounds, type ListViewRow } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { IconButton } from "#ui/button";
import { change } from "#ui/change";
import { askText, confirm, Dialog } from "#ui/dialog";
import { Switch } from "#ui/field";

interface Props {
  readonly views: readonly ListViewRow[];
  readonly mayShare: boolean;
  readonly onClose: () => void;
}

const refreshed = [listViews.list];
type Fields = Partial<Pick<ListViewRow, "name" | "is_shared">>;

/** Renames, shares and removes the views that the user may change. */
export function ViewsDialog({ views, mayShare, onClose }: Props) {
  const { t } = useTranslation("listViews");
  const [busy, setBusy] = useState<number | null>(null);
  const during = async (id: number, run: () => Promise<unknown>) => {
    setBusy(id);
    await run();
    setBusy(null);
  };
  const save = (id: number, fields: Fields) =>
    during(id, () => change(() => exchange(listViews.update, { body: { id, ...fields } }), { refreshed }));
  const rename = async ({ id, name: value }: ListViewRow) => {
    const name = await askText({
      title: t("rename", { name: value }),
      label: t("name"),
      action: t("create"),
      ...{ value, isRequired: true, maxLength: viewBounds.name },
    });
    if (name !== null && name !== value) await save(id, { name });
  };
  const remove = async ({ id, name, is_shared: isShared }: ListViewRow) => {
    const isSure = await confirm({
      title: t("remove", { name }),
      text: isShared ? t("removeShared") : undefined,
      action: t("removeAction"),
      isHarmful: true,
    });
    if (isSure)
      await during(id, () => change(() => exchange(listViews.delete, { body: { id } }), { refreshed }));
  };
  return (
    <Dialog title={t("all")} size={500} onClose={onClose}>
      <ul className="list-views-all">
        {views
          .filter(({ may_change: mayChange }) => mayChange)
          .map((view) => (
            <li key={view.id}>
              <b>{view.name}</b>
              {mayShare ? (
                <Switch
                  checked={view.is_shared}
                  isPending={busy === view.id}
                  disabled={busy !== null}
                  aria-label={t("shareOf", { name: view.name })}
                  onChange={({ currentTarget: { checked } }) => void save(view.id, { is_shared: checked })}
                >
                  {t("shared")}
                </Switch>
              ) : null}
              <IconButton
                icon="edit"
                label={t("rename", { name: view.name })}
                onClick={() => void rename(view)}
              />
              <IconButton
                icon="trash"
                label={t("remove", { name: view.name })}
                onClick={() => void remove(view)}
              />
            </li>
          ))}
      </ul>
      {views.length === 0 ? <p className="quiet">{t("none")}</p> : null}
    </Dialog>
  );
}
