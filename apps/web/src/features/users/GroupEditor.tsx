import { accessGroups, users, type AccessRules, type ListedGroup } from "@metrum/contract";
import type { AccessAction } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { askText } from "#ui/dialog";
import { Icon } from "#ui/icon";
import { Menu } from "#ui/menu";
import { useUnsaved } from "#ui/settings";
import { snack } from "#ui/snackbar";
import { GroupMatrix } from "./GroupMatrix.tsx";
import { GroupPreview } from "./GroupPreview.tsx";
import { GroupUsers } from "./GroupUsers.tsx";
import { changedTicks, moduleRows } from "./rights.ts";
import { TickMeaning } from "./TickMeaning.tsx";

/** A group: its grid of rights, what a tick means, who is in it, and what they see. Nothing counts before it is saved. */
export function GroupEditor({ group }: { readonly group: ListedGroup }) {
  const { t } = useTranslation("users");
  const { language } = useFormat();
  const { access, company } = useSession();
  const [edited, setEdited] = useState<AccessRules | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [tick, setTick] = useState<{ module: number; action: AccessAction }>({ module: 4, action: "update" });
  const rules = edited ?? group.access_rules;
  const changed = changedTicks(group.access_rules, rules);
  const isDirty = changed.size > 0;
  useUnsaved(isDirty && !isSaving);
  const mayChange = access.is_admin;
  const rows = moduleRows(language, company.is_dealer);
  const save = async () => {
    setSaving(true);
    const isSaved = await update(group, { access_rules: rules });
    if (isSaved) setEdited(null);
    setSaving(false);
  };
  return (
    <article className="group">
      <header className="group-head">
        <a className="group-back" href="#/cloud/users?tab=groups">
          <Icon name="chevronLeft" size={14} />
          {t("groups")}
        </a>
        <h2>{group.name}</h2>
        {mayChange ? (
          <IconButton
            icon="edit"
            size="small"
            label={t("group.rename")}
            onClick={() => void rename(group, t)}
          />
        ) : null}
        <span className="group-facts">{t("group.users", { count: group.users_count })}</span>
        <span className="group-unsaved" role="status">
          {isDirty ? t("group.unsaved", { count: changed.size }) : null}
        </span>
        {mayChange ? (
          <div className="group-actions">
            <Button disabled={!isDirty || isSaving} onClick={() => setEdited(null)}>
              {t("group.discard")}
            </Button>
            <Button kind="primary" disabled={!isDirty} isBusy={isSaving} onClick={() => void save()}>
              {t("group.save")}
            </Button>
            <Menu
              label={t("menu.label", { name: group.name })}
              trigger={(props) => (
                <IconButton
                  {...props}
                  icon="more"
                  kind="secondary"
                  label={t("menu.label", { name: group.name })}
                />
              )}
              items={[
                {
                  id: "delete",
                  title: t("group.delete"),
                  icon: "trash",
                  isHarmful: true,
                  onSelect: () => void remove(group, t),
                  ...(group.users_count > 0
                    ? { isDisabled: true, hint: t("group.inUse", { count: group.users_count }) }
                    : {}),
                },
              ]}
            />
          </div>
        ) : null}
      </header>
      <div className="group-main">
        <GroupMatrix
          rows={rows}
          rules={rules}
          changed={changed}
          isReadOnly={!mayChange || isSaving}
          onRules={setEdited}
          onTick={setTick}
        />
        <TickMeaning rows={rows} tick={tick} />
        <GroupUsers group={group} />
      </div>
      <GroupPreview before={group.access_rules} rules={rules} />
    </article>
  );
}

type Words = ReturnType<typeof useTranslation<"users">>["t"];

async function update(
  group: ListedGroup,
  change: { readonly name?: string; readonly access_rules?: AccessRules },
): Promise<boolean> {
  const params = { id: String(group.id) };
  const body = { ...change, version: group.version };
  return exchange(accessGroups.update, { params, body }).then(
    async ({ msg }) => {
      snack(msg);
      await refetch(accessGroups.list, users.list);
      return true;
    },
    () => false,
  );
}

async function rename(group: ListedGroup, t: Words): Promise<void> {
  const name = await askText({
    title: t("group.rename"),
    label: t("group.name"),
    value: group.name,
    minLength: 1,
    maxLength: 100,
    action: t("group.save"),
  });
  if (name !== null && name !== group.name) await update(group, { name });
}

async function remove(group: ListedGroup, t: Words): Promise<void> {
  const id = String(group.id);
  const typed = await askText({
    title: t("group.deleteTitle", { name: group.name }),
    text: t("delete.text", { id }),
    label: t("delete.label"),
    minLength: 1,
    validate: (value) => (value === id ? null : t("delete.wrong")),
    action: t("group.delete"),
    isHarmful: true,
  });
  if (typed !== id) return;
  await exchange(accessGroups.delete, { params: { id } }).then(
    async ({ msg }) => {
      snack(msg);
      location.hash = "#/cloud/users?tab=groups";
      await refetch(accessGroups.list);
    },
    () => undefined,
  );
}
