import { members, memberTwoFactor, users, userSessions, type Member } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { askText, confirm } from "#ui/dialog";
import { Menu, type MenuEntry } from "#ui/menu";
import { snack } from "#ui/snackbar";
import { isSureToSwitch, switchMember } from "./switchMember.ts";
import type { UserContext } from "./memberList.tsx";

/** Actions on a user; impossible ones are hidden, forbidden ones are disabled with the reason. */
export function UserMenu({ row, context }: { readonly row: Member; readonly context: UserContext }) {
  const { t } = useTranslation("users");
  const items = useEntries(row, context);
  if (items.length === 0) return null;
  return (
    // Keys of the menu must not reach the table around it.
    <span className="member-menu" onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={t("menu.label", { name: row.name })}
        items={items}
        trigger={(props) => (
          <IconButton {...props} icon="more" size="small" label={t("menu.label", { name: row.name })} />
        )}
      />
    </span>
  );
}

function useEntries(row: Member, context: UserContext): readonly MenuEntry[] {
  const { t } = useTranslation("users");
  const { mayInvite, mayChange, mayDelete, onEdit, ownId } = context;
  const isOwn = row.id === ownId;
  const wider = row.is_manageable ? {} : { isDisabled: true, hint: t("menu.wider") };
  const own = isOwn ? { isDisabled: true, hint: t("menu.own") } : wider;
  return [
    ...(mayChange
      ? [{ id: "edit", title: t("menu.edit"), icon: "edit" as const, onSelect: () => onEdit(row), ...wider }]
      : []),
    ...(mayInvite && row.is_invited
      ? [
          {
            id: "invite",
            title: t("menu.invite"),
            icon: "send" as const,
            onSelect: () => void inviteAgain(row),
            ...wider,
          },
        ]
      : []),
    // A phone has no column with the switch.
    ...(mayChange
      ? [
          {
            id: "switch",
            title: t(row.is_active ? "switchOff.action" : "menu.switchOn"),
            icon: row.is_active ? ("close" as const) : ("check" as const),
            onSelect: () => void switchTo(row, !row.is_active, t),
            ...(isOwn ? { isDisabled: true, hint: t("menu.ownSwitch") } : wider),
          },
        ]
      : []),
    ...(mayChange
      ? [
          {
            id: "sessions",
            title: t("menu.endSessions"),
            icon: "signOut" as const,
            onSelect: () => void endSessions(row, t),
            ...wider,
          },
        ]
      : []),
    // The own second factor is turned off in the profile, with a code.
    ...(mayChange && row["2fa_enabled"] && !isOwn
      ? [
          {
            id: "resetTwoFactor",
            title: t("menu.resetTwoFactor"),
            icon: "access_rules" as const,
            onSelect: () => void resetTwoFactor(row, t),
            ...wider,
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: "delete",
            title: t("menu.delete"),
            icon: "trash" as const,
            isHarmful: true,
            startsGroup: true,
            onSelect: () => void remove(row, t),
            ...own,
          },
        ]
      : []),
  ];
}

type Words = ReturnType<typeof useTranslation<"users">>["t"];

async function switchTo(row: Member, isOn: boolean, t: Words): Promise<void> {
  if (await isSureToSwitch(row, isOn, t)) await switchMember(row, isOn);
}

async function inviteAgain(row: Member): Promise<void> {
  await exchange(members.invite, { params: { id: String(row.id) } }).then(
    ({ msg }) => snack(msg),
    () => undefined,
  );
}

async function endSessions(row: Member, t: Words): Promise<void> {
  const isSure = await confirm({
    title: t("endSessions.title", { name: row.name }),
    text: t("endSessions.text"),
    action: t("endSessions.action"),
    isHarmful: true,
  });
  if (!isSure) return;
  await exchange(userSessions.endAll, { params: { id: String(row.id) } }).then(
    ({ msg }) => snack(msg),
    () => undefined,
  );
}

async function resetTwoFactor(row: Member, t: Words): Promise<void> {
  const isSure = await confirm({
    title: t("resetTwoFactor.title", { name: row.name }),
    text: t("resetTwoFactor.text"),
    action: t("resetTwoFactor.action"),
    isHarmful: true,
  });
  if (!isSure) return;
  await exchange(memberTwoFactor.reset, { params: { id: String(row.id) } }).then(
    async ({ msg }) => {
      snack(msg);
      await refetch(users.list);
    },
    () => undefined,
  );
}

/** Removing is permanent: the number of the account must be typed. */
async function remove(row: Member, t: Words): Promise<void> {
  const id = String(row.id);
  const typed = await askText({
    title: t("delete.title", { name: row.name }),
    text: t("delete.text", { id }),
    label: t("delete.label"),
    minLength: 1,
    validate: (value) => (value === id ? null : t("delete.wrong")),
    action: t("delete.action"),
    isHarmful: true,
  });
  if (typed !== id) return;
  await exchange(members.delete, { params: { id } }).then(
    async ({ msg }) => {
      snack(msg);
      await refetch(users.list);
    },
    () => undefined,
  );
}
