import { accessGroups, users, type AccessRules, type ListedGroup } from "@metrum/contract/access";
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
import { Conflict, useForm, useUnsaved } from "#ui/form";
import { snack } from "#ui/snackbar";
import { GroupMatrix } from "./GroupMatrix.tsx";
import { GroupPreview } from "./GroupPreview.tsx";
import { GroupUsers } from "./GroupUsers.tsx";
import { changedTicks, moduleRows } from "./rights.ts";
import { TickMeaning } from "./TickMeaning.tsx";

/** A group: its matrix of rights, explanations, members and a preview. Changes take effect when saved. */
export function GroupEditor({ group }: { readonly group: ListedGroup }) {
  const { t } = useTranslation("users");
  const { language } = useFormat();
  const { access, company } = useSession();
  const [tick, setTick] = useState<{ module: number; action: AccessAction }>({ module: 4, action: "update" });
  const form = useForm({
    stored: { access_rules: group.access_rules },
    send: (rules, options) => exchange(accessGroups.update, changeOf(group, rules), options),
    onSaved: listAnew,
    onConflict: listAnew,
  });
  const rules = form.values.access_rules;
  const changed = changedTicks(group.access_rules, rules);
  const isDirty = changed.size > 0;
  useUnsaved(isDirty && !form.isBusy);
  const mayChange = access.is_admin;
  const rows = moduleRows(language, company.is_dealer);
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
            <Button disabled={!isDirty || form.isBusy} onClick={form.discard}>
              {t("group.discard")}
            </Button>
            <Button
              kind="primary"
              disabled={!isDirty}
              isBusy={form.isBusy}
              onClick={() => void form.submit()}
            >
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
        <Conflict form={form} />
        <GroupMatrix
          rows={rows}
          rules={rules}
          changed={changed}
          isReadOnly={!mayChange || form.isBusy}
          onRules={(access_rules) => form.set({ access_rules })}
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

interface Change {
  readonly name?: string;
  readonly access_rules?: AccessRules;
}
const changeOf = (group: ListedGroup, change: Change) => ({
  params: { id: String(group.id) },
  body: { ...change, version: group.version },
});
const listAnew = () => refetch(accessGroups.list, users.list);

async function rename(group: ListedGroup, t: Words): Promise<void> {
  const name = await askText({
    title: t("group.rename"),
    label: t("group.name"),
    value: group.name,
    minLength: 1,
    maxLength: 100,
    action: t("group.save"),
  });
  if (name === null || name === group.name) return;
  await exchange(accessGroups.update, changeOf(group, { name })).then(
    async ({ msg }) => {
      snack(msg);
      await listAnew();
    },
    () => undefined,
  );
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
