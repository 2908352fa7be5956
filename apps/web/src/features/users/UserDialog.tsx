import {
  accessGroups,
  holdsAll,
  members,
  users,
  type ListedGroup,
  type Member,
  type NewMember,
} from "@metrum/contract/access";
import { emailPattern, type ReplyOf } from "@metrum/contract/core";
import { useState } from "react";
import { keyOf, queryClient, refetch } from "#lib/call";
import { languageNames, languageOf, languages } from "#lib/i18n";
import { rightsOf, useSession } from "#lib/session";
import { defineRecord, filled, RecordDialog, rowsOf } from "#ui/record";

interface Props {
  /** The user to change; null invites a new one. */
  readonly member: Member | null;
  readonly groups: readonly ListedGroup[];
  readonly onClose: () => void;
}

/** Invites a user or changes one. */
export function UserDialog({ member: opened, groups, onClose }: Props) {
  const { access, user } = useSession();
  const [member, setMember] = useState(opened);
  const own = rightsOf(access);
  const given = {
    isAdmin: own.is_admin,
    groups: groups.filter((each) => each.id === member?.access_group_id || holdsAll(own, each.access_rules)),
    language: languageOf(member?.language ?? user.language),
  };
  const reload = async () => {
    await refetch(users.list);
    setMember(newest(member));
  };
  return <RecordDialog form={userForm} record={member} {...{ given, reload, onClose }} />;
}

/** Rights are one choice: administrator, one of the groups, or none yet. */
const fresh = {
  ...{ name: "", email: "", phone_number: "", timezone_name: "" },
  rights: null as number | "admin" | null,
};
type Values = typeof fresh & { readonly language: (typeof languages)[number] };
type Given = Pick<Values, "language"> & Pick<Props, "groups"> & { readonly isAdmin: boolean };

const { text, phone, select, zone, group } = rowsOf<Values, Given>();

const userForm = defineRecord<Member, Values, Given>()({
  texts: ["users"],
  titles: "field",
  size: 450,
  title: (of, t) => (of ? t("edit.title", { name: of.name }) : t("invite.title")),
  action: ["invite.send", "edit.save"],
  values: (of, { language }) => ({
    ...filled(fresh, of && { ...of, rights: of.is_admin ? "admin" : of.access_group_id }),
    language,
  }),
  required: ["name", "email"],
  check: ({ email }) => ({ email: emailPattern.test(email.trim()) ? undefined : "email" }),
  faults: ["email"],
  names: { access_group_id: "rights", is_admin: "rights" },
  rows: [
    text("name", { most: 255, isFirst: true }),
    text("email", {
      ...{ most: 255, type: "email", inputMode: "email" },
      hint: (_, { isNew }) => (isNew ? "invite.emailHint" : undefined),
    }),
    phone("phone_number", { title: "field.phone" }),
    select(
      "rights",
      ({ t, isAdmin, groups }) => [
        { of: null, title: t("noGroup") },
        ...(isAdmin ? [{ of: "admin" as const, title: t("administrator") }] : []),
        ...groups.map(({ id, name }) => ({ of: id, title: name })),
      ],
      { hint: "field.rightsHint" },
    ),
    group(
      "user-pair",
      select("language", () => languages.map((of) => ({ of, title: languageNames[of] })), {
        title: ({ isNew }) => (isNew ? "field.letterLanguage" : "field.language"),
      }),
      zone("timezone_name", { title: "field.zone", ofCompany: "field.companyZone" }),
    ),
  ],
  body: ({ rights, phone_number, timezone_name, ...rest }): NewMember => ({
    ...rest,
    phone_number: phone_number.trim() || null,
    timezone_name: timezone_name || null,
    is_admin: rights === "admin",
    access_group_id: rights === "admin" ? null : rights,
  }),
  add: (body, ask) => ask(members.create, { body }),
  change: ({ id, version }, _, ask, body) => ask(members.update, { body: { ...body, id, version } }),
  refresh: () => refetch(users.list, accessGroups.list),
});

/** The user from the most recently fetched list. */
function newest(member: Member | null): Member | null {
  const lists = queryClient.getQueriesData<ReplyOf<typeof users.list>>({ queryKey: keyOf(users.list) });
  return lists
    .flatMap(([, list]) => list?.users ?? [])
    .filter(({ id, version }) => id === member?.id && version > member.version)
    .reduce((best, each) => (best === null || each.version > best.version ? each : best), member);
}
