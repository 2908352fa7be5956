import {
  accessGroups,
  holdsAll,
  members,
  users,
  type ListedGroup,
  type Member,
} from "@metrum/contract/access";
import { emailPattern, type ReplyOf } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, keyOf, queryClient, refetch, type SendOptions } from "#lib/call";
import { languageNames, languageOf, languages } from "#lib/i18n";
import { rightsOf, useSession } from "#lib/session";
import { SelectField, TextField } from "#ui/field";
import { PhoneField } from "#ui/phoneField";
import { FormDialog, useForm } from "#ui/form";
import { zoneChoices } from "#ui/zone";

interface Props {
  /** The user to change; null invites a new one. */
  readonly member: Member | null;
  readonly groups: readonly ListedGroup[];
  readonly onClose: () => void;
}

/** The option for an administrator, who has no group. */
const admin = "admin";

/** Invites a user or changes one. */
export function UserDialog({ member: given, groups, onClose }: Props) {
  const { t } = useTranslation("users");
  const { access, user, zone } = useSession();
  const [member, setMember] = useState(given);
  const [zones] = useState(() => zoneChoices(member?.timezone_name ?? zone, Math.floor(Date.now() / 1000)));
  const form = useForm({
    stored: valuesOf(member, user.language),
    required: ["name", "email"],
    check: ({ email }) => ({ email: emailPattern.test(email.trim()) ? undefined : "email" }),
    names: { access_group_id: "rights", is_admin: "rights" },
    words: (code) => (code === "email" ? t("fault.email") : undefined),
    send: (values, options) => store(member, values, options),
    onSaved: async () => {
      onClose();
      await refetch(users.list, accessGroups.list);
    },
    onConflict: async () => {
      await refetch(users.list);
      setMember(newest(member));
    },
  });
  const own = rightsOf(access);
  const rights = [
    { value: "", title: t("noGroup") },
    ...(own.is_admin ? [{ value: admin, title: t("administrator") }] : []),
    ...groups
      .filter((each) => each.id === member?.access_group_id || holdsAll(own, each.access_rules))
      .map((each) => ({ value: String(each.id), title: each.name })),
  ];
  return (
    <FormDialog
      form={form}
      title={member ? t("edit.title", { name: member.name }) : t("invite.title")}
      size={450}
      action={member ? t("edit.save") : t("invite.send")}
      onClose={onClose}
    >
      <TextField
        label={t("field.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <TextField
        label={t("field.email")}
        {...form.field("email")}
        type="email"
        inputMode="email"
        autoComplete="off"
        hint={member ? undefined : t("invite.emailHint")}
      />
      <PhoneField label={t("field.phone")} {...form.field("phone_number")} autoComplete="off" />
      <SelectField
        label={t("field.rights")}
        {...form.field("rights")}
        options={rights}
        hint={t("field.rightsHint")}
      />
      <div className="user-pair">
        <SelectField
          label={member ? t("field.language") : t("field.letterLanguage")}
          {...form.field("language")}
          options={languages.map((each) => ({ value: each, title: languageNames[each] }))}
        />
        <SelectField
          label={t("field.zone")}
          {...form.field("timezone_name")}
          options={[{ value: "", title: t("field.companyZone") }, ...zones]}
        />
      </div>
    </FormDialog>
  );
}

type Values = ReturnType<typeof valuesOf>;

/** Rights are one choice: administrator, one of the groups, or none yet. */
function valuesOf(member: Member | null, language: string) {
  return {
    name: member?.name ?? "",
    email: member?.email ?? "",
    phone_number: member?.phone_number ?? "",
    rights: member?.is_admin ? admin : String(member?.access_group_id ?? ""),
    language: languageOf(member?.language ?? language),
    timezone_name: member?.timezone_name ?? "",
  };
}

function store(member: Member | null, values: Values, options: SendOptions) {
  const { rights, phone_number, timezone_name, ...rest } = values;
  const body = {
    ...rest,
    phone_number: phone_number.trim() || null,
    timezone_name: timezone_name || null,
    is_admin: rights === admin,
    access_group_id: rights === admin || rights === "" ? null : Number(rights),
  };
  if (member === null) return exchange(members.create, { body }, options);
  return exchange(members.update, { body: { ...body, id: member.id, version: member.version } }, options);
}

/** The user from the most recently fetched list. */
function newest(member: Member | null): Member | null {
  const lists = queryClient.getQueriesData<ReplyOf<typeof users.list>>({ queryKey: keyOf(users.list) });
  return lists
    .flatMap(([, list]) => list?.users ?? [])
    .filter(({ id, version }) => id === member?.id && version > member.version)
    .reduce((best, each) => (best === null || each.version > best.version ? each : best), member);
}
